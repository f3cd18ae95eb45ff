"""The rules of Splendor Duel once more, slow and readable, on dicts and lists: what the compiled core is compared with.

Written from the rules alone; shares nothing with the core but the CSV files, the JSON position and the notation.
"""

import copy
from collections import Counter
from typing import Any

from tests.games.splendor_duel.oracle_facts import (
    CARDS,
    CELLS,
    COLOR_OF_LETTER,
    COLORS,
    LETTER_OF_COLOR,
    LINES,
    PLAIN,
    PYRAMID_SIZES,
    ROYALS,
    SPIRAL,
    Player,
    without_zeros,
)

FIRST_DECK_PLACE = 12  # of a pending reserve; in a pending purchase the places from here on are the own reserved ones
HAND_LIMIT, MAX_PRIVILEGES = 10, 3


class Oracle:
    """A game in progress: ``legal`` gives the texts of the legal actions, ``play`` plays one of them.

    Built from a complete position: deck orders as lists, the top first.
    """

    def __init__(self, position: dict[str, Any]) -> None:
        p = copy.deepcopy(position)
        self.phase: str = p["phase"]
        self.mover: int = p["mover"]
        self.turn: int = p["turn"]
        self.turn_limit: int = p["turn_limit"]
        self.result: int | str | None = p["result"]
        self.replenished: bool = p["replenished"]
        self.extra_turn: bool = p["extra_turn"]
        self.royal_due: bool = p["royal_due"]
        letters = [letter for row in p["board"] for letter in row.split()]
        self.board: dict[str, str] = {  # no entry for an empty cell
            cell: COLOR_OF_LETTER[letter] for cell, letter in zip(CELLS, letters, strict=True) if letter != "."
        }
        self.bag = Counter(p["bag"])
        self.pool: int = p["pool"]
        self.royals: list[int] = p["royals"]
        self.pyramid: dict[str, list[int | None]] = p["pyramid"]
        self.decks: dict[str, list[int]] = p["decks"]
        self.replenishes: int = p["replenishes"]
        self.players = [Player(given) for given in p["players"]]
        self.key: str | None = p.get("key")  # the luck of the core, passed on untouched
        pending = p.get("pending", {"place": 0, "card": None, "payment": {}})
        self.place: int = pending["place"]
        self.card: int | None = pending["card"]
        self.payment = Counter(pending["payment"])

    def copy(self) -> "Oracle":
        return Oracle(self.position())

    def position(self) -> dict[str, Any]:
        letters = [LETTER_OF_COLOR[self.board[cell]] if cell in self.board else "." for cell in CELLS]
        data: dict[str, Any] = {
            "game": "splendor_duel",
            "phase": self.phase,
            "mover": self.mover,
            "turn": self.turn,
            "turn_limit": self.turn_limit,
            "result": self.result,
            "replenished": self.replenished,
            "extra_turn": self.extra_turn,
            "royal_due": self.royal_due,
            "board": [" ".join(letters[first : first + 5]) for first in range(0, 25, 5)],
            "bag": without_zeros(self.bag),
            "pool": self.pool,
            "royals": sorted(self.royals),
            "pyramid": {level: list(cards) for level, cards in self.pyramid.items()},
            "decks": {level: list(cards) for level, cards in self.decks.items()},
            "replenishes": self.replenishes,
            "players": [player.to_dict() for player in self.players],
        }
        if self.phase not in ("main", "discard", "over"):
            data["pending"] = {"place": self.place, "card": self.card, "payment": without_zeros(self.payment)}
        if self.key is not None:
            data["key"] = self.key
        return data

    @property
    def me(self) -> Player:
        return self.players[self.mover]

    @property
    def opponent(self) -> Player:
        return self.players[1 - self.mover]

    # --- What is legal ---

    def legal(self) -> set[str]:
        if self.phase == "main":
            return self._legal_main()
        if self.phase == "gold":
            return {f"gold {cell}" for cell in self._cells_with("gold")}
        if self.phase == "payment":
            return self._legal_payments()
        if self.phase == "wild":
            return {f"wild {color}" for color, n in self.me.bonuses().items() if n}
        if self.phase == "match":
            return {f"match {self._named(cell)}" for cell in self._matching_cells()}
        if self.phase == "steal":
            return {f"steal {color}" for color in PLAIN if self.opponent.tokens[color]}
        if self.phase == "royal":
            return {f"royal {royal}" for royal in self.royals}
        if self.phase == "discard":
            return {f"discard {color}" for color in COLORS if self.me.tokens[color]}
        return set()

    def _legal_main(self) -> set[str]:
        found = {"take " + " ".join(map(self._named, line)) for line in LINES if all(map(self._is_plain, line))}
        if self._can_reserve():
            found |= {f"reserve {card}" for card in self._pyramid_cards()}
            found |= {f"reserve deck{level}" for level, deck in self.decks.items() if deck}
        found |= {f"buy {card}" for card in self._purchasable()}
        if not self.replenished:
            if self.bag.total():
                found.add("replenish")
            if self.me.privileges:
                found |= {f"privilege {self._named(cell)}" for cell in self._plain_cells() if self._may_pick(cell)}
        return found

    def _may_pick(self, cell: str) -> bool:
        """Whether some mandatory action would be left after a privilege on this cell [duel 11.1]."""
        if len(self._plain_cells()) > 1:
            return True
        after = self.copy()
        after._use_privilege(cell)
        if after._has_mandatory_action():
            return True
        # A replenish is forced if the bag holds anything; where the tokens then lie does not matter here.
        after.board.update(zip(after._empty_cells(), after.bag.elements(), strict=False))
        return after._has_mandatory_action()

    def _has_mandatory_action(self) -> bool:
        return bool(self._plain_cells()) or self._can_reserve() or bool(self._purchasable())

    def _can_reserve(self) -> bool:
        return bool(self._cells_with("gold")) and None in self.me.reserved and self.has_cards_left()

    def has_cards_left(self) -> bool:
        """Whether there is any card to reserve."""
        return bool(self._pyramid_cards()) or any(self.decks.values())

    def _purchasable(self) -> list[int]:
        own = [entry["card"] for entry in self.me.reserved if entry]
        return [card for card in self._pyramid_cards() + own if self.me.can_buy(card)]

    def _legal_payments(self) -> set[str]:
        found = {"pay done"}
        if self.payment["gold"] < self.me.tokens["gold"]:
            found |= {f"pay gold for {color}" for color in PLAIN if self.payment[color]}
        return found

    def _pyramid_cards(self) -> list[int]:
        return [card for cards in self.pyramid.values() for card in cards if card is not None]

    def _cells_with(self, color: str) -> list[str]:
        return [cell for cell, token in self.board.items() if token == color]

    def _matching_cells(self) -> list[str]:
        assert self.card is not None
        return self._cells_with(CARDS[self.card]["color"])

    def _is_plain(self, cell: str) -> bool:
        return self.board.get(cell, "gold") != "gold"

    def _plain_cells(self) -> list[str]:
        return [cell for cell in self.board if self._is_plain(cell)]

    def _empty_cells(self) -> list[str]:
        """Return the empty cells from the centre outwards."""
        return [cell for cell in SPIRAL if cell not in self.board]

    def _named(self, cell: str) -> str:
        return LETTER_OF_COLOR[self.board[cell]] + cell

    # --- Playing ---

    def play(self, text: str, laid: dict[str, str] | None = None) -> None:
        """Play a legal action, and the sub-choices after it that leave no choice.

        ``laid`` is the luck of a replenish, which the oracle does not know: the colour laid on each cell. ValueError
        if the action is not legal or the luck is impossible.
        """
        if text not in self.legal():
            raise ValueError(f"not legal: {text}")
        if text == "replenish":
            self._replenish(laid or {})
            return
        self._apply(text)
        while self.phase not in ("main", "over") and len(self.legal()) == 1:
            self._apply(self.legal().pop())

    def _apply(self, text: str) -> None:
        verb, *words = text.split()
        last = words[-1]
        if verb == "take":
            self._take([word[-2:] for word in words])
        elif verb == "privilege":
            self._use_privilege(last[-2:])
        elif verb == "reserve":
            self._reserve(last)
        elif verb == "gold":
            self._take_gold(last)
        elif verb == "buy":
            self._buy(int(last))
        elif verb == "pay":
            self._pay(last)
        elif verb == "wild":
            self._join(last)
        elif verb == "match":
            self._match(last[-2:])
        elif verb == "steal":
            self._steal(last)
        elif verb == "royal":
            self._take_royal(int(last))
        elif verb == "discard":
            self._discard(last)

    # Optional actions [duel 4].

    def _gain_privilege(self, seat: int) -> bool:
        """Give a seat a privilege, from the pool or else from the other seat; return whether it got one [duel 4.2]."""
        player, other = self.players[seat], self.players[1 - seat]
        if player.privileges == MAX_PRIVILEGES:
            return False
        if self.pool:
            self.pool -= 1
        elif other.privileges:
            other.privileges -= 1
            other.counters["privileges_lost"] += 1
        else:
            return False  # only when a position has fewer than three privileges in all
        player.privileges += 1
        player.counters["privileges_gained"] += 1
        return True

    def _pick_up(self, cell: str) -> str:
        color = self.board.pop(cell)
        self.me.tokens[color] += 1
        return color

    def _use_privilege(self, cell: str) -> None:
        self.me.privileges -= 1
        self.pool += 1
        self.me.counters["privileges_used"] += 1
        self._pick_up(cell)

    def _replenish(self, laid: dict[str, str]) -> None:
        cells = self._empty_cells()[: self.bag.total()]
        if set(laid) != set(cells):
            raise ValueError(f"the bag goes to {sorted(cells)}, not to {sorted(laid)}")
        if Counter(laid.values()) != self.bag:
            raise ValueError(f"the bag holds {self.bag}, laid were {Counter(laid.values())}")
        self.board.update(laid)
        self.bag = Counter()
        self.replenished = True
        self.replenishes += 1
        self.me.counters["replenishes"] += 1
        self._gain_privilege(1 - self.mover)

    # Mandatory actions [duel 5, 6, 7].

    def _take(self, cells: list[str]) -> None:
        taken = Counter(self._pick_up(cell) for cell in cells)
        self.me.counters[f"takes_{len(cells)}"] += 1
        if taken["pearl"] == 2 or 3 in taken.values():
            self.me.counters["takes_penalized"] += 1
            self._gain_privilege(1 - self.mover)
        self._finish_action()

    def _slot_of(self, card: int) -> int:
        slots = [entry for level in PYRAMID_SIZES for entry in self.pyramid[level]]
        return slots.index(card)

    def _reserve(self, what: str) -> None:
        self.place = FIRST_DECK_PLACE + int(what[-1]) - 1 if what.startswith("deck") else self._slot_of(int(what))
        self.phase = "gold"

    def _take_gold(self, cell: str) -> None:
        """Take the gold, then the card chosen before; only now is a hidden card seen."""
        self._pick_up(cell)
        from_deck = self.place >= FIRST_DECK_PLACE
        if from_deck:
            card = self.decks[str(self.place - FIRST_DECK_PLACE + 1)].pop(0)
            self.me.counters["reserves_from_deck"] += 1
        else:
            card = self._take_from_pyramid(self.place)
        self.me.counters[f"reserves_level_{CARDS[card]['level']}"] += 1
        self.me.reserved[self.me.reserved.index(None)] = {"card": card, "from_deck": from_deck}
        self._finish_action()

    def _take_from_pyramid(self, slot: int) -> int:
        """Take a pyramid card; its slot is refilled from the deck of its level, or stays empty."""
        for level, size in PYRAMID_SIZES.items():
            if slot < size:
                card, deck = self.pyramid[level][slot], self.decks[level]
                assert card is not None
                self.pyramid[level][slot] = deck.pop(0) if deck else None
                return card
            slot -= size
        raise AssertionError("no such slot")

    def _buy(self, card: int) -> None:
        own = [entry["card"] if entry else None for entry in self.me.reserved]
        self.card = card
        if card in own:
            self.place = FIRST_DECK_PLACE + own.index(card)
            self.me.reserved[own.index(card)] = {"card": card, "from_deck": False}  # named, so hidden no more
        else:
            self.place = self._slot_of(card)
        price, missing = self.me.price(card), self.me.missing(card)
        self.payment = Counter({color: price[color] - missing[color] for color in price})
        self.payment["gold"] = sum(missing.values())
        self.phase = "payment"

    def _pay(self, word: str) -> None:
        """Put one more gold in place of a token, or (``done``) pay and get the card."""
        if word != "done":
            self.payment[word] -= 1
            self.payment["gold"] += 1
            return
        assert self.card is not None
        self.me.tokens.subtract(self.payment)
        self.bag += self.payment
        self.me.counters["tokens_paid"] += self.payment.total() - self.payment["gold"]
        self.me.counters["gold_paid"] += self.payment["gold"]
        self.payment = Counter()
        if self.place >= FIRST_DECK_PLACE:
            self.me.reserved[self.place - FIRST_DECK_PLACE] = None
            self.me.counters["purchases_from_reserve"] += 1
        else:
            self._take_from_pyramid(self.place)
        crowns_before = self.me.crowns()
        self.me.cards.append(self.card)
        self.royal_due = any(crowns_before < threshold <= self.me.crowns() for threshold in (3, 6))  # [duel 9]
        if "wild" in CARDS[self.card]["abilities"]:
            self.phase = "wild"
        else:
            self._resolve(CARDS[self.card]["abilities"])

    # What follows a purchase [duel 8, 9].

    def _join(self, color: str) -> None:
        assert self.card is not None
        self.me.wild_colors[self.card] = color
        self._resolve(CARDS[self.card]["abilities"])

    def _resolve(self, abilities: list[str]) -> None:
        """Resolve the abilities of a card or royal (a wild's colour is chosen before), then go on with what is due."""
        for ability in abilities:
            if ability == "again":
                self.extra_turn = True
                self.me.counters["ability_again"] += 1
            elif ability == "privilege":
                self._gain_privilege(self.mover)
                self.me.counters["ability_privilege"] += 1
            elif ability == "take_matching" and self._matching_cells():
                self.phase = "match"
                return
            elif ability == "steal" and any(self.opponent.tokens[color] for color in PLAIN):
                self.phase = "steal"
                return
        self._royal_or_finish()

    def _match(self, cell: str) -> None:
        self._pick_up(cell)
        self.me.counters["ability_take_matching"] += 1
        self._royal_or_finish()

    def _steal(self, color: str) -> None:
        self.opponent.tokens[color] -= 1
        self.me.tokens[color] += 1
        self.me.counters["ability_steal"] += 1
        self._royal_or_finish()

    def _royal_or_finish(self) -> None:
        if self.royal_due and self.royals:
            self.phase = "royal"
        else:
            self._finish_action()

    def _take_royal(self, royal: int) -> None:
        self.royal_due = False
        self.royals.remove(royal)
        self.me.royals.append(royal)
        self._resolve(ROYALS[royal]["abilities"])

    # End of turn [duel 10].

    def _finish_action(self) -> None:
        if self.me.tokens.total() > HAND_LIMIT:
            self.phase = "discard"
        else:
            self._end_turn()

    def _discard(self, color: str) -> None:
        self.me.tokens[color] -= 1
        self.bag[color] += 1
        self.me.counters["discards"] += 1
        self._finish_action()

    def _end_turn(self) -> None:
        again, self.extra_turn, self.replenished, self.royal_due = self.extra_turn, False, False, False
        self.place, self.card = 0, None
        if self.me.ways_to_win():
            self.phase, self.result = "over", self.mover
        elif self.turn >= self.turn_limit:
            self.phase, self.result = "over", "turn_limit"
        else:
            self.phase = "main"
            self.turn += 1
            self.mover = self.mover if again else 1 - self.mover
            self.me.turns += 1

    def victory(self) -> tuple[str, tuple[str, ...]]:
        """Return how a finished game was won: the first way that holds, and all that hold."""
        if self.result == "turn_limit":
            return "turn_limit", ()
        ways = self.me.ways_to_win()
        return ways[0], tuple(ways)
