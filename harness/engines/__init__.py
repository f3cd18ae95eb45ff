"""Engines turn Blocks into Results; all give the same ones, in the order the Blocks came."""

from harness.engines.engine import Engine, Recipe, build
from harness.engines.local import LocalEngine
from harness.engines.serial import SerialEngine
from harness.errors import UsageError
from harness.plugins import Registry

__all__ = ["Engine", "Recipe", "build", "make_engine"]

NAMES = ("local", "serial")


def make_engine(name: str, recipe: Recipe, registry: Registry, workers: int | None) -> Engine:
    """Return the engine of this name; ``workers`` None means one for each core (local only)."""
    if workers is not None and workers < 1:
        raise UsageError(f"--workers {workers}: at least one worker is needed")
    if name == "serial":
        return SerialEngine(build(recipe, registry))
    if name == "local":
        build(recipe, registry)  # reports what does not load, and leaves compiled code on disk for the workers
        return LocalEngine(recipe, workers)
    raise UsageError(f"--engine {name}: unknown engine; there is: {', '.join(NAMES)}")
