"""``harness replay``: every step of one game."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.common import Json, Plugins, load_registry, print_json
from harness.cli.run import RunFolder, need_folder

if TYPE_CHECKING:
    from harness.api import Game
    from harness.records import Result
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
    registry = load_registry(plugins)
    game = tournament.game_of(run, registry)
    show = _print_json if as_json else _print_text
    for step in tournament.replay(run, game_id, registry):
        show(game, step)


def _print_json(game: "Game", step: "Step") -> None:
    state = game.to_dict(step.state)
    if step.result is not None:
        print_json({"step": step.index, "state": state, "result": result_facts(step.result)})
        return
    action = None if step.action is None else {"id": step.action, "text": game.action_text(step.state, step.action)}
    legal = [game.action_text(step.state, action) for action in step.legal]
    print_json({"step": step.index, "state": state, "seat": step.seat, "legal": legal, "action": action})


def _print_text(game: "Game", step: "Step") -> None:
    print(f"--- step {step.index}")
    print(game.show(step.state))
    if step.result is not None:
        _print_result(step.result)
        return
    texts = [game.action_text(step.state, action) for action in step.legal]
    print(f"seat {step.seat} may: {', '.join(texts)}")
    if step.action is not None:
        print(f"seat {step.seat} plays: {game.action_text(step.state, step.action)}\n")


def _print_result(result: "Result") -> None:
    flags = f" ({', '.join(result.flags)})" if result.flags else ""
    print(f"\nended by {result.victory_type}{flags} after {result.turns} turns")
    for seat, bot in enumerate(result.bots):
        print(f"seat {seat}: {bot}, rank {result.ranks[seat]}, {result.points[seat]} points")
    if result.fault is not None:
        bot = result.bots[result.fault.seat]
        print(f"forfeit of {bot} (seat {result.fault.seat}): {result.fault.cause}: {result.fault.text}")


def result_facts(result: "Result") -> dict[str, Any]:
    """Return a Result as JSON data, without its actions: they are in the steps."""
    fault = result.fault
    return {
        "game_id": result.game_id,
        "bots": list(result.bots),
        "ranks": list(result.ranks),
        "points": list(result.points),
        "scores": list(result.scores),
        "victory_type": result.victory_type,
        "flags": list(result.flags),
        "ended_by": result.ended_by,
        "turns": result.turns,
        "decisions": result.decisions,
        "measures": {name: list(values) for name, values in result.measures.items()},
        "fault": None if fault is None else {"seat": fault.seat, "cause": fault.cause, "text": fault.text},
    }
