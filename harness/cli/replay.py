"""``harness replay``: every step of one game."""

import json
import textwrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.common import WIDTH, Json, Plugins, load_registry, print_json
from harness.cli.run import RunFolder, need_folder

if TYPE_CHECKING:
    from harness.api import Game
    from harness.tournament import Step


def replay(
    run: RunFolder,
    game_id: Annotated[str, typer.Argument(metavar="GAME_ID", help="Such as greedy+random/17/0.")],
    plugins: Plugins = None,
    as_json: Json = False,
) -> None:
    """Show every step of one game of a run: the position, the legal actions and the choice."""
    from harness import tournament

    need_folder(run)
    played = tournament.replay(run, game_id, load_registry(plugins))
    show = _json_step if as_json else _text_step
    step = None
    for step in played:
        if step.action is not None:
            show(played.game, step)
    assert step is not None  # a Replay ends with the last position
    if as_json:
        print_json(
            {"step": step.index, "state": played.game.to_dict(step.state), "result": result_facts(played.result)}
        )
    else:
        print(f"--- end\n{played.game.show(step.state)}")
        _print_result(result_facts(played.result))


def _json_step(game: "Game", step: "Step") -> None:
    assert step.action is not None
    legal = [game.action_text(step.state, action) for action in step.legal]
    action = {"id": step.action, "text": game.action_text(step.state, step.action)}
    state = game.to_dict(step.state)
    print_json({"step": step.index, "state": state, "seat": step.seat, "legal": legal, "action": action})


def _text_step(game: "Game", step: "Step") -> None:
    assert step.action is not None
    texts = [game.action_text(step.state, action) for action in step.legal]
    print(f"--- step {step.index}\n{game.show(step.state)}")
    print(_wrapped(f"seat {step.seat} may: ", texts))
    print(f"seat {step.seat} plays: {game.action_text(step.state, step.action)}\n")


def _wrapped(label: str, texts: list[str]) -> str:
    """Set a list in lines of 80 columns, without breaking within an item."""
    glued = ", ".join(text.replace(" ", "\N{NO-BREAK SPACE}") for text in texts)
    lines = textwrap.fill(label + glued, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return lines.replace("\N{NO-BREAK SPACE}", " ")


def _print_result(result: dict[str, Any]) -> None:
    beside = [flag for flag in result["flags"] if flag != result["victory_type"]]
    flags = f" (also {', '.join(beside)})" if beside else ""
    print(f"\nended by {result['victory_type']}{flags} after {result['turns']} turns")
    for seat, bot in enumerate(result["bots"]):
        print(f"seat {seat}: {bot}, rank {result['ranks'][seat]}, {result['points'][seat]} points")
    if fault := result["fault"]:
        print(f"forfeit of {result['bots'][fault['seat']]} (seat {fault['seat']}): {fault['cause']}: {fault['text']}")
        if "traceback" in fault:
            print(f"\n{fault['traceback'].rstrip()}")


def result_facts(row: dict[str, Any]) -> dict[str, Any]:
    """Return a game's stored row as the JSON data of its result; its actions are in the steps."""
    fault = {"seat": row["fault_seat"], "cause": row["fault"], "text": row["fault_text"]}
    evidence = json.loads(row["fault_evidence"] or "{}")
    fault |= {key: evidence[key] for key in ("answer", "traceback") if key in evidence}  # the rest is the last step
    same = ("game_id", "bots", "ranks", "points", "victory_type", "ended_by", "turns", "decisions")
    return {
        **{key: row[key] for key in same},
        "flags": [flag for flag in row["flags"].split("+") if flag],
        "measures": {key.removeprefix("measure_"): value for key, value in row.items() if key.startswith("measure_")},
        "fault": None if row["fault"] is None else fault,
    }
