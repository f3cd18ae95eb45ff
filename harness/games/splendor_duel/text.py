"""Notation for actions that a player can read and type, and a picture of the table for a terminal.

Notation. Cells are a column letter and a row number, a1 top left to e5 bottom right. Cards and royals go by number.

    take Wa1 Gb1 Kc1     tokens in a line; the letters are a help to the reader and may be left out
    privilege Pc3        use a privilege on a cell
    replenish
    reserve 12           a card of the pyramid        reserve deck2     the top of a deck
    gold d4              which gold, when there is a choice
    buy 12               from the pyramid or the own reserve
    pay gold for red     one more gold instead of a red token        pay done
    wild red             the colour a wild card joins
    match Ka5            the token of the card's colour to take
    steal white          royal 3          discard blue
"""

import re

from harness.games.game import State, View, array_of
from harness.games.splendor_duel import reading
from harness.games.splendor_duel import state as st
from harness.games.splendor_duel import tables as tb

_COLUMNS = "abcde"
_CELL = re.compile(r"(W|U|G|R|K|P|AU)?([A-E])([1-5])")


# --- Actions ---


def _cell_name(cell: int) -> str:
    return f"{_COLUMNS[cell % tb.SIDE]}{cell // tb.SIDE + 1}"


def _cell_text(state: State, cell: int) -> str:
    """Return a cell with the letter of its token, as in ``Wa1``."""
    return _token_at(state, cell) + _cell_name(cell)


def _token_at(state: State, cell: int) -> str:
    for color in range(tb.NUM_TOKENS):
        if (int(state[st.BOARD + color]) >> cell) & 1:
            return tb.LETTERS[color]
    return ""


def _mover(state: State) -> int:
    return st.PLAYERS + int(state[st.MOVER]) * st.PLAYER_SIZE


def action_text(position: State | View, action: int) -> str:
    """Return an action in notation, in the position it is legal in."""
    state = array_of(position)
    if action < tb.PRIVILEGE:
        cells = int(tb.TAKE_CELLS[action])
        return "take " + " ".join(_cell_text(state, cell) for cell in range(tb.CELLS) if (cells >> cell) & 1)
    if action < tb.REPLENISH:
        return "privilege " + _cell_text(state, action - tb.PRIVILEGE)
    if action == tb.REPLENISH:
        return "replenish"
    if action < tb.RESERVE_DECK:
        return f"reserve {int(state[st.SLOTS + action - tb.RESERVE])}"
    if action < tb.BUY:
        return f"reserve deck{action - tb.RESERVE_DECK + 1}"
    if action < tb.BUY_RESERVED:
        return f"buy {int(state[st.SLOTS + action - tb.BUY])}"
    if action < tb.GOLD_CELL:
        return f"buy {int(state[_mover(state) + st.RESERVED + action - tb.BUY_RESERVED])}"
    return _sub_choice_text(state, action)


def _sub_choice_text(state: State, action: int) -> str:
    if action < tb.PAY_GOLD:
        return f"gold {_cell_name(action - tb.GOLD_CELL)}"
    if action < tb.PAY_DONE:
        return f"pay gold for {tb.COLORS[action - tb.PAY_GOLD]}"
    if action == tb.PAY_DONE:
        return "pay done"
    if action < tb.MATCH:
        return f"wild {tb.COLORS[action - tb.WILD]}"
    if action < tb.STEAL:
        return "match " + _cell_text(state, action - tb.MATCH)
    if action < tb.ROYAL:
        return f"steal {tb.COLORS[action - tb.STEAL]}"
    if action < tb.DISCARD:
        return f"royal {action - tb.ROYAL + 1}"
    return f"discard {tb.COLORS[action - tb.DISCARD]}"


def parse_action(position: State | View, text: str) -> int:
    """Return the action a text means in a position (legal or not); ValueError says what is wrong with the text.

    Letter case does not matter; colours may be given by their letters.
    """
    state = array_of(position)
    words = text.upper().split()
    if not words:
        raise ValueError("an empty text is no action; examples: take a1 b1, buy 12, reserve deck2")
    verb, rest = words[0].lower(), words[1:]
    if verb == "take":
        return _parse_take(state, rest)
    if verb == "replenish" and not rest:
        return tb.REPLENISH
    if verb in ("privilege", "gold", "match") and len(rest) == 1:
        first = {"privilege": tb.PRIVILEGE, "gold": tb.GOLD_CELL, "match": tb.MATCH}[verb]
        return first + _parse_cell(state, rest[0])
    if verb in ("wild", "steal", "discard") and len(rest) == 1:
        first, count = {
            "wild": (tb.WILD, tb.NUM_GEMS),
            "steal": (tb.STEAL, tb.NUM_PLAIN),
            "discard": (tb.DISCARD, tb.NUM_TOKENS),
        }[verb]
        return first + _parse_color(rest[0], count)
    if verb == "pay" and rest == ["DONE"]:
        return tb.PAY_DONE
    if verb == "pay" and rest[:2] == ["GOLD", "FOR"] and len(rest) == 3:
        return tb.PAY_GOLD + _parse_color(rest[2], tb.NUM_PLAIN)
    if verb == "royal" and len(rest) == 1 and rest[0] in ("1", "2", "3", "4"):
        return tb.ROYAL + int(rest[0]) - 1
    if verb in ("reserve", "buy") and len(rest) == 1:
        return _parse_card(state, verb, rest[0])
    raise ValueError(f"cannot read {text!r}; examples: take a1 b1, privilege c3, replenish, buy 12, reserve deck2")


def _parse_cell(state: State, text: str) -> int:
    match = _CELL.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is no cell; cells are a1 (top left) to e5, for example c3 or Wc3")
    cell = tb.SIDE * (int(match[3]) - 1) + _COLUMNS.index(match[2].lower())
    if match[1] and match[1] != _token_at(state, cell).upper():
        raise ValueError(f"there is no {match[1]} on {_cell_name(cell)}")
    return cell


def _parse_take(state: State, words: list[str]) -> int:
    named = [_parse_cell(state, word) for word in words]
    cells = sum(1 << cell for cell in set(named))
    for action in range(tb.PRIVILEGE):
        if int(tb.TAKE_CELLS[action]) == cells and len(set(named)) == len(named):
            return action
    raise ValueError("take needs one, two or three neighbouring cells in a straight line")


def _parse_color(text: str, count: int) -> int:
    names = [name.upper() for name in tb.COLORS[:count]]
    letters = [letter.upper() for letter in tb.LETTERS[:count]]
    for known in (names, letters):
        if text in known:
            return known.index(text)
    raise ValueError(f"{text.lower()!r} is no colour here; there are {', '.join(tb.COLORS[:count])}")


def _parse_card(state: State, verb: str, text: str) -> int:
    if verb == "reserve" and text in ("DECK1", "DECK2", "DECK3"):
        return tb.RESERVE_DECK + int(text[-1]) - 1
    number = int(text) if text.isdecimal() else 0
    slots = [int(card) for card in state[st.SLOTS : st.SLOTS + tb.NUM_SLOTS]]
    if number and number in slots:
        return (tb.RESERVE if verb == "reserve" else tb.BUY) + slots.index(number)
    first = _mover(state) + st.RESERVED
    own = [int(card) for card in state[first : first + tb.NUM_RESERVED]]
    if verb == "buy" and number and number in own:
        return tb.BUY_RESERVED + own.index(number)
    where = "in the pyramid" if verb == "reserve" else "in the pyramid or your reserve"
    raise ValueError(f"card {text.lower()!r} is not {where}")


# --- The picture ---

_ASKED = {
    st.MAIN: "take, reserve or buy",
    st.CHOOSE_GOLD: "choose a gold token",
    st.CHOOSE_PAYMENT: "pay with more gold?",
    st.CHOOSE_WILD: "choose the wild's colour",
    st.CHOOSE_MATCH: "choose a matching token",
    st.CHOOSE_STEAL: "choose a token to steal",
    st.CHOOSE_ROYAL: "choose a royal",
    st.CHOOSE_DISCARD: "discard down to ten",
}
_ABILITY_TEXT = {"take_matching": "match", "wild+again": "wild, again", "none": ""}


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _lanes_text(lanes: int) -> str:
    """Return a set of tokens as in ``2W 1Au``."""
    held = [(lanes >> (tb.LANE * c)) & tb.LANE_MASK for c in range(tb.NUM_TOKENS)]
    return " ".join(f"{n}{tb.LETTERS[c]}" for c, n in enumerate(held) if n) or "-"


def card_text(card: int) -> str:
    """Return a card's face in one line: number, bonus, points, crowns, ability, cost."""
    if card > tb.NUM_CARDS:
        return f" ?? level {card - tb.UNKNOWN_CARD + 1}, from the deck"
    color, count = int(tb.CARD_BONUS[card]), int(tb.CARD_BONUS_COUNT[card])
    ability = tb.ABILITY_NAMES[int(tb.CARD_ABILITY[card])]
    bonus = "any" if "wild" in ability else "-" if color < 0 else tb.COLORS[color] + (" x2" if count == 2 else "")
    points, crowns = int(tb.CARD_POINTS[card]), int(tb.CARD_CROWNS[card])
    return (
        f"{card:>3}  {bonus:<8} {f'{points} pt' if points else '':<5}{'crown ' * (crowns == 1)}"
        f"{f'{crowns} crowns ' if crowns > 1 else ''}{_ABILITY_TEXT.get(ability, ability):<12}"
    ).ljust(43) + _lanes_text(int(tb.CARD_COST[card]))


def show(position: State | View) -> str:
    """Return a picture of a position, at most 80 columns wide; what a View hides shows as ``??``."""
    state = array_of(position)
    return "\n".join(
        [_headline(state), "", *_board_lines(state), "", *_pyramid_lines(state), "", *_player_lines(state)]
    )


def _headline(state: State) -> str:
    turn = f"Splendor Duel, turn {int(state[st.TURN])}"
    if int(state[st.PHASE]) == st.OVER:
        result = int(state[st.RESULT])
        return f"{turn}: " + ("over, turn limit reached" if result == st.LIMIT_REACHED else f"over, seat {result} wins")
    asked = _ASKED[int(state[st.PHASE])]
    extra = " (extra turn)" if int(state[st.FLAGS]) & st.EXTRA_TURN else ""
    return f"{turn}: seat {int(state[st.MOVER])} to move, {asked}{extra}"


def _board_lines(state: State) -> list[str]:
    rows = reading.board_rows(state)
    royals = [
        f"royal {royal}: {int(tb.ROYAL_POINTS[royal - 1])} pt "
        + tb.ABILITY_NAMES[int(tb.ROYAL_ABILITY[royal - 1])].replace("none", "")
        for royal in reading.royals_in(int(state[st.ROYALS]))
    ]
    beside = [f"bag: {_lanes_text(int(state[st.BAG]))}", f"privileges in the pool: {int(state[st.POOL])}", *royals]
    lines = ["    " + "".join(f"{column:<4}" for column in _COLUMNS) + f"     {beside[0]}"]
    for row in range(tb.SIDE):
        cells = "".join(f"{cell:<4}" for cell in rows[row])
        lines.append(f"  {row + 1} {cells}     {beside[row + 1] if row + 1 < len(beside) else ''}".rstrip())
    return lines


def _pyramid_lines(state: State) -> list[str]:
    lines = []
    for level in reversed(range(tb.NUM_LEVELS)):
        lines.append(f"Level {level + 1}, {int(state[st.DECK_LEFT + level])} in the deck")
        cards = reading.pyramid_level(state, level)
        lines += [f"  {card_text(card)}".rstrip() if card else "    -" for card in cards]
    return lines


def _player_lines(state: State) -> list[str]:
    lines = []
    for seat in range(2):
        player = st.PLAYERS + seat * st.PLAYER_SIZE
        per_color = [(int(state[player + st.COLOR_POINTS]) >> (tb.LANE * c)) & tb.LANE_MASK for c in range(tb.NUM_GEMS)]
        best = max(range(tb.NUM_GEMS), key=lambda c: per_color[c])
        to_move = ">" if seat == int(state[st.MOVER]) and int(state[st.PHASE]) != st.OVER else " "
        lines.append(
            f"{to_move} Seat {seat}: {int(state[player + st.POINTS])}/{tb.WIN_POINTS} points, "
            f"{int(state[player + st.CROWNS])}/{tb.WIN_CROWNS} crowns, best colour {tb.COLORS[best]} "
            f"{per_color[best]}/{tb.WIN_COLOR}, {_counted(int(state[player + st.SCROLLS]), 'privilege')}"
        )
        royals = reading.royals_in(int(state[player + st.OWN_ROYALS]))
        lines.append(
            f"    tokens {_lanes_text(int(state[player + st.TOKENS]))}   bonuses "
            f"{_lanes_text(int(state[player + st.BONUSES]))}" + (f"   royals {royals}" if royals else "")
        )
        reserved = [int(card) for card in state[player + st.RESERVED : player + st.RESERVED + tb.NUM_RESERVED] if card]
        lines += [f"    reserved {card_text(card)}".rstrip() for card in reserved]
    return lines
