"""Beyond the cases: discards, victory, decisions, what cannot happen, the cards. Named after sections of the rules."""

from collections import Counter
from itertools import product

import pytest

from harness.games.splendor_duel import GAME
from harness.games.splendor_duel import tables as tb
from tests.games.splendor_duel.positions import (
    allows,
    cost,
    ends,
    facts,
    held,
    kinds,
    legal,
    play,
    player,
    position,
    random_positions,
    tokens,
    tokens_text,
)

# --- 10: end of turn and victory ---


@pytest.mark.parametrize(
    "hand", ["3W 3U 3G 2Au", "4W 4U 4G 1P", "2W 2U 2G 2R 2K 2P 1Au", "4R 4K 1P 3Au", "4W 4U 4G 4R"]
)
def test_rule_10_every_hand_of_ten_can_be_kept(hand):
    start = tokens(hand)
    spare = sum(start.values()) - 10
    # From the position before the last take: three tokens of the hand still lie on the board.
    state = position("Ke5" if start.get("black", 0) < 4 else "We5", player(hand), phase="discard")
    brute = {
        tokens_text(dict(zip(start, kept, strict=True)))
        for kept in product(*(range(n + 1) for n in start.values()))
        if sum(kept) == 10
    }
    after = list(ends(state, "discard"))
    assert {facts(s)["A.tokens"] for s in after} == brute
    for s in after:
        assert Counter(tokens(facts(s)["bag"])) == Counter(start) - Counter(held(s, 0))
        assert sum(tokens(facts(s)["bag"]).values()) == spare


@pytest.mark.parametrize(
    ("cards", "royals", "kind", "flags"),
    [
        ([33, 54, 57, 58, 60, 64], [], "points", ("points",)),
        ([54, 56, 58, 60, 62, 64], [], "points", ("points",)),
        ([33, 55, 56, 31], [], "color", ("color",)),
        ([55, 57, 59, 61, 2, 7], [1, 4], "crowns", ("crowns",)),
        ([55, 57, 59, 61, 63], [1, 4], "crowns", ("crowns", "points")),
        ([55, 57, 59, 61, 63, 56, 33, 31], [1, 4], "color", ("color", "crowns", "points")),
    ],
)
def test_rule_10_the_first_of_color_crowns_points_and_all_that_hold(cards, royals, kind, flags):
    # Whatever the mandatory action was, the end of the turn is where victory is judged.
    before = position("Ka1 Kb1 Aub2", player(cards=cards, royals=royals))
    for action in ("take a1", "reserve deck1"):
        after = play(before, action)
        assert GAME.victory(after) == (kind, flags)
        assert GAME.ranks(after) == (1, 2)


def test_rule_10_the_second_seat_wins_too():
    before = position("Ka1", b=player("3R", cards=[33, 57, 60, 62, 64]), pyramid=[12], mover=1)
    after = play(before, "buy 12", "royal 4")
    assert GAME.ranks(after) == (2, 1)
    assert GAME.victory(after) == ("points", ("points",))


def test_rule_10_wilds_count_for_their_colour_and_royals_for_none():
    owned = player(cards=[55, 56, 33, 26], wilds={26: "white"})
    assert GAME.victory(play(position("Ka1", owned), "take a1")) == ("color", ("color",))
    laid_elsewhere = player(cards=[55, 56, 33, 6, 26], wilds={26: "blue"})
    assert GAME.legal_actions(play(position("Ka1 Kb1", laid_elsewhere), "take a1"))
    with_royals = player(cards=[55, 56, 33, 2], royals=[4])
    assert GAME.legal_actions(play(position("Ka1 Kb1", with_royals), "take a1"))


def test_rule_10_only_the_mover_is_judged():
    before = position("Ka1 Kb1", b=player(cards=[54, 56, 58, 60, 62, 64]))
    assert GAME.legal_actions(play(before, "take a1"))


# --- 11: decisions ---


def test_rule_11_3_a_win_in_the_last_turn_is_a_win_and_an_extra_turn_is_not_played():
    winning = position("Ka1 Kb1", player("3R", cards=[33, 57, 60, 62, 64]), pyramid=[12, 3], turn=50, turn_limit=50)
    assert GAME.victory(play(winning, "buy 12", "royal 4")) == ("points", ("points",))
    again = play(position("Ka1", player("2U 2G 1P"), pyramid=[3], turn=50, turn_limit=50), "buy 3")
    assert GAME.victory(again) == ("turn_limit", ())
    assert GAME.ranks(again) == (1, 1)
    before_the_last = play(position("Ka1", player("2U 2G 1P"), pyramid=[3], turn=49, turn_limit=50), "buy 3")
    assert facts(before_the_last)["mover"] == "A"
    assert GAME.legal_actions(before_the_last)


def test_rule_11_1_a_privilege_for_the_last_token_is_legal_when_something_stays_possible():
    board, b = "Ra1", player("4U 3G")
    stuck = player("4W 4K 2P", scrolls=1, reserved=[58, 59, 60])
    pyramid = [1, 31, 55]
    assert not allows(position(board, stuck, b, pyramid=pyramid), "privilege a1")
    # A plain token in the bag: the forced replenish brings it.
    bag = position(board, stuck, b, pyramid=pyramid, bag="1G")
    assert legal(play(bag, "privilege a1")) == {"replenish"}
    # A free place and gold, on the board or in the bag.
    free = player("4W 4K 2P", scrolls=1, reserved=[58, 59])
    assert kinds(play(position(board + " Aub1", free, b, pyramid=pyramid), "privilege a1")) == {"reserve"}
    gold_in_bag = play(position(board, free, b, pyramid=pyramid, bag="1Au"), "privilege a1")
    assert legal(gold_in_bag) == {"replenish"}
    assert kinds(play(gold_in_bag, "replenish")) == {"reserve"}
    # A card that can be bought, if only thanks to the token itself.
    helped = player("4W 4K 2P", cards=[4, 6, 11, 16, 18], scrolls=1, reserved=[12, 59, 60])
    before = position(board, helped, b, pyramid=[31, 55])
    assert not allows(before, "buy 12")
    assert legal(play(before, "privilege a1")) == {"buy 12"}
    # Gold in the bag is no help to a player with three reserved cards.
    assert not allows(position(board, stuck, b, pyramid=pyramid, bag="3Au"), "privilege a1")


def test_rule_11_1_in_random_play_there_is_always_a_mandatory_action():
    for game in random_positions(200):
        for state in game[:-1]:
            assert GAME.legal_actions(state)


def test_rule_11_4_a_view_hides_the_decks_the_luck_and_the_others_blind_cards():
    for game in random_positions(30):
        for state in game[::11]:
            full = GAME.to_dict(state)
            for seat in (0, 1):
                seen = GAME.to_dict(GAME.view(state, seat))
                assert "key" not in seen
                assert all(seen["decks"][level] in ([], len(cards)) for level, cards in full["decks"].items())
                for other, (own, shown) in enumerate(zip(full["players"], seen["players"], strict=True)):
                    for entry, known in zip(own["reserved"], shown["reserved"], strict=True):
                        if entry and entry["from_deck"] and other != seat:
                            assert known == {"level": int(tb.CARD_LEVEL[entry["card"]]) + 1, "from_deck": True}
                        else:
                            assert known == entry
                same = [key for key in full if key not in ("key", "decks", "players")]
                assert {key: full[key] for key in same} == {key: seen[key] for key in same}


# --- 12, 13: what cannot happen; the cards ---


def test_rule_12_totals_at_every_step():
    for game in random_positions(100):
        for state in game[::7]:
            data = GAME.to_dict(state)
            on_board = sum(cell != "." for cell in " ".join(data["board"]).split())
            hands = [sum(own["tokens"].values()) for own in data["players"]]
            assert on_board + sum(data["bag"].values()) + sum(hands) == 25
            assert data["pool"] + sum(own["privileges"] for own in data["players"]) == 3
            cards = [card for row in data["pyramid"].values() for card in row if card]
            cards += [card for pile in data["decks"].values() for card in pile]
            for own in data["players"]:
                cards += own["cards"] + [entry["card"] for entry in own["reserved"] if entry]
            assert sorted(cards) == list(range(1, 68))
            royals = data["royals"] + data["players"][0]["royals"] + data["players"][1]["royals"]
            assert sorted(royals) == [1, 2, 3, 4]
            assert hands[1 - data["mover"]] <= 10
            assert max(hands) <= 16
            if data["replenished"] and data["phase"] == "main":
                assert data["bag"] == {}


REGULAR = """
1 Z1X1V1B1    1 0 0 none
1 V3          1 0 1 none
1 V2B2P1      1 0 0 again
1 Z2X2        1 0 0 take_matching
1 Z3B2        1 1 0 none
2 Z2X2B2P1    1 2 1 none
2 V4Z3        1 1 0 steal
2 C4X2P1      1 2 0 privilege
2 V5B2        2 1 0 none
3 Z5X3V3P1    1 3 2 none
3 C6X2V2      1 4 0 none
"""


def test_rule_13_every_colour_has_the_same_eleven_cards():
    ring = ["white", "blue", "green", "red", "black"]
    for place, color in enumerate(ring):
        names = {"C": color, "P": "pearl"}
        names |= {letter: ring[(place + step) % 5] for letter, step in (("V", 1), ("B", 2), ("X", -1), ("Z", -2))}
        expected = Counter()
        for line in REGULAR.strip().splitlines():
            level, printed, *rest = line.split()
            prices = {names[printed[i]]: int(printed[i + 1]) for i in range(0, len(printed), 2)}
            expected[(level, tokens_text(prices), *rest)] += 1
        found = Counter(
            (
                str(int(tb.CARD_LEVEL[card]) + 1),
                tokens_text(cost(card)),
                str(int(tb.CARD_BONUS_COUNT[card])),
                str(int(tb.CARD_POINTS[card])),
                str(int(tb.CARD_CROWNS[card])),
                tb.ABILITY_NAMES[int(tb.CARD_ABILITY[card])],
            )
            for card in range(1, 68)
            if tb.CARD_BONUS[card] == tb.COLORS.index(color)
        )
        assert found == expected


def test_rule_13_totals():
    cards = range(1, 68)

    def total(column, chosen) -> list[int]:
        return [sum(int(column[card]) for card in group) for group in chosen]

    by_level = [[card for card in cards if tb.CARD_LEVEL[card] == level] for level in range(3)]
    by_color = [[card for card in cards if tb.CARD_BONUS[card] == color] for color in range(5)]
    wild = [card for card in cards if card in tb.WILD_CARDS]
    colorless = [30, 54, 67]
    assert total(tb.CARD_POINTS, by_level) == [11, 37, 44]
    assert total(tb.CARD_POINTS, [*by_color, wild, colorless]) == [14, 14, 14, 14, 14, 8, 14]
    assert total(tb.CARD_CROWNS, by_level) == [6, 9, 13]
    assert total(tb.CARD_CROWNS, [*by_color, wild, colorless]) == [4, 4, 4, 4, 4, 8, 0]
    assert Counter(int(tb.CARD_CROWNS[card]) for card in cards) == {0: 48, 1: 11, 2: 7, 3: 1}
    assert total(tb.CARD_BONUS_COUNT, by_color) == [12] * 5
    assert [len(group) for group in by_color] == [11] * 5
    assert Counter(tb.ABILITY_NAMES[int(tb.CARD_ABILITY[card])] for card in cards) == {
        "none": 38,
        "wild": 8,
        "again": 5,
        "take_matching": 5,
        "steal": 5,
        "privilege": 5,
        "wild+again": 1,
    }
    assert sorted(sum(cost(card).values()) for card in wild) == [5, 5, 6, 6, 7, 7, 7, 8, 8]
    assert all(cost(card)["pearl"] <= 1 for card in cards)
