import io
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from harness import report
from harness.errors import UsageError
from harness.report import headline, text
from harness.report.data import RunData
from harness.report.table import Column, Table, cell, ends, number
from tests.report.frames import STRENGTH, frames, info, run

NASTY = "<b>x</b>&\"'$1_{2}$"
VOID = {"meta", "link", "br", "img", "hr", "input", "use", "path", "rect"}


class Page(HTMLParser):
    """Checks nesting and collects what the tests ask for."""

    def __init__(self, content):
        super().__init__()
        self.open, self.ids, self.links, self.tags, self.words = [], [], [], [], []
        self.feed(content)
        self.close()

    def handle_startendtag(self, tag, attrs):
        self.note(tag, dict(attrs))

    def handle_starttag(self, tag, attrs):
        self.note(tag, dict(attrs))
        if tag not in VOID:
            self.open.append(tag)

    def note(self, tag, attrs):
        self.tags.append((tag, attrs))
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.links += [attrs[k] for k in ("href", "src", "xlink:href") if k in attrs]

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open, f"</{tag}> closes nothing"
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    out = tmp_path_factory.mktemp("report")
    data = run(deals=20, faulty={"random": 0.1}, mirrors=True)
    return data, report.render(data, out)


def test_the_page_is_sound_and_alone(written):
    content = written[1].read_text()
    page = Page(content)
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert all(link.startswith("#") for link in page.links)
    assert {link[1:] for link in page.links} <= set(page.ids)
    addresses = set(re.findall(r"https?://[^\s\"'<>)]+", content))
    assert all("w3.org" in address for address in addresses)  # names of the drawing's language, never fetched
    assert not re.search(r"@import|url\((?!#)", content)


def test_the_page_speaks_to_all(written):
    page = Page(written[1].read_text())
    tags = [tag for tag, _ in page.tags]
    assert tags.count("table") == tags.count("caption") > 5
    heads = [attrs for tag, attrs in page.tags if tag == "th"]
    assert all(attrs.get("scope") in ("col", "row") for attrs in heads)
    drawings = [attrs for tag, attrs in page.tags if tag == "svg"]
    assert len(drawings) == 5
    assert all(d["role"] == "img" and len(d["aria-label"]) > 20 for d in drawings)
    assert ("html", {"lang": "en"}) in page.tags
    assert "prefers-color-scheme: dark" in written[1].read_text()
    assert "@media print" in written[1].read_text()


def test_the_answer_comes_first(written):
    data, path = written
    content = path.read_text()
    answer = headline.sentences(data, report.build(data))
    assert "greedy" in answer[0]
    assert content.index("The answer") < content.index("Contents") < content.index('id="leaderboard"')
    assert answer[0] in content


def test_every_csv_is_its_table(written):
    data, path = written
    for name, table in report.build(data).items():
        found = pd.read_csv(path.parent / "tables" / f"{name}.csv", keep_default_na=True)
        assert found.columns.tolist() == table.frame.columns.tolist()
        assert len(found) == len(table.frame)
        for key in found:
            if pd.api.types.is_numeric_dtype(table.frame[key]):
                assert np.allclose(found[key].astype(float), table.frame[key].astype(float), equal_nan=True), (
                    name,
                    key,
                )
        assert (path.parent / "tables" / f"{name}.md").read_text().startswith(f"### {table.title}")


def test_the_page_shows_what_the_table_holds(written):
    data, path = written
    row = report.build(data)["leaderboard"].frame.iloc[0]
    content = path.read_text()
    for shown in (f"{100 * row['score']:.1f} %", f"{row['wins']:,}", f"+{row['rating']:.0f}"):
        assert shown in content


def test_charts_are_written_and_do_not_change(written, tmp_path):
    data, path = written
    again = report.render(data, tmp_path)
    assert again.read_bytes() == path.read_bytes()
    for name in ("leaderboard", "victory_types", "cross_table", "seat_advantage", "game_length"):
        svg = (path.parent / "charts" / f"{name}.svg").read_bytes()
        assert svg == (tmp_path / "charts" / f"{name}.svg").read_bytes()
        assert b"<text" in svg  # words stay words
        assert b"dc:date" not in svg
        png = (path.parent / "charts" / f"{name}.png").read_bytes()
        assert png.startswith(b"\x89PNG")
        assert png == (tmp_path / "charts" / f"{name}.png").read_bytes()


def test_names_are_never_markup(tmp_path):
    games, seats = frames(bots=("greedy", "random"), deals=5, faulty={"random": 0.2})
    for frame in (games, seats):
        for key in ("bot", "table", "first_seat_bot", "game_id"):
            if key in frame:
                frame[key] = frame[key].str.replace("random", NASTY, regex=False)
    seats["fault_text"] = seats["fault_text"].str.replace("7", "<script>alert(1)</script>", regex=False)
    path = report.render(RunData(info(bots={NASTY: {"options": {"x": "</pre><script>"}}}), games, seats), tmp_path)
    page = Page(path.read_text())
    assert page.open == []
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert not any(tag == "b" and "x" in attrs for tag, attrs in page.tags)
    assert NASTY in "".join(page.words)
    assert "<b>x" not in (tmp_path / "tables" / "leaderboard.md").read_text().replace("\\<", "")
    assert NASTY in (tmp_path / "tables" / "leaderboard.csv").read_text().replace('""', '"')


EDGES = {
    "two bots, one deal": {"bots": ("greedy", "random"), "deals": 1},
    "sweeps": {"bots": ("god", "greedy", "worm"), "deals": 12, "limits": 0},
    "only forfeits": {"bots": ("greedy", "random"), "deals": 4, "faulty": {"greedy": 1, "random": 1}},
    "only limits": {"bots": ("greedy", "random"), "deals": 4, "limits": 1},
    "three seats": {"deals": 6, "seats": 3},
    "long names": {"bots": ("greedy" * 12, "random" * 12, "c"), "deals": 6},
    "one bot": {"bots": ("greedy",), "deals": 6, "mirrors": True},
}


@pytest.mark.parametrize("case", EDGES)
def test_no_run_is_too_odd(case, tmp_path, monkeypatch):
    monkeypatch.setitem(STRENGTH, "god", 50.0)
    monkeypatch.setitem(STRENGTH, "worm", -50.0)
    path = report.render(run(**EDGES[case]), tmp_path)
    page = Page(path.read_text())
    assert page.open == []
    words = "".join(page.words)
    assert not re.search(r"\b(nan|inf|None(?! of the))\b", re.sub(r"All of run.json.*", "", words, flags=re.DOTALL))


def test_many_bots_fit_in_a_page(tmp_path):
    path = report.render(run(bots=[f"bot{i:02}" for i in range(20)], deals=2), tmp_path)
    assert path.stat().st_size < 4_000_000


def test_an_unwritable_folder_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"cannot write .*file.*the games are untouched"):
        report.render(run(deals=1), tmp_path / "file")


class TestHeadline:
    def say(self, **how):
        data = run(**how)
        return headline.sentences(data, report.build(data))

    def test_the_best_is_named_with_its_lead(self):
        said = self.say(deals=60)
        assert re.fullmatch(r"greedy is the best of 5: greedy stands \d+ (± \d+ )?Elo above \w+( \[.*\])?\.", said[0])
        assert re.fullmatch(r"greedy stands \d+ (± \d+ )?Elo above random( \[.*\])?\.", said[1])

    def test_equal_bots_are_not_ranked(self, monkeypatch):
        for bot in ("a", "b", "c"):
            monkeypatch.setitem(STRENGTH, bot, 0.0)
        said = self.say(bots=("a", "b", "c"), deals=60)
        assert re.fullmatch(r"The top 3 are not separated: [abc], [abc] and [abc]\.", said[0])
        assert not any("stands" in sentence for sentence in said)

    def test_a_sweep_is_a_bound(self, monkeypatch):
        monkeypatch.setitem(STRENGTH, "god", 50.0)
        assert re.fullmatch(
            r"god is at least \d+ Elo above random\.", self.say(bots=("god", "random"), deals=60, limits=0)[0]
        )

    def test_roads_need_clear_intervals(self):
        said = " ".join(self.say(bots=("color_rusher", "random"), deals=60))
        assert re.search(r"color_rusher takes \d+ % \[\d+, \d+\] of its [\d,]+ wins by color\.", said)

    def test_few_deals_are_said(self):
        assert "Only one deal" in self.say(deals=1)[-1]
        assert "Only 5 deals" in self.say(deals=5)[-1]
        assert "Only" not in self.say(deals=40)[-1]

    def test_faults_and_limits_are_said(self):
        said = " ".join(self.say(deals=40, faulty={"random": 0.3}, limits=0.2))
        assert re.search(r"\d+ of 800 games were forfeited, all of them by random \(illegal action\)", said)
        assert "were stopped by a limit" in said
        assert "None of the 40 games was forfeited." in self.say(bots=("greedy", "random"), deals=20)


class TestText:
    def test_nothing_is_wider_than_the_terminal(self, written):
        for table in report.build(written[0]).values():
            for line in [*text.plain(table).splitlines(), *text.markdown(table).splitlines()]:
                assert len(line) <= text.WIDTH, (table.name, line)

    def test_every_number_of_a_row_is_there(self, written):
        table = report.build(written[0])["leaderboard"]
        shown = text.plain(table)
        for row in table.frame.to_dict("records"):
            for column in table.columns:
                assert cell(row, column, narrow=True) in shown

    def test_rows_left_out_are_counted(self, written):
        table = report.build(written[0])["victory_types"]
        assert "25 rows in all" in text.plain(table, limit=3)

    def test_markdown_reads_back(self, written):
        table = report.build(written[0])["faults"]
        lines = [line for line in text.markdown(table).splitlines() if line.startswith("|")]
        found = pd.read_csv(io.StringIO("\n".join(lines[:1] + lines[2:3])), sep="|").iloc[0]
        assert next(value for value in found if isinstance(value, str)).strip() == "random"


class TestNumbers:
    column = Column("x", "X", "percent")

    def test_values(self):
        assert number(0.1234, "percent") == "12.3 %"
        assert number(-3.4, "elo") == "−3"
        assert number(-0.2, "elo") == "0"
        assert number(1234, "count") == "1,234"
        assert number(np.nan, "percent") == "–"
        assert number(0.00042, "seconds") == "420 µs"
        assert number(1e-5, "p") == "< 0.001"

    def test_intervals(self):
        row = {"x": 0.5, "x_low": 0.4, "x_high": 0.61}
        assert ends(row, self.column) == "[40.0, 61.0]"
        assert cell(row, self.column, narrow=True) == "50% [40,61]"
        assert ends({"x": 1, "x_low": np.nan, "x_high": np.nan}, self.column) == ""
        elo = Column("x", "X", "elo")
        assert ends({"x": 1, "x_low": 120.0, "x_high": np.inf}, elo) == "[≥ +120]"
        assert ends({"x": 1, "x_low": -np.inf, "x_high": -120.0}, elo) == "[≤ −120]"

    def test_narrow_intervals_keep_a_digit(self):
        assert cell({"x": 0.5, "x_low": 0.49, "x_high": 0.51}, self.column, narrow=True) == "50.0% [49.0,51.0]"

    def test_an_empty_table_says_so(self):
        table = Table("t", "T", pd.DataFrame(columns=["x"]), [self.column])
        assert "nothing to show" in text.plain(table)
        assert "nothing to show" in text.markdown(table)
