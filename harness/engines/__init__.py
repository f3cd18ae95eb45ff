"""Engines turn Blocks into Results; all give the same ones, in the order the Blocks came."""

from harness.engines.engine import Engine, Recipe, build, make_engine

__all__ = ["Engine", "Recipe", "build", "make_engine"]
