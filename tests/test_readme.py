"""What the README shows works when pasted: Python, TOML, commands and links."""

import json
import re
import tomllib
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from harness.cli import app
from harness.config import load_config
from harness.plugins import load_plugins

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
PYTHON = [text for language, text in BLOCKS if language == "python"]
TOML = [text for language, text in BLOCKS if language == "toml"]
SHELL = [text for language, text in BLOCKS if language == "sh"]
BOT = next(text for text in PYTHON if text.startswith("from harness") and "def choose(view, legal, rng)" in text)
PLUGIN = next(text for text in PYTHON if "@hookimpl" in text)


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder to paste into: the first bot is saved, the quickstart is played."""
    (tmp_path / "my_bot.py").write_text(BOT, encoding="utf-8")
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "quickstart").symlink_to(ROOT / "results" / "reference" / "quickstart")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("code", PYTHON, ids=range(len(PYTHON)))
def test_python_runs(code, desk):
    exec(compile(code, "README.md", "exec"), {"__name__": "pasted"})


def test_the_first_bot_beats_random(desk):
    arguments = ["match", "./my_bot.py", "random", "--deals", "10", "--engine", "serial", "--out", "m", "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert data["forfeits"] == 0
    assert {bot["bot"]: bot["score"] for bot in data["bots"]}["my_bot"] > 0.9


def test_configs_are_right(desk):
    configs = [text for text in TOML if "[[bots]]" in text]
    assert configs
    for number, text in enumerate(configs):
        path = desk / f"{number}.toml"
        path.write_text(text, encoding="utf-8")
        assert load_config(path, load_plugins()).deals > 0


def test_the_plugin_offers_what_its_pyproject_says(desk):
    (project,) = (data for data in map(tomllib.loads, TOML) if "project" in data)
    (module,) = project["project"]["entry-points"]["harness"].values()
    assert project["tool"]["setuptools"]["py-modules"] == [module]
    assert f"a module `{module}.py`" in README
    path = desk / f"{module}.py"
    path.write_text(PLUGIN, encoding="utf-8")
    registry = load_plugins([str(path)])
    assert registry.errors == []
    assert "mine" in [bot.name for bot in registry.bots()]


def _commands():
    """Each ``harness ...`` the README names, as a list of words."""
    inline = re.findall(r"`((?:harness|bots|games) [^`]+)`", README)
    lines = [line.partition("#")[0] for text in SHELL for line in text.splitlines()]
    found = inline + [line.strip().removeprefix(".venv/bin/") for line in lines]
    return [text.removeprefix("harness ").split() for text in found if text.startswith(("harness ", "bots ", "games "))]


@pytest.mark.parametrize("words", _commands(), ids=" ".join)
def test_commands_exist(words):
    command = typer.main.get_command(app)
    while words and hasattr(command, "commands"):
        assert words[0] in command.commands
        command, words = command.commands[words[0]], words[1:]
    options = {name for parameter in command.params for name in parameter.opts} | {"--help"}
    assert {word for word in words if word.startswith("-")} <= options


def test_all_commands_are_told():
    told = {words[0] for words in _commands()}
    assert told == set(typer.main.get_command(app).commands)


def test_make_targets_exist():
    targets = re.findall(r"\bmake ([a-z][a-z-]*)\b", " ".join([*SHELL, *re.findall(r"`(make [^`]+)`", README)]))
    assert {"demo", "test"} <= set(targets)
    for target in targets:
        assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE), target


def test_links_lead_somewhere():
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert links
    for link in links:
        assert link.startswith("https://") or (ROOT / link).exists(), link


def test_every_key_of_a_config_is_shown():
    from harness.config import RunConfig

    shown = next(tomllib.loads(text) for text in TOML if "[limits]" in text)
    assert set(shown) == set(RunConfig.model_fields)
    assert set(shown["limits"]) == set(RunConfig.model_fields["limits"].annotation.model_fields)
    assert set(shown["schedule"]) | {"hero"} == set(RunConfig.model_fields["schedule"].annotation.model_fields)
