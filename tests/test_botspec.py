import pytest

from harness.botspec import name_bots, parse_scalar, parse_spec
from harness.errors import UsageError


def test_a_registered_name_with_options():
    spec = parse_spec("mcts?simulations=500&c=1.4&deep=true&name=abc")
    assert (spec.kind, spec.target, spec.pick) == ("name", "mcts", None)
    assert spec.options == {"simulations": 500, "c": 1.4, "deep": True, "name": "abc"}


@pytest.mark.parametrize(
    ("text", "kind", "target", "pick", "name"),
    [
        ("greedy", "name", "greedy", None, "greedy"),
        ("./my_bot.py", "file", "./my_bot.py", None, "my_bot"),
        ("my_bot.py", "file", "my_bot.py", None, "my_bot"),
        ("../a/b.py:Mine?depth=2", "file", "../a/b.py", "Mine", "Mine"),
        ("/x/my bot.py", "file", "/x/my bot.py", None, "my_bot"),
        ("some.pkg:Bot", "module", "some.pkg", "Bot", "Bot"),
        ("v1.2-b_c", "name", "v1.2-b_c", None, "v1.2-b_c"),
    ],
)
def test_forms(text, kind, target, pick, name):
    spec = parse_spec(text)
    assert (spec.kind, spec.target, spec.pick, spec.default_name) == (kind, target, pick, name)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("stdio:./engine --flag", "not supported yet"),
        ("", "not a bot spec"),
        ("two words", "not a bot spec"),
        ("random#2", "not a bot spec"),
        ("a:b:c", "not a bot spec"),
        (":Name", "not a bot spec"),
        ("pkg:", "not a bot spec"),
        ("./file.py:", "a name is missing"),
        ("./folder/", "--plugin"),
        ("greedy?fast", "option=value"),
        ("greedy?=3", "option=value"),
        ("greedy?a=1&a=2", "given twice"),
    ],
)
def test_what_is_no_spec_says_what_is_wrong(text, words):
    with pytest.raises(UsageError, match=words):
        parse_spec(text)


def test_values_are_read_as_toml_reads_them():
    values = {"1": 1, "-2": -2, "1_000": 1000, "0.5": 0.5, "1e3": 1000.0, "true": True, '"7"': "7"}
    for text, value in values.items():
        assert parse_scalar(text) == value
        assert type(parse_scalar(text)) is type(value)
    for text in ("abc", "1.2.3", "True", "2026-01-02", "[1, 2]", "{ a = 1 }", "", "a/b", "9" * 5000, "[" * 5000):
        assert parse_scalar(text) == text


def test_bots_given_twice_are_numbered():
    assert name_bots(["random", "./a/x.py", "random", "b/x.py", "random?k=1"]) == [
        ("random", "random"),
        ("x", "./a/x.py"),
        ("random#2", "random"),
        ("x#2", "b/x.py"),
        ("random#3", "random?k=1"),
    ]
