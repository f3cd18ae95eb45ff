from harness.records import Block, Result


def result(ranks):
    n = len(ranks)
    return Result(
        game_id="x/0/0",
        bots=tuple("abcd"[:n]),
        ranks=ranks,
        points=(0,) * n,
        victory_type="v",
        flags=(),
        ended_by="rules",
        turns=1,
        actions=b"\x00\x00",
        measures={},
        seat_seconds=(0.0,) * n,
        max_move_seconds=(0.0,) * n,
        seconds=0.0,
    )


def test_scores_are_the_share_of_the_others_beaten():
    assert result((1, 2)).scores == (1.0, 0.0)
    assert result((1, 1)).scores == (0.5, 0.5)
    assert result((1, 2, 2, 4)).scores == (1.0, 0.5, 0.5, 0.0)
    assert result((1, 1, 3)).won == (0.5, 0.5, 0.0)


def test_every_bot_sits_in_every_seat_once_in_a_block():
    for n in (2, 3, 4, 5):
        table = tuple("abcde"[:n])
        for deal in range(30):
            seatings = [Block(0, table, deal).seating(r) for r in range(n)]
            for seat in range(n):
                assert sorted(s[seat] for s in seatings) == sorted(table)


def test_all_cyclic_orders_come_in_turn():
    table = tuple("abcd")
    orders = {Block(0, table, deal).seating(0) for deal in range(6)}
    assert len(orders) == 6
    assert Block(0, table, 6).seating(0) == Block(0, table, 0).seating(0)
    assert Block(0, table, 7).game_id(2) == "a+b+c+d/7/2"
