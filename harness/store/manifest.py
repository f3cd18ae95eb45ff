"""run.json: what a run is made of, and whether a run may go on under another config."""

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from harness.errors import UsageError
from harness.store.files import write_whole

NAME = "run.json"
FORMAT = 1
LISTS = ("plugins", "victory_types", "limit_types", "flags", "measures")


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """The contents of run.json. All values are plain JSON data."""

    fixed: dict[str, Any]
    """What a run cannot change once games are stored: game, version, options, seed, seats, limits."""
    bots: dict[str, dict[str, Any]]
    """By name: spec, options, sha256 and where the code came from. Bots that a later config leaves out stay."""
    config: dict[str, Any]
    """The resolved config of the last start."""
    plugins: list[str]
    """Plugin sources beside the installed ones, needed to load game and bots again."""
    victory_types: list[str]
    """As the game declares them, forfeit last."""
    limit_types: list[str]
    flags: list[str]
    measures: list[str]
    versions: dict[str, str]
    machine: dict[str, Any]
    format: int = FORMAT
    plan_hash: str = field(default="", compare=False)

    @property
    def seats(self) -> int:
        return int(self.fixed["seats"])


def read_manifest(run: Path) -> Manifest:
    """Read run.json; UsageError when it is missing, damaged or of another format."""
    path = run / NAME
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise UsageError(f"{path}: format {data['format']}, this version reads format {FORMAT}; use its version")
        return _checked(Manifest(**data))
    except FileNotFoundError:
        raise UsageError(f"{run} is no run: it has no {NAME}; name the folder a run wrote to") from None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise UsageError(f"{path} cannot be read ({error}); restore it, or choose another folder with --out") from error


def _checked(manifest: Manifest) -> Manifest:
    """Refuse what a hand or another program has put there; TypeError or KeyError says what."""
    for names, kind in ((("fixed", "bots", "config", "versions", "machine"), dict), (LISTS, list)):
        for name in names:
            if not isinstance(getattr(manifest, name), kind):
                raise TypeError(f"{name} is not a JSON {'object' if kind is dict else 'list'}")
    if not all(isinstance(bot, dict) for bot in manifest.bots.values()):
        raise TypeError("bots are not JSON objects")
    if type(manifest.fixed["seats"]) is not int or type(manifest.fixed["seed"]) is not int:
        raise TypeError("seats and seed are not whole numbers")
    if not isinstance(manifest.fixed["game"], str):
        raise TypeError("game is not a name")
    return manifest


def write_manifest(run: Path, manifest: Manifest) -> None:
    data = asdict(manifest) | {"plan_hash": plan_hash(manifest)}
    text = json.dumps(data, indent=1, sort_keys=True) + "\n"
    write_whole(run / NAME, lambda file: file.write(text.encode()))


def plan_hash(manifest: Manifest) -> str:
    """Hash of everything the Results follow from: the fixed part, the bots, and the config's deals and schedule."""
    plan = [manifest.fixed, manifest.bots, manifest.config]
    return hashlib.sha256(json.dumps(plan, sort_keys=True).encode()).hexdigest()


def grown(run: Path, old: Manifest, new: Manifest, with_games: Collection[str]) -> Manifest:
    """Return the manifest under which a run goes on; UsageError says what differs when it cannot.

    ``with_games``: the bots that have stored games. Without any, everything may change.
    """
    if not with_games:
        return new
    if differences := _differences(_plain(old.fixed), _plain(new.fixed)):
        raise UsageError(
            f"{run} holds games of another run, with {'; '.join(differences)}. Undo that to go on with it, or choose "
            "another folder with --out"
        )
    changed = [
        name
        for name, bot in new.bots.items()
        if name in with_games and _identity(old.bots[name]) != _identity(_plain(bot))
    ]
    if changed:
        what = " and ".join(
            f"{name} ({', '.join(_differences(old.bots[name], _plain(new.bots[name])))})" for name in changed
        )
        raise UsageError(
            f"{run}: the games of {what} were played by other code or options. Give the changed bot a new name, undo "
            "the change, or choose another folder with --out"
        )
    return Manifest(**{**_shallow(new), "bots": {**old.bots, **new.bots}})


def _identity(bot: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(json.dumps(bot.get(key), sort_keys=True) for key in ("sha256", "options"))


def _shallow(manifest: Manifest) -> dict[str, Any]:
    return {name: getattr(manifest, name) for name in manifest.__dataclass_fields__}


def _plain(value: Any) -> Any:
    """As it will read after a round trip through JSON: tuples become lists."""
    return json.loads(json.dumps(value))


def _differences(old: dict[str, Any], new: dict[str, Any], prefix: str = "") -> Sequence[str]:
    """Name each key that differs, with both values."""
    found: list[str] = []
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key), new.get(key)
        if isinstance(before, dict) and isinstance(after, dict):
            found += _differences(before, after, f"{prefix}{key}.")
        elif before != after:
            found.append(f"{prefix}{key} {_short(before)} there and {_short(after)} here")
    return found


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:12] + "..."
