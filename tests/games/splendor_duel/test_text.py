"""Notation and picture: what is printed can be typed back, in every phase, by anyone who sees the position."""

import re

import pytest

from harness.games.splendor_duel import GAME
from harness.games.splendor_duel import tables as tb
from tests.games.splendor_duel.positions import legal, play, player, position, random_positions

PHASES = {"main", "gold", "payment", "wild", "match", "steal", "royal", "discard"}
LAST_WORD = re.compile(f"({'|'.join(tb.COLORS)})$")
LETTER_OF = dict(zip(tb.COLORS, tb.LETTERS, strict=True))


def some_states():
    """Positions of every phase, each with its phase and a number."""
    counts = dict.fromkeys(PHASES, 0)
    for state in (state for game in random_positions(100) for state in game[:-1]):
        phase = GAME.to_dict(state)["phase"]
        counts[phase] += 1
        if counts[phase] <= 60:
            yield phase, state
    assert min(counts.values()) > 20


def test_every_legal_action_is_read_back():
    for _, state in some_states():
        actions = GAME.legal_actions(state)
        texts = [GAME.action_text(state, action) for action in actions]
        assert len(set(texts)) == len(texts)
        view = GAME.view(state, GAME.seat(state))
        for action, text in zip(actions, texts, strict=True):
            assert GAME.parse_action(state, text) == action
            assert GAME.action_text(view, action) == text
            assert GAME.parse_action(view, text) == action


def test_reading_is_tolerant():
    for _, state in some_states():
        for action in GAME.legal_actions(state)[::4]:
            text = GAME.action_text(state, action)
            bare = re.sub(r"\b(?:Au|[WUGRKP])([a-e][1-5])\b", r"\1", text)
            by_letter = LAST_WORD.sub(lambda match: LETTER_OF[match[0]], text)
            spaced = "  " + text.replace(" ", "   ") + "\n"
            for variant in (bare, by_letter, text.upper(), text.lower(), by_letter.lower(), spaced):
                assert GAME.parse_action(state, variant) == action, variant
            words = text.split()
            if words[0] == "take":
                assert GAME.parse_action(state, " ".join(["take", *reversed(words[1:])])) == action


def test_notation_of_each_kind():
    everything = position(
        "Wa1 Ub1 Gc1 Auc3 Aud3",
        player("3R 1Au", scrolls=1, reserved=[30, 17]),
        bag="1K",
        pyramid=[12, 31, 55],
    )
    assert legal(everything) == {
        "take Wa1",
        "take Ub1",
        "take Gc1",
        "take Wa1 Ub1",
        "take Ub1 Gc1",
        "take Wa1 Ub1 Gc1",
        "privilege Wa1",
        "privilege Ub1",
        "privilege Gc1",
        "replenish",
        "reserve 12",
        "reserve 31",
        "reserve 55",
        "reserve deck1",
        "reserve deck2",
        "reserve deck3",
        "buy 12",
    }
    assert legal(play(everything, "reserve 12")) == {"gold c3", "gold d3"}
    assert legal(play(everything, "buy 12")) == {"pay gold for red", "pay done"}


BAD_TEXTS = {
    "": "empty text is no action; examples",
    "   ": "empty text is no action",
    "jump": "cannot read 'jump'; examples",
    "replenish now": "cannot read 'replenish now'",
    "privilege": "cannot read",
    "privilege a1 b1": "cannot read",
    "pay": "cannot read",
    "pay gold": "cannot read",
    "pay gold for": "cannot read",
    "royal 5": "cannot read",
    "royal 0": "cannot read",
    "royal one": "cannot read",
    "buy 1 2": "cannot read",
    "take": "one, two or three neighbouring cells",
    "take a1 c1": "one, two or three neighbouring cells",
    "take a1 a1": "one, two or three neighbouring cells",
    "take a1 b1 b2": "one, two or three neighbouring cells",
    "take a1 b1 c1 d1": "one, two or three neighbouring cells",
    "take e1 a2": "one, two or three neighbouring cells",
    "take f1": "'F1' is no cell; cells are a1",
    "take a6": "is no cell",
    "take a": "is no cell",
    "take Xa1": "is no cell",
    "take Ua1": "there is no U on a1",
    "take Ud5": "there is no U on d5",
    "privilege Kc3": "there is no K on c3",
    "gold z9": "is no cell",
    "match 3": "is no cell",
    "wild pearl": "'pearl' is no colour here; there are white, blue, green, red, black",
    "wild gold": "is no colour here",
    "steal gold": "is no colour here; there are white, blue, green, red, black, pearl",
    "steal purple": "is no colour here",
    "discard purple": "is no colour here; there are white, blue, green, red, black, pearl, gold",
    "pay gold for gold": "is no colour here",
    "buy 13": "card '13' is not in the pyramid or your reserve",
    "buy 40": "card '40' is not in the pyramid or your reserve",
    "buy 0": "is not in the pyramid or your reserve",
    "buy -1": "is not in the pyramid or your reserve",
    "buy x": "card 'x' is not in the pyramid or your reserve",
    "buy deck1": "is not in the pyramid or your reserve",
    "reserve 13": "card '13' is not in the pyramid",
    "reserve 17": "card '17' is not in the pyramid",
    "reserve deck4": "card 'deck4' is not in the pyramid",
    "reserve 99999999999999999999": "is not in the pyramid",
    "buy 69": "is not in the pyramid or your reserve",
}


@pytest.mark.parametrize("text", BAD_TEXTS)
def test_a_text_that_cannot_be_read_is_explained(text):
    state = position("Wa1 Auc3", player(reserved=[17]), player(reserved=[40, {"level": 2}]), pyramid=[12], seed=None)
    with pytest.raises(ValueError, match=re.escape(BAD_TEXTS[text])):
        GAME.parse_action(state, text)


def test_the_picture_is_80_columns_wide_and_hides_what_a_view_hides():
    for _, state in some_states():
        full = GAME.to_dict(state)
        for seat in (0, 1):
            picture = GAME.show(GAME.view(state, seat))
            blind = [entry for entry in full["players"][1 - seat]["reserved"] if entry and entry["from_deck"]]
            assert picture.count("??") == len(blind)
            faces = [int(number) for number in re.findall(r"^ *(?:reserved)? *(\d+)  ", picture, re.MULTILINE)]
            assert not {entry["card"] for entry in blind} & set(faces)
            assert max(len(line) for line in picture.splitlines()) <= 80
        whole = GAME.show(state)
        assert "??" not in whole
        assert max(len(line) for line in whole.splitlines()) <= 80
        assert all(line == line.rstrip() and line.isascii() for line in whole.splitlines())


@pytest.mark.parametrize(("phase", "pending"), [("discard", None), ("wild", 65), ("match", 4), ("steal", 32)])
def test_the_widest_pictures(phase, pending):
    rich = player(
        "2W 4U 4G 1R",
        cards=[*range(1, 26), 31, 32, 36, 41, 46, 50, 55, 56, *([65] if pending == 65 else [])],
        royals=[1, 2],
        reserved=[28, 29, 66],
    )
    other = player(
        "2R 3K 1P 1Au", cards=[33, 34, 35, 38, 42, 43, 59], scrolls=3, royals=[3, 4], reserved=[52, 61, {"level": 3}]
    )
    about = {"place": 0, "card": pending} if pending else None
    state = position(
        "Wa1 Wa2 Aue5",
        rich,
        other,
        phase=phase,
        pending=about,
        turn=5000,
        turn_limit=5000,
        extra_turn=True,
        pyramid=[26, 27, 30, 51, 53, 54, 60, 62, 63],
        bag="",
    )
    assert max(len(line) for line in GAME.show(state).splitlines()) <= 80


def test_the_picture_says_how_a_game_ended():
    ends = {GAME.show(game[-1]).splitlines()[0].split(": ")[1] for game in random_positions(100)}
    assert ends == {"over, seat 0 wins", "over, seat 1 wins"}
    limited = GAME.new(2, 1, GAME.options(turn_limit=1))
    GAME.apply(limited, GAME.legal_actions(limited)[0])
    assert "over, turn limit reached" in GAME.show(limited)
