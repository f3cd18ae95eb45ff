"""Rule cases: setup (S), privileges (P), replenish (F). Each test is named after its case."""

from harness.games.splendor_duel import GAME
from harness.games.splendor_duel import tables as tb
from tests.games.splendor_duel.positions import (
    CELLS,
    SPIRAL,
    allows,
    bonuses,
    changes,
    deck,
    facts,
    kinds,
    legal,
    play,
    player,
    position,
    random_positions,
)

NEW_GAMES = [GAME.new(2, seed, GAME.options()) for seed in (0, 1, 7, 2026, 2**40 + 5, 2**96 - 1, 2**127)]
EVERY_LETTER = sorted(letter for letter, n in zip(tb.LETTERS, (4, 4, 4, 4, 4, 2, 3), strict=True) for _ in range(n))
EVERY_CELL = "Wc3 Wc4 Wb4 Wb3 Ub2 Uc2 Ud2 Ud3 Gd4 Gd5 Gc5 Gb5 Ra5 Ra4 Ra3 Ra2 Ka1 Kb1 Kc1 Kd1 Pe1 Pe2 Aue3 Aue4 Aue5"
MANDATORY = ("take", "reserve", "buy")
TOO_DEAR = [51, 52, 53, 56, 62, 64]  # nobody in these positions can buy one


# --- Setup ---


def test_S1_all_25_tokens_lie_on_the_board():
    for state in NEW_GAMES:
        data = GAME.to_dict(state)
        assert sorted(" ".join(data["board"]).split()) == EVERY_LETTER
        assert data["bag"] == {}
        assert all(own["tokens"] == {} and own["cards"] == [] for own in data["players"])
        assert bonuses(state, 0) == bonuses(state, 1) == "-"


def test_S2_pyramid_decks_and_royals():
    for state in NEW_GAMES:
        data = GAME.to_dict(state)
        assert [len(data["pyramid"][level]) for level in "123"] == [5, 4, 3]
        assert [len(data["decks"][level]) for level in "123"] == [25, 20, 10]
        assert data["royals"] == [1, 2, 3, 4]
        for level, first, last in (("1", 1, 30), ("2", 31, 54), ("3", 55, 67)):
            cards = data["pyramid"][level] + data["decks"][level]
            assert sorted(cards) == list(range(first, last + 1))


def test_S3_the_second_player_has_a_scroll():
    for state in NEW_GAMES:
        data = GAME.to_dict(state)
        assert (data["mover"], data["pool"]) == (0, 2)
        assert [own["privileges"] for own in data["players"]] == [0, 1]


def test_S4_no_replenish_in_the_first_turn():
    for state in NEW_GAMES:
        assert not allows(state, "replenish")
        assert kinds(state) == {"take", "reserve"}  # no scroll, and nothing can be paid yet


def _bag_draws(key: int, event: int, bag: list[str]) -> list[str]:
    """The keyed luck of the bag, written again: sfc32 from three key words and an event, then one draw a token.

    A draw is an index into the bag sorted by colour, taken as the high half of a 32-bit number times the bag's size.
    """

    def turn_left(x: int, n: int) -> int:
        return ((x << n) | (x >> (32 - n))) % 2**32

    words = [key % 2**32, key // 2**32 % 2**32, key // 2**64, event]
    drawn = []
    rounds = 0
    while bag:
        a, b, c, counter = words
        number = (a + b + counter) % 2**32
        words = [b ^ (b >> 9), (c + 8 * c) % 2**32, (turn_left(c, 21) + number) % 2**32, (counter + 1) % 2**32]
        rounds += 1
        if rounds > 16:  # the first sixteen only mix
            drawn.append(bag.pop(number * len(bag) // 2**32))
    return drawn


def test_S5_tokens_follow_the_spiral():
    bag_event = 65_536  # plus the number of the replenish; 0 is the deal
    for seed in (0, 3, 2026, 2**70 + 11):
        bag = [letter for n, letter in zip(tb.TOKEN_SUPPLY, tb.LETTERS, strict=True) for _ in range(n)]
        state = GAME.new(2, seed, GAME.options())
        shuffled = _bag_draws(int(GAME.to_dict(state)["key"], 16), bag_event, bag)
        board = facts(state)
        named = {1: (2, 2), 2: (3, 2), 3: (3, 1), 9: (3, 3), 10: (4, 3), 17: (0, 0), 25: (4, 4)}
        for order, (row, column) in named.items():
            assert board["abcde"[column] + str(row + 1)] == shuffled[order - 1]
        assert [board[cell] for cell in SPIRAL] == shuffled


def test_S5_every_replenish_has_a_luck_of_its_own():
    laid = set()
    for done in range(8):
        before = position("We5", bag="4U 4G 2R 1P 2Au", key="0123456789abcdef00c0ffee", replenishes=done)
        board = facts(play(before, "replenish"))
        shuffled = _bag_draws(0x0123456789ABCDEF00C0FFEE, 65_536 + done + 1, [*"UUUUGGGGRRP", "Au", "Au"])
        assert [board[cell] for cell in SPIRAL[:13]] == shuffled
        laid.add(tuple(shuffled))
    assert len(laid) == 8


def test_S6_the_second_players_first_turn():
    cell = "c3"
    board = EVERY_CELL.replace("Wc3", "Kc3").replace("Ka1", "Wa1")
    before = position(board, player(), player(scrolls=1), pyramid=[6, 1, 2, 3, 4], mover=1)
    after = play(before, f"privilege {cell}", "reserve 6", "gold e4")
    new = deck(before, 1)[0]
    assert changes(before, after) == {
        "c3": ".",
        "e4": ".",
        "B.tokens": "1K 1Au",
        "B.reserved": [6, None, None],
        "B.scrolls": 0,
        "pool": 3,
        "pyramid.1.0": new,
        "deck1": 24,
        "mover": "A",
    }


def test_S6_in_a_dealt_game():
    for game in NEW_GAMES:
        board = facts(game)
        single = next(cell for cell in CELLS if board[cell] not in ("Au", "K"))
        black = next(cell for cell in CELLS if board[cell] == "K")
        gold = next(cell for cell in CELLS if board[cell] == "Au")
        state = play(game, f"take {single}", f"privilege {black}", f"reserve {board['pyramid.1.2']}", f"gold {gold}")
        after = facts(state)
        assert (after["B.tokens"], after["B.scrolls"], after["pool"]) == ("1K 1Au", 0, 3)
        assert after["B.reserved"] == [board["pyramid.1.2"], None, None]
        assert after["mover"] == "A"


# --- Privileges ---


def test_P2_no_privilege_on_gold():
    state = position("Aub2 Wc3", player(scrolls=1))
    assert not allows(state, "privilege b2")
    assert legal(state, "privilege") == {"privilege Wc3"}


def test_P3_no_privilege_on_an_empty_cell():
    state = position("Wc3 Pa1", player(scrolls=1))
    assert not allows(state, "privilege b2")
    assert legal(state, "privilege") == {"privilege Wc3", "privilege Pa1"}


def test_P4_no_privilege_after_replenish():
    before = position("Wa1 Ka5", player(scrolls=1), player("2G"), bag="1U 1R")
    assert allows(before, "privilege a1")
    state = play(before, "replenish")
    assert legal(state, "privilege") == set()
    assert facts(state)["A.scrolls"] == 1
    later = play(state, "take a1", "take a5")  # one turn each
    assert facts(later)["mover"] == "A"
    assert facts(later)["A.scrolls"] == 1
    assert legal(later, "privilege")


def test_P5_no_privilege_after_the_mandatory_action():
    board = "Wa1 Wb1 Uc1 Ke5 Pe1 Aud4 Aue4"
    taken = play(position(board, player(scrolls=1)), "take a1 b1 c1")
    assert facts(taken)["mover"] == "B"
    assert legal(taken, "privilege") == set()  # B has none of its own
    discarding = play(position(board, player("4G 4R", scrolls=1)), "take a1 b1 c1")
    assert kinds(discarding) == {"discard"}
    choosing_gold = play(position(board, player(scrolls=1), pyramid=[1]), "reserve 1")
    assert kinds(choosing_gold) == {"gold"}


def test_P8_a_fourth_scroll_is_no_scroll():
    before = position("Aua1", b=player(scrolls=3), bag="1W 1P")
    after = play(before, "replenish")
    assert {facts(after)["c3"], facts(after)["c4"]} == {"W", "P"}
    left = changes(before, after)
    assert {left.pop("c3"), left.pop("c4")} == {"W", "P"}
    assert left == {"bag": "-", "replenished": True}


def test_P11_a_privilege_card_with_three_scrolls():
    before = position("Ga1", player("4W 2K 1P", scrolls=3), pyramid=[33])
    after = play(before, "buy 33")
    assert changes(before, after) == {
        "A.tokens": "-",
        "bag": "4W 2K 1P",
        "A.cards": [33],
        "A.points": 2,
        "A.points_white": 2,
        "A.bonuses": "1W",
        "pyramid.2.0": deck(before, 2)[0],
        "deck2": 22,
        "mover": "B",
    }


def test_P13_no_privilege_when_only_gold_is_left():
    state = position("Aua1 Aub1 Auc1", player(scrolls=2), pyramid=TOO_DEAR)
    assert kinds(state) == {"reserve"}


# --- Replenish ---


def test_F3_the_second_replenish_also_starts_at_the_centre():
    before = position("Uc3 Gc4 Kd2", player("4W 4R 2P"), bag="1U 1G")
    first = play(before, "replenish")
    assert {facts(first)[cell] for cell in ("b4", "b3")} == {"U", "G"}  # the third and fourth cell of the spiral
    taken = play(first, "take c3", "discard red")
    second = play(taken, "replenish")  # B's turn: the fifth cell would be next, but the centre is empty
    assert changes(taken, second) == {"c3": "R", "bag": "-", "replenished": True, "A.scrolls": 1, "pool": 1}


def test_F4_replenish_with_one_token_in_the_bag():
    before = position(EVERY_CELL.replace("Ub2 ", ""), player(cards=[62, 16, 18]), bag="1U", pyramid=[12])
    assert kinds(before) == {"take", "replenish", "reserve", "buy"}
    after = play(before, "replenish")
    assert changes(before, after) == {"b2": "U", "bag": "-", "B.scrolls": 1, "pool": 2, "replenished": True}
    assert kinds(after) == {"take", "reserve", "buy"}


def test_F5_nine_tokens_and_one_scroll():
    before = position("Wa1 Ue5 Gc3", player("4K"), bag="3W 2U 1G 1R 2Au")
    after = play(before, "replenish")
    nine = [cell for cell in SPIRAL if cell != "c3"][:9]
    laid = changes(before, after)
    assert " ".join(sorted(laid.pop(cell) for cell in nine)) == "Au Au G R U U W W W"
    assert laid == {"bag": "-", "B.scrolls": 1, "pool": 2, "replenished": True}


def test_F6_no_second_replenish():
    after = play(position("Wa1", bag="1W 2K"), "replenish")
    assert facts(after)["bag"] == "-"
    assert not allows(after, "replenish")
    assert facts(play(after, "take a1"))["replenished"] is False  # B's turn begins anew


def test_F7_forced_replenish():
    before = position("", player("4G 4R 2P", scrolls=2), player("3W 3K 1Au"), bag="1W 4U 1K 2Au", pyramid=TOO_DEAR)
    assert legal(before) == {"replenish"}
    after = play(before, "replenish")
    laid = changes(before, after)
    assert " ".join(sorted(laid.pop(cell) for cell in SPIRAL[:8])) == "Au Au K U U U U W"
    assert laid == {"bag": "-", "B.scrolls": 1, "pool": 0, "replenished": True}
    # No scrolls now, and all three mandatory actions; but this A still has nothing to pay for a card with.
    assert kinds(after) == {"take", "reserve"}


def test_F7_the_scroll_comes_from_A_when_the_pool_is_empty():
    before = position("", player("4G 4R", scrolls=2), player(scrolls=1), bag="4U 1K", pyramid=TOO_DEAR)
    assert legal(before) == {"replenish"}
    after = facts(play(before, "replenish"))
    assert (after["A.scrolls"], after["B.scrolls"], after["pool"]) == (1, 2, 0)


def test_F8_reserving_keeps_replenish_from_being_forced():
    state = position("Aua1 Auc3", player(reserved=[58, 59], scrolls=1), bag="2W 1K", pyramid=[51, 52, 53, 62])
    assert kinds(state) == {"reserve", "replenish"}


def test_F9_replenish_is_forced_with_three_reserved():
    state = position("Aua1 Auc3", player(reserved=[58, 59, 60], scrolls=1), bag="2W 1K", pyramid=[51, 52, 53, 62])
    assert legal(state) == {"replenish"}


F13 = {
    "board": "Auc3 Aud3 Aue3 Ra1 Ge5",
    "a": player("4W 4K 2P", scrolls=2, reserved=[58, 59, 60]),
    "b": player("4U 3G 3R", scrolls=1),
    "pyramid": [1, 2, 3, 4, 5, 31, 32, 34, 35, 55, 56, 57],
}


def test_F13_the_last_plain_token_is_not_for_a_privilege():
    before = position(**F13)
    assert legal(before) == {"privilege Ra1", "privilege Ge5", "take Ra1", "take Ge5"}
    first = play(before, "privilege a1")
    assert changes(before, first) == {"a1": ".", "A.tokens": "4W 1R 4K 2P", "A.scrolls": 1, "pool": 1}
    assert not allows(first, "privilege e5")
    assert legal(first) == {"take Ge5"}
    for text, cell, now in (("take a1", "a1", "4W 1R 4K 2P"), ("take e5", "e5", "4W 1G 4K 2P")):
        taken = play(before, text)
        assert changes(before, taken) == {cell: ".", "A.tokens": now, "phase": "discard"}


def test_F14_every_turn_offers_a_mandatory_action():
    turns = 0
    for game in random_positions(200):
        last_turn = 0
        for state in game[:-1]:
            if GAME.turns(state) == last_turn:
                continue
            last_turn = GAME.turns(state)
            turns += 1
            data = GAME.to_dict(state)
            left = " ".join(data["board"]).replace(".", "").split()
            left += [color for color, n in data["bag"].items() for _ in range(n)]
            assert len(left) >= 5
            assert sum(token not in ("Au", "gold") for token in left) >= 2
            if not any(GAME.action_text(state, action).startswith(MANDATORY) for action in GAME.legal_actions(state)):
                assert legal(state) == {"replenish"}
                assert kinds(play(state, "replenish")) & {"take", "reserve", "buy"}
    assert turns > 15_000
