import json

import pytest

from harness.config import BotConfig, RunConfig, checked, load_config
from harness.errors import BotLoadError, UsageError

GOOD = """
    game = "high_card"
    seed = 7
    deals = 3
    [[bots]]
    name = "a"
    bot = "drawer"
    [[bots]]
    name = "b"
    bot = "saver"
    options = { every = 2 }
"""


@pytest.fixture
def errors(write, registry):
    """Return the lines of the error that a config text gives, without the file's name, which must lead each."""

    def errors(text: str, error=UsageError) -> list[str]:
        file = write("c.toml", text)
        with pytest.raises(error) as caught:
            load_config(file, registry)
        assert type(caught.value) is error
        lines = str(caught.value).splitlines()
        assert all(line.startswith(f"{file}: ") for line in lines), lines
        return [line.removeprefix(f"{file}: ") for line in lines]

    return errors


def test_a_good_config_is_filled_in(write, registry):
    config = load_config(write("c.toml", GOOD), registry)
    assert config.seats == 2
    assert config.game_options == {"target": 10, "turn_limit": 60}
    assert config.bots[1].options == {"every": 2}
    assert (config.schedule.kind, config.schedule.mirrors) == ("round-robin", False)
    assert config.limits.move_seconds is None
    assert json.loads(json.dumps(config.resolved())) == config.resolved()
    assert RunConfig.model_validate(config.resolved()) == config


def test_every_section_is_read(write, registry):
    text = GOOD.replace(
        "deals = 3",
        """deals = 3
        seats = 2
        [game_options]
        target = 5
        [schedule]
        kind = "gauntlet"
        hero = "a"
        mirrors = true
        [limits]
        clock = "cpu"
        move_seconds = 1
        bank_seconds = 2.5
        start_seconds = 3
    """,
    )
    config = load_config(write("c.toml", text), registry)
    assert config.game_options == {"target": 5, "turn_limit": 60}
    assert config.schedule.hero == "a"
    assert config.limits.model_dump() == {
        "clock": "cpu",
        "move_seconds": 1.0,
        "bank_seconds": 2.5,
        "start_seconds": 3.0,
    }


def test_all_errors_are_told_at_once(errors):
    lines = errors("""
        game = 3
        sed = 2
        deals = 0
        [limits]
        move_seconds = -1.0
        [[bots]]
        name = "a b"
        bot = "drawer"
        [[bots]]
        nam = "b"
        bot = "saver"
    """)
    assert sorted(lines) == sorted(
        [
            "game: must be a string in quotes, not 3",
            "seed: is missing; add it",
            "deals: must be 1 or more, not 0",
            "limits.move_seconds: must be more than 0.0, not -1.0",
            "bot 1 (a b): name: use letters, digits, '_', '.' and '-' only, not 'a b'",
            "bot 2: name: is missing; add it",
            "bot 2: nam: unknown key; did you mean 'name'?",
            "sed: unknown key; did you mean 'seed'?",
        ]
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("seed = 7", "seed = 7.5", "seed: must be a whole number, not 7.5"),
        ("seed = 7", 'seed = "7"', "seed: must be a whole number, not '7'"),
        ("seed = 7", "seed = true", "seed: must be a whole number, not True"),
        ("deals = 3", "deals = 3_000_000_000", "deals: must be 2147483647 or less"),
        ("seed = 7", "seed = -1", "seed: must be 0 or more, not -1"),
        ("seed = 7", 'seed = "secret"', 'seed: "secret" is not available yet; give a number'),
        ("deals = 3", "deals = 3\n[limits]\nmemory_mb = 5", "limits.memory_mb: is not available yet; leave it out"),
        (
            "deals = 3",
            "deals = 3\n[limits]\nmove_seconds = inf",
            "limits.move_seconds: input should be a finite number",
        ),
        ("deals = 3", "deals = 3\n[limits]\nclock = 'sun'", "limits.clock: input should be 'wall' or 'cpu', not 'sun'"),
        ("deals = 3", "deals = 3\nlimits = 4", "limits: must be a table, not 4"),
        ("deals = 3", "deals = 3\n[schedul]\nkind = 1", "schedul: unknown key; did you mean 'schedule'?"),
        ("deals = 3", "deals = 3\n[schedule]\nkind = 'swiss'", "schedule.kind: input should be 'round-robin' or"),
        ("deals = 3", "deals = 3\n[schedule]\nmirors = true", "schedule.mirors: unknown key; did you mean 'mirrors'?"),
        ("deals = 3", "deals = 3\n[schedule]\nkind = 'gauntlet'", "schedule.hero: is missing"),
        ("deals = 3", "deals = 3\n[schedule]\nhero = 'a'", 'schedule.hero: is for kind = "gauntlet" only'),
        (
            "deals = 3",
            "deals = 3\n[schedule]\nkind = 'gauntlet'\nhero = 'aa'",
            "schedule.hero: no bot is called 'aa'; did you mean 'a'?",
        ),
        ("deals = 3", "deals = 3\nseats = 5", "seats: 5 is not for high_card; it has 2 to 4 seats"),
        ("deals = 3", "deals = 3\nseats = 3", "seats: 3 seats need 3 bots or more, not 2"),
        (
            "deals = 3",
            "deals = 3\n[game_options]\ntarge = 1",
            "game_options.targe: unknown key; did you mean 'target'?",
        ),
        (
            "deals = 3",
            "deals = 3\n[game_options]\ntarget = 'x'",
            "game_options.target: must be a whole number, not 'x'",
        ),
        ("deals = 3", "deals = 3\n[game_options]\ntarget = 2026-01-01", "game_options: "),
        ('"high_card"', '"high_crd"', "game: unknown game 'high_crd'; did you mean 'high_card'?"),
        ('name = "b"', 'name = "a"', "bot 2: name: 'a' is the name of bot 1 already; give each its own"),
        ('name = "b"', 'name = "b#2"', "bot 2: name: 'b#2': '#' is for numbering; take another name"),
        ('"saver"', '"savr"', "bot 2 (b): unknown bot 'savr'; did you mean 'saver'?"),
        ('"saver"', '"stdio:./x"', "bot 2 (b): bot: bot 'stdio:./x': external programs"),
        ('"saver"', '"./not_there.py"', "bot 2 (b): bot "),
        ("every = 2", "evry = 2", "bot 2 (b): bot 'b': options evry=2 do not fit"),
        ('"saver"', '"saver?every=1"', "bot 2 (b): bot 'b': option 'every' stands both"),
        ("options = {", "option = {", "bot 2 (b): option: unknown key; did you mean 'options'?"),
    ],
)
def test_each_error_names_its_key_and_the_next_step(errors, old, new, expected):
    assert old in GOOD
    (line,) = errors(GOOD.replace(old, new.replace("\n", "\n    ")))
    assert line.startswith(expected)


def test_one_bot_or_none(errors):
    one = GOOD.split("[[bots]]")[0] + '[[bots]]\n    name = "a"\n    bot = "drawer"\n'
    assert errors(one)[0].startswith("bots: has 1 bot; a tournament needs two or more")
    assert errors(GOOD.split("[[bots]]")[0]) == ["bots: is missing; add it"]
    assert errors(GOOD.split("[[bots]]")[0] + "bots = 3") == [
        "bots: must be a list of tables, each begun by [[bots]], not 3"
    ]


def test_several_things_wrong_with_the_game_are_told_together(errors):
    lines = errors(GOOD.replace("deals = 3", "deals = 3\n    seats = 9").replace('"drawer"', '"nobody"'))
    assert [line.partition(":")[0] for line in lines] == ["seats", "bot 1 (a)"]


def test_a_bot_that_cannot_be_loaded_is_another_kind_of_error(errors, write):
    write("broken.py", "1/0")
    (line,) = errors(GOOD.replace('"drawer"', '"./broken.py"'), BotLoadError)
    assert line.startswith("bot 1 (a): ")
    assert "ZeroDivisionError" in line
    errors(GOOD.replace('"drawer"', '"./broken.py"').replace('"saver"', '"nobody"'), UsageError)


def test_bot_files_are_found_from_the_configs_folder(write, registry, monkeypatch, tmp_path):
    write("conf/mine.py", "def choose(view, legal): return legal[0]")
    file = write("conf/c.toml", GOOD.replace('"drawer"', '"./mine.py:choose"'))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    config = load_config(file, registry)
    assert config.bots[0].bot == f"{tmp_path}/conf/mine.py:choose"


def test_a_bot_file_that_links_to_itself_is_told(errors, tmp_path):
    (tmp_path / "loop.py").symlink_to("loop.py")
    (line,) = errors(GOOD.replace('"drawer"', f'"{tmp_path}/loop.py"'))
    assert "loop.py': no such file" in line


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"game = ", "not valid TOML"),
        (b"game = duel", "not valid TOML.*strings need quotes"),
        (b"game = 'a'\ngame = 'b'", "not valid TOML.*overwrite"),
        (b"game = '\xff\xfe'", "not a text in UTF-8"),
        (b"", "game: is missing"),
        (b"\xef\xbb\xbfgame = 'a'", "seed: is missing"),
        (b"seed = " + b"9" * 5000, "not a config: .*digits"),
        (b"seed = " + b"[" * 5000 + b"]" * 5000, "not a config: .*recursion"),
    ],
)
def test_bad_files(tmp_path, content, words):
    file = tmp_path / "c.toml"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=words):
        load_config(file)


def test_no_file_or_a_folder(tmp_path):
    with pytest.raises(UsageError, match=r"nope\.toml: no such file"):
        load_config(tmp_path / "nope.toml")
    with pytest.raises(UsageError, match="is a folder"):
        load_config(tmp_path)


def test_a_config_made_in_code_is_checked_too(registry):
    bots = (BotConfig(name="random", bot="coin"), BotConfig(name="random#2", bot="coin"))
    config = checked(RunConfig(game="high_card", seed=0, deals=1, bots=bots), registry)
    assert config.seats == 2
    with pytest.raises(UsageError, match="^seats: 9 is not for high_card"):
        checked(config.model_copy(update={"seats": 9}), registry)
