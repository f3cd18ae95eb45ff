"""``harness bench``: the speed of this machine."""

from dataclasses import asdict
from typing import Annotated

import typer

from harness.cli.common import Json, Plugins, load_registry, print_json, print_table


def bench(
    game: Annotated[str, typer.Option(help="The game.")] = "splendor_duel",
    seconds: Annotated[float, typer.Option(min=0.01, help="About how long to measure each figure.")] = 5.0,
    plugins: Plugins = None,
    as_json: Json = False,
) -> None:
    """Measure games per CPU second: in compiled code, and in matches with everything on."""
    from harness.bench import bench as measure
    from harness.bench import conditions

    rules = load_registry(plugins).game(game)
    before = conditions()
    figures = measure(rules, seconds)
    if as_json:
        print_json({"game": game, "machine": before, "figures": [asdict(figure) for figure in figures]})
        return
    loads = " ".join(str(load) for load in before["load_average"])
    print(f"{before['processor']}, {before['cores']} cores, load {loads}")
    print(f"Python {before['python']}, numba {before['numba']}, numpy {before['numpy']}; per second of CPU time:")
    rows = [
        (f.what, f"{f.value:,.0f}", f.unit, "" if f.target is None else f"{f.target:,.0f}", f.note) for f in figures
    ]
    print_table((game, "measured", "unit", "at least", "note"), rows, numbers=("measured", "at least"))
