from functools import partial
from random import Random

import pytest

from harness.api import Bot
from harness.errors import BotLoadError, UsageError
from harness.players import as_player, choose_arity, describe_options, product_maker
from tests.high_card import GAME, Saver, coin, drawer


def test_a_bot_is_its_own_player():
    bot = Saver()
    assert as_player(bot, "x") is bot


def test_a_two_argument_function_is_called_without_a_wrapper():
    player = as_player(drawer, "x")
    player.start(GAME, 0, 1)
    assert player.choose is drawer
    player.finish(None)


def test_a_three_argument_function_draws_from_its_own_seed_anew_each_game():
    player = as_player(coin, "x")
    games = []
    for seed in (5, 6, 5):
        player.start(GAME, 0, seed)
        games.append([player.choose(None, [0, 1]) for _ in range(40)])
    rng = Random(5)
    assert games[0] == games[2] == [rng.choice([0, 1]) for _ in range(40)]
    assert games[0] != games[1]


def test_choose_functions_are_told_from_factories():
    assert choose_arity(lambda view, legal: 0) == 2
    assert choose_arity(lambda view, legal, rng=None: 0) == 2
    assert choose_arity(lambda view, legal, rng: 0) == 3
    assert choose_arity(partial(coin, rng=Random(1))) == 2
    for other in (Saver, Bot, Saver(), lambda: 0, lambda depth: 0, lambda depth=1: 0, lambda *, a, b: 0, 3):
        assert choose_arity(other) is None


@pytest.mark.parametrize("product", [None, 3, Saver, lambda: 0, object()])
def test_what_is_no_bot_is_refused(product):
    with pytest.raises(BotLoadError, match="'mine'.*its factory gave"):
        as_player(product, "mine")


def test_options_are_checked_against_the_factory():
    assert product_maker(Saver, {"every": 3}, "x")().every == 3
    with pytest.raises(UsageError, match=r"bot 'x': options evry=3 do not fit.*it takes every: int = 0"):
        product_maker(Saver, {"evry": 3}, "x")
    with pytest.raises(UsageError, match="takes no options"):
        product_maker(lambda: Saver(), {"a": 1}, "x")
    with pytest.raises(UsageError, match="plain function takes no options.*depth=2"):
        product_maker(drawer, {"depth": 2}, "x")
    with pytest.raises(UsageError, match=r"its function is choose\(view\); write choose\(view, legal\) or"):
        product_maker(_choose_of_one(), {}, "x")
    with pytest.raises(UsageError, match="do not fit.*missing a required"):
        product_maker(lambda depth: Saver(depth), {}, "x")


def _choose_of_one():
    def choose(view):
        return 0

    return choose


def test_a_maker_makes_a_new_bot_each_time():
    make = product_maker(Saver, {}, "x")
    assert make() is not make()


def test_options_are_described_as_in_the_signature():
    assert describe_options(Saver) == ["every: int = 0"]
    assert describe_options(drawer) == []
