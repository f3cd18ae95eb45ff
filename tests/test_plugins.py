import os
import pickle
import re
import sys

import pytest

from harness.errors import BotLoadError, HarnessError, UsageError
from harness.offers import Origin, collect
from harness.plugins import SWITCH, load_plugins
from tests.conftest import HIGH_CARD
from tests.high_card import GAME

BOT = """
    from harness.api import Bot, hookimpl

    class Mine(Bot):
        def __init__(self, depth: int = 1):
            self.depth = depth

        def choose(self, view, legal):
            return legal[0]
"""
REGISTER = """
    @hookimpl
    def register_bots(register):
        register("{name}", Mine{games})
"""


def names(registry):
    return [bot.name for bot in registry.bots()]


# loading


def test_the_packages_own_games_and_bots_come_by_entry_point():
    registry = load_plugins()
    assert registry.errors == []
    assert "splendor_duel" in registry.game_names()
    assert registry.game_origin("splendor_duel").distribution == "jewel-harness"


def test_the_switch_chooses_entry_points(monkeypatch):
    monkeypatch.setenv(SWITCH, "")
    assert load_plugins().game_names() == []
    monkeypatch.setenv(SWITCH, "games, nonsense")
    registry = load_plugins()
    assert registry.game_names() == ["splendor_duel"]
    assert [e.source for e in registry.errors] == ["nonsense"]


def test_a_file_a_module_and_a_folder_are_plugins(write, monkeypatch, tmp_path):
    file = write("a.py", BOT + REGISTER.format(name="from_file", games=""))
    write("path/some_module_of_bots.py", BOT + REGISTER.format(name="from_module", games=""))
    write("folder/b.py", BOT + REGISTER.format(name="from_folder", games=""))
    write("folder/_helper.py", "raise RuntimeError('never loaded')")
    monkeypatch.syspath_prepend(tmp_path / "path")
    registry = load_plugins([str(file), "some_module_of_bots", str(tmp_path / "folder")])
    assert registry.errors == []
    assert {"from_file", "from_module", "from_folder"} <= set(names(registry))
    assert registry.extra == (str(file), "some_module_of_bots", str(tmp_path / "folder"))


def test_files_without_hooks_offer_their_bot_classes_and_choose(write):
    classes = write("c.py", BOT + "\n    class _Base(Mine): pass\n    class Other(_Base): pass\n")
    function = write("my-fun.py", "def choose(view, legal): return legal[0]")
    registry = load_plugins([str(classes), str(function)])
    assert {"Mine", "Other", "my-fun"} <= set(names(registry))
    assert not {"Bot", "_Base", "choose"} & set(names(registry))


BROKEN = {
    "import": ("import not_there_at_all", "ModuleNotFoundError.*not_there_at_all"),
    "syntax": ("def f(:", "SyntaxError"),
    "exit": ("raise SystemExit(3)", "SystemExit: 3"),
    "misspelt_hook": (
        "from harness.api import hookimpl\n@hookimpl\ndef register_bot(register): pass",
        "unknown hook 'register_bot'",
    ),
    "wrong_argument": (
        "from harness.api import hookimpl\n@hookimpl\ndef register_bots(register, more): pass",
        "more",
    ),
    "raising_hook": (
        "from harness.api import hookimpl\n@hookimpl\ndef register_bots(register):\n"
        "    register('half', lambda: 0)\n    1/0",
        "ZeroDivisionError",
    ),
    "bad_name": (
        "from harness.api import hookimpl\n@hookimpl\ndef register_bots(register): register('a b', lambda: 0)",
        "'a b'.*letters",
    ),
    "twice": (
        "from harness.api import hookimpl\n@hookimpl\ndef register_bots(register):\n"
        "    register('a', lambda: 0)\n    register('a', lambda: 1)",
        "'a' is registered twice",
    ),
    "games_as_text": (
        "from harness.api import hookimpl\n@hookimpl\n"
        "def register_bots(register): register('a', lambda: 0, games='high_card')",
        r"games=\['high_card'\]",
    ),
    "no_factory": (
        "from harness.api import hookimpl\n@hookimpl\ndef register_bots(register): register('a', 3)",
        "neither a Bot class nor a function",
    ),
    "nothing": ("x = 1", "offers no bot and no game"),
    "text_that_raises": (
        "class E(Exception):\n    def __str__(self): raise ValueError\nraise E",
        "E: .its text cannot be shown",
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_one_broken_plugin_is_reported_and_the_others_load(kind, write):
    text, words = BROKEN[kind]
    broken = write(f"{kind}.py", text)
    good = write("good.py", BOT + REGISTER.format(name="good", games=""))
    registry = load_plugins([str(broken), str(good)])
    (error,) = registry.errors
    assert error.source == str(broken)
    assert re.search(words, error.text), error.text
    assert "good" in names(registry)
    assert "half" not in names(registry)


def test_a_broken_file_in_a_folder_stops_nothing(write, tmp_path):
    write("d/a_broken.py", "1/0")
    write("d/b_good.py", BOT)
    write("d/c_nothing.py", "")
    registry = load_plugins([str(tmp_path / "d")])
    assert [error.source for error in registry.errors] == [str(tmp_path / "d" / "a_broken.py")]
    assert "line 1" in registry.errors[0].text
    assert "Mine" in names(registry)


def test_two_plugins_cannot_silently_own_one_name(write):
    first = write("first.py", BOT + REGISTER.format(name="same", games=""))
    second = write("second.py", BOT + REGISTER.format(name="same", games="") + '        register("other", Mine)\n')
    registry = load_plugins([str(first), str(second)])
    (error,) = registry.errors
    assert error.source == str(second)
    assert str(first) in error.text
    assert "'same'" in error.text
    assert registry.find("same").origin.source == str(first)
    assert "other" in names(registry)


def test_a_game_name_cannot_be_taken_either(write):
    late = write(
        "late.py",
        "from harness.api import hookimpl\n@hookimpl\n"
        "def register_games(register): register('splendor_duel', lambda: 1)",
    )
    registry = load_plugins([str(late)])
    assert "splendor_duel" in registry.errors[0].text
    assert "jewel-harness:games" in registry.errors[0].text


def test_the_same_source_twice_is_one_plugin(write):
    file = write("a.py", BOT)
    assert load_plugins([str(file), str(file)]).errors == []


def test_a_plugin_without_a_name_is_not_the_current_folder(write, monkeypatch, tmp_path):
    write("stranger.py", BOT)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="has no name"):
        load_plugins([""])


def test_a_path_too_long_is_a_usage_error(registry):
    with pytest.raises(UsageError, match="cannot be looked up: .*too long"):
        registry.find(f"./{'x' * 300}.py")


def test_a_missing_path_is_a_usage_error(tmp_path, write):
    write("near.py", "")
    with pytest.raises(UsageError, match=r"no such file.*near\.py"):
        load_plugins([str(tmp_path / "nera.py")])


def test_a_missing_module_is_reported_with_the_file_that_was_meant(monkeypatch, write, tmp_path):
    write("my_own_bots.py", BOT)
    monkeypatch.chdir(tmp_path)
    registry = load_plugins(["my_own_bots"])
    assert "give its file: ./my_own_bots.py" in registry.errors[0].text


def test_loading_files_shadows_nothing(write):
    path = list(sys.path)
    file = write("types.py", "from types import SimpleNamespace\n" + "def choose(view, legal): return 0")
    assert load_plugins([str(file)]).errors == []
    assert sys.path == path
    assert "harness_plugin_types" not in sys.modules["types"].__name__


def test_an_edit_within_a_second_is_seen_and_no_bytecode_is_left_beside_the_file(write):
    for answer in (1, 2):
        file = write("quick.py", f"ANSWER = {answer}\ndef choose(view, legal): return ANSWER")
        os.utime(file, (1_000_000_000, 1_000_000_000))
        registry = load_plugins([str(file)])
        source = registry.source("quick", "quick", {}, GAME)
        assert registry.player_factory(source)().choose(None, []) == answer
    assert not (file.parent / "__pycache__").exists()


def test_a_module_that_failed_leaves_nothing_behind(write):
    write_before = set(sys.modules)
    load_plugins([str(write("bad.py", "1/0"))])
    assert not [name for name in set(sys.modules) - write_before if "bad" in name]


# games


def test_a_game_is_loaded_when_asked_for(write):
    file = write(
        "g.py",
        """
        from harness.api import hookimpl
        @hookimpl
        def register_games(register):
            register("broken", lambda: 1 / 0)
            register("number", lambda: 3)
        """,
    )
    registry = load_plugins([str(file)])
    assert registry.errors == []
    with pytest.raises(HarnessError, match="'broken'.*ZeroDivisionError"):
        registry.game("broken")
    with pytest.raises(HarnessError, match="'number'.*gave int"):
        registry.game("number")


def test_an_unknown_game_names_close_ones(registry):
    assert registry.game("high_card").title == GAME.title
    with pytest.raises(UsageError, match="did you mean 'high_card'"):
        registry.game("high_crad")
    with pytest.raises(UsageError, match="there is: high_card, splendor_duel"):
        registry.game("zzz")


# bots


def test_unknown_bots(registry):
    with pytest.raises(UsageError, match=r"unknown bot 'savr'; did you mean 'saver'\?"):
        registry.find("savr")
    with pytest.raises(UsageError, match="there is: .*drawer.*file is given as ./file.py"):
        registry.find("zzz")


def test_an_unknown_bot_may_be_in_the_plugin_that_failed(write):
    registry = load_plugins([str(write("bad.py", "import not_there_at_all"))])
    with pytest.raises(BotLoadError, match="not_there_at_all"):
        registry.find("zzz")


def test_a_file_offers_its_only_bot_or_lists_the_choices(registry, write):
    one = write("one.py", BOT)
    two = write("two.py", BOT + "\n    def choose(view, legal, rng): return 0\n")
    none = write("none.py", "x = 1")
    assert registry.find(str(one)).name == "Mine"
    assert registry.find(f"{two}:choose").name == "choose"
    assert registry.find(f"{two}:Mine").name == "Mine"
    with pytest.raises(UsageError, match=r"several \(Mine, choose\); pick one: .*two.py:Mine"):
        registry.find(str(two))
    with pytest.raises(UsageError, match="has no bot 'Yours'; it offers Mine, choose"):
        registry.find(f"{two}:Yours")
    with pytest.raises(BotLoadError, match="nothing to play with"):
        registry.find(str(none))


def test_a_file_with_hooks_is_picked_from_by_registered_or_python_name_or_game(registry, write):
    file = write(
        "f.py",
        BOT
        + """
    @hookimpl
    def register_bots(register):
        register("deep", lambda depth=9: Mine(depth), games=["high_card"])
        register("duel", Mine, games=["splendor_duel"])
    """,
    )
    assert registry.find(str(file), "high_card").name == "deep"
    assert registry.find(f"{file}:deep").name == "deep"
    assert registry.find(f"{file}:Mine").games == ("splendor_duel",)
    with pytest.raises(UsageError, match="several"):
        registry.find(str(file))
    with pytest.raises(UsageError, match="none of its bots.*'chess'"):
        registry.find(str(file), "chess")


def test_module_specs(registry, write, monkeypatch, tmp_path):
    write("pkg_for_specs/__init__.py", "")
    write("pkg_for_specs/inner.py", BOT)
    monkeypatch.syspath_prepend(tmp_path)
    assert registry.find("pkg_for_specs.inner:Mine").name == "Mine"
    with pytest.raises(UsageError, match="no bot 'Nobody'"):
        registry.find("pkg_for_specs.inner:Nobody")
    with pytest.raises(BotLoadError, match="no module is called"):
        registry.find("pkg_for_specs.outer:Mine")
    assert registry.find("sys:exit").origin.source == "sys"  # a module without a file


def test_a_broken_bot_file_is_a_load_error_with_its_line(registry, write):
    with pytest.raises(BotLoadError, match=r"broken\.py could not be loaded: ZeroDivisionError.*line 2"):
        registry.find(str(write("broken.py", "x = 1\n1/0")))
    with pytest.raises(UsageError, match="no such file"):
        registry.find("./not_there.py")


# sources and players


def test_a_source_is_plain_data_and_builds_players_in_another_registry(registry):
    source = registry.source("s", "saver?every=3", {}, GAME)
    assert (source.name, source.options, source.game) == ("s", {"every": 3}, "high_card")
    copy = pickle.loads(pickle.dumps(source))
    make = load_plugins([str(HIGH_CARD)]).player_factory(copy)
    first, second = make(), make()
    assert first.every == 3
    assert first is not second
    function = registry.player_factory(registry.source("d", "drawer", {}, GAME))()
    assert function.choose(None, [0, 1]) == 0


def test_a_source_names_the_distribution_of_an_installed_bot(registry, monkeypatch):
    entry = registry.find("saver")
    origin = Origin("some-dist:bots", "some-dist", "1.2")
    monkeypatch.setitem(registry._bots, "saver", type(entry)("saver", entry.factory, None, origin))
    source = registry.source("s", "saver", {}, GAME)
    assert (source.distribution, source.version) == ("some-dist", "1.2")


def test_a_source_that_changed_is_refused(write):
    file = write("mine.py", BOT)
    source = load_plugins().source("m", str(file), {}, GAME)
    assert load_plugins().player_factory(source)().depth == 1
    file.write_text(file.read_text() + "\n# changed\n")
    with pytest.raises(BotLoadError, match="'m'.*its source changed"):
        load_plugins().player_factory(source)


def test_a_bot_must_be_for_the_game(registry, write):
    file = write("other.py", BOT + REGISTER.format(name="other", games=', games=["splendor_duel"]'))
    with pytest.raises(UsageError, match="'o'.*not for game 'high_card' but for splendor_duel"):
        registry.source("o", f"{file}:other", {}, GAME)


def test_options_come_from_spec_and_config_but_not_both(registry):
    assert registry.source("s", "saver", {"every": 2}, GAME).options == {"every": 2}
    with pytest.raises(UsageError, match="'every' stands both"):
        registry.source("s", "saver?every=1", {"every": 2}, GAME)
    with pytest.raises(UsageError, match="'s': options depth=1 do not fit"):
        registry.source("s", "saver?depth=1", {}, GAME)


def test_a_bot_that_cannot_be_built_is_a_load_error(registry, write):
    file = write("f.py", BOT.replace("self.depth = depth", "raise OSError('no weights')"))
    with pytest.raises(BotLoadError, match=r"'f' .*depth=3: OSError: no weights \(.*f\.py, line"):
        registry.source("f", f"{file}?depth=3", {}, GAME)


def test_a_factory_may_give_a_function(registry, write):
    file = write(
        "f.py",
        """
        from harness.api import hookimpl
        def make(offset=0):
            def choose(view, legal, rng):
                return legal[offset]
            return choose
        @hookimpl
        def register_bots(register):
            register("closure", make)
        """,
    )
    player = registry.player_factory(registry.source("c", f"{file}?offset=1", {}, GAME))()
    player.start(GAME, 0, 7)
    assert player.choose(None, [4, 5]) == 5


# fingerprints


@pytest.fixture
def package(write, monkeypatch, tmp_path):
    """A package of bots: alpha imports shared, and __init__ registers alpha and beta lazily."""
    name = f"bots_of_{tmp_path.name.replace('-', '_')}"
    write(
        f"{name}/__init__.py",
        f"""
        from harness.api import hookimpl
        def lazily(**options):
            from {name}.alpha import Alpha
            return Alpha(**options)
        @hookimpl
        def register_bots(register):
            register("alpha", lazily)
        """,
    )
    write(
        f"{name}/alpha.py",
        "from harness.api import Bot\nfrom .shared import pick\n"
        "class Alpha(Bot):\n    def choose(self, view, legal): return pick(legal)\n",
    )
    write(f"{name}/shared.py", "def pick(legal): return legal[0]")
    write(f"{name}/beta.py", "x = 1")
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    for module in [m for m in sys.modules if m.partition(".")[0] == name]:
        del sys.modules[module]


@pytest.mark.parametrize(
    ("changed", "differs"), [("alpha.py", True), ("shared.py", True), ("beta.py", False), ("__init__.py", False)]
)
def test_a_fingerprint_covers_what_the_bot_is_made_of(package, tmp_path, changed, differs):
    before = load_plugins([package]).source("a", "alpha", {}, GAME).sha256
    file = tmp_path / package / changed
    file.write_text(file.read_text() + "\n# changed\n")
    after = load_plugins([package]).source("a", "alpha", {}, GAME).sha256
    assert (before != after) is differs


def test_collect_says_what_is_wrong_with_a_hook():
    import types

    module = types.ModuleType("empty")
    offer = collect(module, Origin("empty"))
    assert (offer.bots, offer.games) == ([], [])


# installed distributions


@pytest.fixture
def install(write, monkeypatch, tmp_path):
    """Pretend that a distribution is installed: its metadata and one module, under tmp_path/site."""
    monkeypatch.delenv(SWITCH)
    monkeypatch.syspath_prepend(tmp_path / "site")
    modules = []

    def install(name: str, entry_point: str, module: str, text: str) -> None:
        info = f"site/{name.replace('-', '_')}-1.5.dist-info"
        write(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.5\n")
        write(f"{info}/entry_points.txt", f"[harness]\n{entry_point} = {module}\n")
        file = module.partition(":")[0]
        write(f"{info}/RECORD", f"{file}.py,,\n")
        write(f"site/{file}.py", text)
        modules.append(file)

    yield install
    for module in modules:
        sys.modules.pop(module, None)


def test_an_installed_plugin_is_in_the_list_and_a_broken_one_stops_nothing(install):
    install("aaa-broken", "plug", "aaa_broken_module", "import not_there_at_all")
    install("zzz-good", "plug", "zzz_good_module", BOT + REGISTER.format(name="installed", games=""))
    registry = load_plugins()
    assert [error.source for error in registry.errors] == ["aaa-broken:plug"]
    assert "splendor_duel" in registry.game_names()
    source = registry.source("x", "installed", {}, GAME)
    assert (source.distribution, source.version) == ("zzz-good", "1.5")
    assert registry.find("zzz_good_module:Mine").origin.distribution == "zzz-good"


def test_an_installed_plugin_cannot_take_the_name_of_a_built_in_game(install):
    install(
        "aaa-first",
        "games",
        "aaa_first_module",
        "from harness.api import hookimpl\n@hookimpl\n"
        "def register_games(register): register('splendor_duel', lambda: 1)",
    )
    registry = load_plugins()
    assert registry.game_origin("splendor_duel").distribution == "jewel-harness"
    (error,) = registry.errors
    assert (error.source, "jewel-harness:games" in error.text) == ("aaa-first:games", True)


def test_two_distributions_with_one_bot_name_are_both_named(install):
    install("dist-one", "bots", "dist_one_module", BOT + REGISTER.format(name="same", games=""))
    install("dist-two", "bots", "dist_two_module", BOT + REGISTER.format(name="same", games=""))
    registry = load_plugins()
    assert registry.find("same").origin.distribution == "dist-one"
    assert str(registry.errors[0]).startswith(
        "plugin dist-two:bots: bot 'same' is already registered by plugin dist-one"
    )


def test_an_entry_point_that_is_no_module_is_reported(install):
    install("zzz-odd", "odd", "zzz_odd_module:thing", "thing = 3")
    assert "name the module that has the hooks" in load_plugins().errors[0].text
