"""Importing plugin code without touching sys.path, and fingerprinting the files a bot is made of."""

import ast
import functools
import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
import traceback
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

import harness
from harness.errors import BotLoadError, UsageError

ROOT = Path(harness.__file__).resolve().parent.parent
"""The folder that holds this ``harness`` package, and ``bots`` beside it."""


def load_file(path: Path) -> ModuleType:
    """Execute a .py file as a module under a private name; the import system never sees its folder.

    A file called ``random.py`` or ``types.py`` therefore shadows nothing. Raises what the file raises.
    """
    path = path.resolve()
    stem = re.sub(r"\W", "_", path.stem)
    name = f"harness_plugin_{stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path, loader=_FromSource(name, str(path)))
    assert spec is not None
    return _execute(spec)


class _FromSource(SourceFileLoader):
    """Never runs stored bytecode: that goes by size and second, and an edit can keep both. Nor leaves any behind."""

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002
        return self.source_to_code(self.get_data(self.path), self.path)


def load_own(name: str) -> ModuleType:
    """Import a module of this distribution from beside ``harness``, whatever of that name stands first on sys.path."""
    if "." in name or name in sys.modules:
        module = importlib.import_module(name)
    else:
        spec = PathFinder.find_spec(name, [str(ROOT)])
        module = importlib.import_module(name) if spec is None else _execute(spec)
    file = module.__file__
    if file is not None and ROOT not in Path(file).resolve().parents:
        raise ImportError(
            f"the name {name!r} is taken by {file}, which was imported before; "
            "rename that one, or run the `harness` command, which does not look into the current folder"
        )
    return module


def _execute(spec: importlib.machinery.ModuleSpec) -> ModuleType:
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(spec.name)
    sys.modules[spec.name] = module  # before execution: dataclasses and pickle look themselves up there
    try:
        assert spec.loader is not None
        spec.loader.exec_module(module)
    except BaseException:
        if before is None:
            del sys.modules[spec.name]
        else:
            sys.modules[spec.name] = before
        raise
    return module


def find_file(text: str, what: str) -> Path:
    """Return the path of a file or folder named by a user; UsageError says what is there instead."""
    try:
        path = Path(text).expanduser()
        if path.exists():
            return path
    except (OSError, RuntimeError) as error:  # a name too long, a home that is nobody's
        raise UsageError(f"{what} {text[:80]!r}: cannot be looked up: {error}"[:400]) from None
    near = sorted(p.name for p in path.parent.glob("*.py"))[:8] if path.parent.is_dir() else []
    there = f"; {path.parent}/ has {', '.join(near)}" if near else ""
    raise UsageError(f"{what} {text!r}: no such file{there}")


def explain(error: BaseException) -> str:
    """Return an exception as one line with the place it came from, for people."""
    try:
        message = " ".join(str(error).split())[:300]
    except Exception:  # the plugin's own code
        message = "(its text cannot be shown)"
    text = f"{type(error).__name__}: {message}" if message else type(error).__name__
    if isinstance(error, SyntaxError):  # its place is in its own text
        return text
    frames = reversed(traceback.extract_tb(error.__traceback__))
    place = next((frame for frame in frames if not _is_machinery(frame.filename)), None)
    return f"{text} ({place.filename}, line {place.lineno})" if place else text


def _is_machinery(filename: str) -> bool:
    return filename.startswith(("<", str(ROOT / "harness"))) or "importlib" in filename or "pluggy" in filename


def fingerprint(*things: object) -> str:
    """Return one SHA-256 over the source files that ``things`` (factories, bots, functions) are made of.

    These are the files of their classes and base classes and, within the same package, of what those import. The
    standard library, harness itself and other packages are left out; paths do not count, only names and contents.
    """
    modules: set[str] = set()
    for thing in things:
        modules |= _own_modules(thing)
    packages = {name for name in modules if _file(name).name == "__init__.py"}
    if modules - packages:
        modules -= packages  # a package's __init__ often lists bots: a new neighbour is no change of this one
    files = sorted({(_file(name).name, _file(name)) for name in _with_imports(modules)})
    digest = hashlib.sha256()
    for name, path in files:
        content = path.read_bytes() if path.is_file() else b""
        digest.update(f"{name}:{len(content)}:".encode() + content)
    return digest.hexdigest()


def _own_modules(thing: object) -> set[str]:
    while isinstance(thing, functools.partial):
        thing = thing.func
    if inspect.isclass(thing):
        names = [base.__module__ for base in thing.__mro__]
    elif inspect.isroutine(thing) or hasattr(thing, "py_func"):
        names = [thing.__module__]
    else:
        names = [base.__module__ for base in type(thing).__mro__]
    return {name for name in names if _is_own(name)}


def _is_own(name: str) -> bool:
    top = name.partition(".")[0]
    return (
        top != "harness"
        and top not in sys.stdlib_module_names
        and getattr(sys.modules.get(name), "__file__", None) is not None
    )


def _file(name: str) -> Path:
    return Path(str(sys.modules[name].__file__))


def _with_imports(modules: set[str]) -> set[str]:
    found, waiting = set(modules), list(modules)
    while waiting:
        name = waiting.pop()
        for other in _imported_names(name):
            if other not in found and other.partition(".")[0] == name.partition(".")[0] and _is_own(other):
                found.add(other)
                waiting.append(other)
    return found


def _imported_names(name: str) -> set[str]:
    """Return the names of modules that a module's source may import from its own package."""
    path = _file(name)
    if path.suffix != ".py" or not path.is_file():
        return set()
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, *([base] if base else [])])
            names |= {f"{base}.{alias.name}" for alias in node.names} | {base}
    return {n for n in names if n in sys.modules and _file_is_module(n)}


def _file_is_module(name: str) -> bool:
    """Leave packages out: ``from bots.common import x`` also names ``bots``, whose __init__ lists every bot."""
    file = getattr(sys.modules.get(name), "__file__", None)
    return file is not None and Path(file).name != "__init__.py"


def import_plugin_module(name: str) -> ModuleType:
    """Import an installed module by name; BotLoadError when it is missing or broken."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            file = Path(*name.split(".")).with_suffix(".py")
            hint = f"give its file: ./{file}" if file.is_file() else "install it, or give its file as ./file.py"
            raise BotLoadError(f"no module is called {name!r}; {hint}") from None
        raise BotLoadError(f"{name} could not be loaded: {explain(error)}") from error
    except (Exception, SystemExit) as error:
        raise BotLoadError(f"{name} could not be loaded: {explain(error)}") from error
