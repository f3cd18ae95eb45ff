"""Positions that play seldom reaches, drawn at random for tests: each family twists one part of the table."""

from random import Random
from typing import Any

from harness.games.game import State
from harness.games.splendor_duel import GAME
from tests.games.splendor_duel.oracle_facts import (
    CARDS,
    CELLS,
    COLORS,
    GEMS,
    LETTER_OF_COLOR,
    PYRAMID_SIZES,
    ROYALS,
    Player,
)

SUPPLY = [color for color in GEMS for _ in range(4)] + ["pearl"] * 2 + ["gold"] * 3
NO_ACTION = "no legal action"

FAMILIES: dict[str, dict[str, Any]] = {
    "any": {},
    "full hands": {"hands": (10, 10)},
    "empty decks": {"deck": (0, 0), "owned": (6, 12)},
    "short decks": {"deck": (0, 2), "holes": 0.3},
    "few tokens": {"lost": (8, 18), "hands": (0, 6)},
    "all privileges": {"privileges": (3, 0)},
    "all privileges of the other": {"privileges": (0, 3)},
    "nearly no plain tokens": {"plain_on_board": (0, 2), "hands": (7, 10), "privileges": (2, 1), "bag": (0, 2)},
    "last plain token": {
        "plain_on_board": (1, 1),
        "gold_on_board": (0, 1),
        "hands": (10, 10),
        "privileges": (2, 1),
        "bag": (0, 1),
        "reserved": (3, 3),
        "owned": (0, 2),
        "holes": 0.6,
        "deck": (0, 0),
        "lost": (3, 3),
        "level_3": True,
    },
    "only gold on the board": {"plain_on_board": (0, 0), "gold_on_board": (1, 3), "reserved": (2, 3), "hands": (5, 9)},
    "three reserved": {"reserved": (3, 3)},
    "gold in hand": {"gold_in_hand": 3, "hands": (8, 10), "owned": (8, 14)},
    "no privileges": {"privileges": (0, 0)},
    "no royals": {"royals": False, "owned": (1, 4), "crowned": True, "hands": (8, 10), "gold_in_hand": 2},
    "late": {"owned": (12, 18), "hands": (6, 10)},
    "many crowns": {"owned": (5, 9), "crowned": True, "hands": (8, 10), "gold_in_hand": 2},
    "turn limit near": {"turn": (395, 400), "turn_limit": 400, "owned": (4, 10)},
}


def odd_state(family: str, rng: Random) -> State:
    """Return a playable position of a family."""
    for _ in range(200):
        data = _position(rng, **FAMILIES[family])
        try:
            return GAME.from_dict(data)
        except ValueError as error:
            if NO_ACTION not in str(error):
                raise
    raise AssertionError(f"no playable position of the family {family!r} in 200 tries")


def _position(
    rng: Random,
    *,
    hands: tuple[int, int] = (2, 10),
    gold_in_hand: int = 0,
    lost: tuple[int, int] = (0, 0),
    bag: tuple[int, int] = (0, 25),
    plain_on_board: tuple[int, int] | None = None,
    gold_on_board: tuple[int, int] = (0, 3),
    privileges: tuple[int, int] | None = None,
    royals: bool = True,
    owned: tuple[int, int] = (2, 12),
    crowned: bool = False,
    reserved: tuple[int, int] = (0, 3),
    deck: tuple[int, int] = (0, 25),
    holes: float = 0.0,
    level_3: bool = False,
    turn: tuple[int, int] = (1, 80),
    turn_limit: int | None = None,
) -> dict[str, Any]:
    """Pairs are smallest and largest numbers, per seat where a seat is meant; ``holes`` is the share of empty slots."""
    cards = {level: [card for card in CARDS if CARDS[card]["level"] == level] for level in PYRAMID_SIZES}
    for pile in cards.values():
        rng.shuffle(pile)
    if level_3:  # hard to buy: the low levels are not in the game
        cards["1"], cards["2"] = cards["1"][:4], cards["2"][:2]
    mover = rng.randrange(2)
    players = [_cards_of_a_player(rng, cards, owned, crowned) for _ in range(2)]
    for player in players:
        player["reserved"] = [
            {"card": card, "from_deck": rng.random() < 0.5} for card in _draw(rng, cards, rng.randint(*reserved))
        ]
    if royals:
        _deal_royals(rng, players)
    pyramid = {
        level: [cards[level].pop() if cards[level] and rng.random() >= holes else None for _ in range(size)]
        for level, size in PYRAMID_SIZES.items()
    }
    tokens = list(SUPPLY)
    rng.shuffle(tokens)
    for _ in range(gold_in_hand):
        tokens.remove("gold")
    players[mover]["tokens"] = _counted(["gold"] * gold_in_hand + _pop(tokens, rng.randint(*hands) - gold_in_hand))
    players[1 - mover]["tokens"] = _counted(_pop(tokens, rng.randint(*hands)))
    _pop(tokens, rng.randint(*lost))
    bagged, board = _split(rng, tokens, bag, plain_on_board, gold_on_board)
    _deal_privileges(rng, players, privileges, mover)
    now = rng.randint(*turn)
    data = {
        "mover": mover,
        "turn": now,
        "turn_limit": turn_limit or now + 120,  # with few tokens many a game would go on for ever
        "board": board,
        "bag": bagged,
        "pyramid": pyramid,
        "decks": {level: pile[: rng.randint(*deck)] for level, pile in cards.items()},
        "players": players,
        "key": f"{rng.getrandbits(96):024x}",
    }
    if not royals:
        data["royals"] = []
    return data


def _pop(items: list[Any], n: int) -> list[Any]:
    return [items.pop() for _ in range(min(n, len(items)))]


def _counted(colors: list[str]) -> dict[str, int]:
    return {color: colors.count(color) for color in COLORS if color in colors}


def _draw(rng: Random, cards: dict[str, list[int]], n: int) -> list[int]:
    return [cards[level].pop() for level in rng.choices(list(cards), k=n) if cards[level]]


def _cards_of_a_player(
    rng: Random, cards: dict[str, list[int]], owned: tuple[int, int], crowned: bool
) -> dict[str, Any]:
    """Own as many cards as asked that do not win the game; a wild card only on a colour that is there."""
    data: dict[str, Any] = {"tokens": {}, "privileges": 0, "cards": [], "wild_colors": {}, "royals": []}
    data |= {"reserved": [], "turns": 0, "counters": {}}
    wanted = rng.randint(*owned)
    pool = [card for pile in cards.values() for card in pile]
    rng.shuffle(pool)
    if crowned:
        pool.sort(key=lambda card: CARDS[card]["crowns"] == 0)
    for card in pool:
        if len(data["cards"]) == wanted:
            break
        bonuses = Player(data).bonuses()
        data["cards"].append(card)
        if "wild" in CARDS[card]["abilities"] and bonuses:
            data["wild_colors"][str(card)] = rng.choice(sorted(bonuses))
        player = Player(data)
        misses_color = "wild" in CARDS[card]["abilities"] and not bonuses
        if (
            misses_color or player.points() > 17 or player.ways_to_win()
        ):  # a royal may still bring 3 points... and no win
            data["cards"].remove(card)
            data["wild_colors"].pop(str(card), None)
        else:
            cards[CARDS[card]["level"]].remove(card)
    return data


def _deal_royals(rng: Random, players: list[dict[str, Any]]) -> None:
    """As many royals as the crowns have brought, as far as they do not win."""
    left = list(ROYALS)
    rng.shuffle(left)
    for data in players:
        for threshold in (3, 6):
            if Player(data).crowns() >= threshold and Player(data).points() + ROYALS[left[-1]]["points"] < 20:
                data["royals"].append(left.pop())


def _deal_privileges(
    rng: Random, players: list[dict[str, Any]], privileges: tuple[int, int] | None, mover: int
) -> None:
    own = rng.randint(0, 3) if privileges is None else privileges[0]
    players[mover]["privileges"] = own
    players[1 - mover]["privileges"] = rng.randint(0, 3 - own) if privileges is None else privileges[1]


def _split(
    rng: Random, tokens: list[str], bag: tuple[int, int], plain: tuple[int, int] | None, gold: tuple[int, int]
) -> tuple[dict[str, int], list[str]]:
    """Split tokens into the bag and the rows of the board; what fits in neither is lost."""
    bagged = _pop(tokens, rng.randint(bag[0], min(bag[1], len(tokens))))
    if plain is not None:
        kept_plain = [token for token in tokens if token != "gold"][: rng.randint(*plain)]
        kept_gold = [token for token in tokens if token == "gold"][: rng.randint(*gold)]
        tokens = kept_plain + kept_gold
    cells = [LETTER_OF_COLOR[token] for token in tokens] + ["."] * (len(CELLS) - len(tokens))
    rng.shuffle(cells)
    return _counted(bagged), [" ".join(cells[first : first + 5]) for first in range(0, 25, 5)]
