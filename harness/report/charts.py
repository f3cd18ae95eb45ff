"""The charts of a report, drawn on bare figures (no global plot state), each beside a table with the same numbers."""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from harness.records import FORFEIT
from harness.report.data import RunData
from harness.report.table import Table, number, words
from harness.stats.intervals import Floats

INK, FAINT, PAPER = "#1b1f24", "#c9ced6", "#fefefe"
"""Text, grid and ground: in a page they follow its light or dark style, so nothing else may use these values."""
MAIN = "#0072b2"
LIMIT, FORFEITED = "#a9a08c", "#6b6b6b"
ROADS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#f0e442")
"""Okabe and Ito's colours, told apart by colour-blind people too; a victory type keeps its place in declared order."""
HATCHES = ("", "///", "\\\\\\", "---", "|||", "xxx", "+++")
WIDTH = 8.0  # inches
PNG_DPI = 160
LONGEST = 26  # letters of a name
STYLE: Any = {
    "font.family": "sans-serif", "font.size": 9.5, "svg.fonttype": "none", "axes.spines.top": False,
    "axes.spines.right": False, "axes.edgecolor": FAINT, "axes.labelcolor": INK, "text.color": INK,
    "xtick.color": INK, "ytick.color": INK, "xtick.labelcolor": INK, "axes.titlesize": 10.5, "axes.titleweight": "bold",
    "axes.titlelocation": "left", "axes.titlepad": 10, "hatch.linewidth": 0.5, "figure.facecolor": PAPER,
    "axes.facecolor": "none", "axes.axisbelow": True, "text.parse_math": False,
}  # fmt: skip


@dataclass(frozen=True)
class Chart:
    """One chart: file name, title, what it says for those who cannot see it, and its two pictures."""

    name: str
    title: str
    alt: str
    svg: str
    png: bytes


def _canvas(height: float, name: str) -> tuple[Figure, Axes]:
    layout = ConstrainedLayoutEngine(rect=(0, 0, 0.98, 1))  # a browser's font may be wider than the one measured
    figure = Figure(figsize=(WIDTH, height), layout=layout)
    figure.set_gid(name)
    return figure, figure.add_subplot()


def _finish(figure: Figure, name: str, title: str, alt: str) -> Chart:
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # laid out once for both pictures
    text, image = io.StringIO(), io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": name}):
        FigureCanvasSVG(figure).print_svg(text, metadata={"Date": None, "Creator": None})  # type: ignore[no-untyped-call]
        figure.set_dpi(PNG_DPI)
        FigureCanvasAgg(figure).print_png(image, metadata={"Software": None})  # type: ignore[no-untyped-call]
    return Chart(name, title, alt, text.getvalue(), image.getvalue())


def inline(chart: Chart) -> str:
    """Return the SVG as part of a page: ids of its own, colours of the page, described for screen readers."""
    svg = chart.svg[chart.svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{chart.name}-", svg)
    for value, name in ((INK, "ink"), (FAINT, "line"), (PAPER, "paper"), (MAIN, "blue"), (FORFEITED, "grey")):
        svg = svg.replace(value, f"var(--{name})")
    svg = re.sub(r"font: ([^;\"]*?)(\d[\d.]*px) [^;\"]*", r"font: \1\2 var(--sans)", svg)
    return re.sub(
        r"<svg [^>]*?(viewBox=\"[^\"]*\")[^>]*>",
        rf'<svg \1 role="img" aria-label="{_attribute(chart.alt)}">',
        svg,
        count=1,
    )


def _attribute(text: str) -> str:
    for mark, entity in (("&", "&amp;"), ('"', "&quot;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(mark, entity)
    return text.replace("\\", "\\\\")


def colours(data: RunData) -> dict[str, str]:
    """Return the colour of each victory type: by declared order, greys for limits and forfeits."""
    plain = [t for t in data.types if t not in data.info.limit_types and t != FORFEIT]
    found = {t: ROADS[i % len(ROADS)] for i, t in enumerate(plain)}
    return found | dict.fromkeys(data.info.limit_types, LIMIT) | {FORFEIT: FORFEITED}


def _hatch(data: RunData, kind: str) -> str:
    return HATCHES[data.types.index(kind) % len(HATCHES)]


def _short(name: str) -> str:
    """A name that leaves room for its bar; the tables hold it whole."""
    return name if len(name) <= LONGEST or "\n" in name else name[: LONGEST - 1] + "…"


def _rows(axes: Axes, labels: Sequence[str]) -> None:
    axes.set_yticks(range(len(labels)), [_short(label) for label in labels])
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _right(axes: Axes, labels: Sequence[str]) -> None:
    """Put the numbers of each row at its right end."""
    side = axes.secondary_yaxis("right")
    side.set_yticks(range(len(labels)), labels)
    side.tick_params(length=0)
    side.spines["right"].set_visible(False)


def leaderboard(data: RunData, table: Table) -> Chart | None:
    """Forest plot of ratings with intervals; the rank interval stands beside each. None without a common scale."""
    frame = table.frame
    if frame["rating"].isna().any():
        return None
    figure, axes = _canvas(1.3 + 0.3 * len(frame), "leaderboard")
    y = np.arange(len(frame))
    reach = np.r_[frame["rating"], frame["rating_low"], frame["rating_high"]]
    reach = reach[np.isfinite(reach)]
    pad = 0.08 * (reach.max() - reach.min() or 100)
    edge = (reach.min() - pad, reach.max() + pad)
    axes.axvline(0, color=FAINT, lw=1)
    for i, row in frame.iterrows():
        low, high = row["rating_low"], row["rating_high"]
        if np.isfinite(row["rating"]) and not np.isnan(low):
            axes.plot([max(low, edge[0]), min(high, edge[1])], [i, i], color=MAIN, lw=2, solid_capstyle="butt")
        for end, mark in ((low, "<"), (high, ">")):
            if np.isinf(end):
                axes.plot([edge[0] + pad / 4 if mark == "<" else edge[1] - pad / 4], [i], mark, color=MAIN, ms=7)
    axes.plot(frame["rating"], y, "o", color=MAIN, ms=6, mec=PAPER)
    _right(axes, [f"{_elo_text(row)} · rank {_rank_text(row)}" for _, row in frame.iterrows()])
    _rows(axes, list(frame["bot"]))
    axes.set_xlim(*edge)
    axes.grid(axis="x", color=FAINT, lw=0.5)
    axes.set_xlabel("rating in Elo, 0 = mean of these bots; bar: 95 % interval")
    title = f"Ratings of {len(frame)} bots from {_games(data)}"
    axes.set_title(title)
    best = frame.iloc[0]
    alt = f"{title}. First: {best['bot']} at {best['rating']:+.0f} Elo. The table Leaderboard holds all numbers."
    return _finish(figure, "leaderboard", title, alt)


def _elo_text(row: pd.Series) -> str:
    low, high = row["rating_low"], row["rating_high"]
    if np.isinf(high):
        return f"≥ {number(low, 'elo')}"
    if np.isinf(low):
        return f"≤ {number(high, 'elo')}"
    value = number(row["rating"], "elo")
    return value if np.isnan(low) else f"{value} [{number(low, 'elo')}, {number(high, 'elo')}]"


def _rank_text(row: pd.Series) -> str:
    low, high = row["rank_low"], row["rank_high"]
    return f"{low:.0f}" if low == high else f"{low:.0f}–{high:.0f}"


def _games(data: RunData) -> str:
    own = int((~data.games["mirror"]).sum())
    return f"{own:,} games on {data.deals.count:,} deals"


def cross_table(data: RunData, table: Table) -> Chart | None:
    """Heatmap of scores, row against column, centred on one half; the number stands in each cell."""
    if table.empty:
        return None
    names = [data.bots[bot] for bot in data.order()]
    grid = table.frame.pivot(index="bot", columns="against", values="score").reindex(index=names, columns=names)
    count = len(names)
    side = max(2.6, 0.42 * count)
    figure, axes = _canvas(side * min(1.0, 7.0 / side) + 1.6 if count > 14 else side + 1.6, "cross_table")
    values = np.ma.masked_invalid(grid.to_numpy(dtype=float))
    axes.set_facecolor(FAINT)  # no games: not to be taken for an even score
    axes.pcolormesh(values, cmap="PuOr_r", vmin=0, vmax=1, edgecolors=PAPER, linewidth=0.8)
    size = float(np.clip(115 / count, 4.2, 10))
    for (i, j), value in np.ndenumerate(grid.to_numpy(dtype=float)):
        if not np.isnan(value):
            ink = "#ffffff" if abs(value - 0.5) > 0.33 else "#000000"
            axes.text(j + 0.5, i + 0.5, f"{100 * value:.0f}", ha="center", va="center", color=ink, fontsize=size,
                      in_layout=False)  # fmt: skip
    label = max(size, 6.5) if count > 14 else 9.5
    slant: Any = {"rotation": 40 if count <= 30 else 90, "ha": "left", "rotation_mode": "anchor"} if count > 2 else {}
    shown = [_short(name) for name in names]
    axes.set_yticks(np.arange(count) + 0.5, shown, fontsize=label)
    axes.set_xticks(np.arange(count) + 0.5, shown, fontsize=label, **slant)
    axes.xaxis.tick_top()
    axes.invert_yaxis()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    title = f"Score of row against column in %, {_games(data)}"
    axes.set_title(title, pad=14)
    axes.set_xlabel("orange: the row is ahead, purple: behind, white: even (50 %), grey: no games")
    alt = f"{title}. The table Cross-table holds all numbers with their intervals."
    return _finish(figure, "cross_table", title, alt)


def victory_types(data: RunData, table: Table) -> Chart:
    """Stacked bars in % of a bot's games: wins to the right of zero, losses to the left, by victory type."""
    frame, palette = table.frame, colours(data)
    names = list(dict.fromkeys(frame["bot"]))
    figure, axes = _canvas(1.7 + 0.44 * len(names), "victory_types")
    ends = {kind: frame[frame["victory_type"] == words(kind)].set_index("bot").reindex(names) for kind in data.types}
    used = [kind for kind, rows in ends.items() if (rows["won"] + rows["lost"]).any()]
    pieces = []
    for sign, part, total in ((1, "won", "wins"), (-1, "lost", "losses")):
        left = np.zeros(len(names))
        for kind in used:
            wide = 100 * ends[kind][f"{part}_of_games"].fillna(0).to_numpy(dtype=float)
            axes.barh(range(len(names)), sign * wide, left=sign * left, height=0.72, color=palette[kind],
                      hatch=_hatch(data, kind), edgecolor=PAPER, linewidth=0.6)  # fmt: skip
            pieces.append((sign * (left + wide / 2), wide, ends[kind][part], ends[kind][f"{part}_of_{total}"]))
            left += wide
    axes.axvline(0, color=INK, lw=1)
    totals = frame.drop_duplicates("bot")[["wins", "draws", "losses"]].to_numpy()
    _right(axes, [" | ".join(f"{count:,}" for count in row) for row in totals])
    _rows(axes, names)
    far = {sign: 5 + max((float(np.max(sign * m + w / 2)) for m, w, *_ in pieces), default=0) for sign in (1, -1)}
    axes.set_xlim(-max(far[-1], 15), max(far[1], 15))
    ticks = [tick for tick in range(-100, 101, 25) if axes.get_xlim()[0] <= tick <= axes.get_xlim()[1]]
    axes.set_xticks(ticks, [f"{abs(tick)} %" for tick in ticks])
    axes.grid(axis="x", color=FAINT, lw=0.5)
    drawn = "drawn" if data.two else "shared first"
    axes.set_xlabel(
        "← losses · share of the bot’s games · wins →\n"
        f"in the bars: games, and their share of the bot’s wins or losses; at the right: won | {drawn} | lost"
    )
    bars = [Patch(facecolor=palette[k], hatch=_hatch(data, k), edgecolor=PAPER, label=words(k)) for k in used]
    if bars:
        figure.legend(handles=bars, loc="outside upper left", ncols=min(len(bars), 6), frameon=False, handlelength=1.6)
    title = f"How each bot wins and loses, {_games(data)}"
    axes.set_title(title)
    figure.draw_without_rendering()  # lays out, so that the room in the bars is known
    room = axes.get_window_extent().width / figure.dpi * 72 / np.ptp(axes.get_xlim())
    for piece in pieces:
        _label_pieces(axes, room, *piece)
    alt = f"{title}. The tables of victory types hold all numbers with their intervals."
    return _finish(figure, "victory_types", title, alt)


def _label_pieces(axes: Axes, room: float, middle: Floats, wide: Floats, games: pd.Series, shares: pd.Series) -> None:
    """Label the pieces of one victory type that have room (points per %): count and share, or the count alone."""
    for y, (x, width, count, share) in enumerate(zip(middle, wide, games, shares, strict=True)):
        letters = (width * room - 2.5) / 4.5  # of 7.5 points
        number, rate = f"{count:,}", f"{100 * share:.0f} %"
        choices = [f"{number} · {rate}", f"{number}\n{rate}", number]
        text = next((t for t in choices if max(map(len, t.split("\n"))) <= letters), "")
        if text and count:
            axes.text(x, y, text, ha="center", va="center", fontsize=7.5, color="#000000", linespacing=1.0,
                      bbox={"facecolor": "#ffffff", "alpha": 0.82, "pad": 1.2, "edgecolor": "none"})  # fmt: skip


def game_length(data: RunData) -> Chart:
    """One histogram of turns per victory type above a common axis, median marked and named."""
    games, palette = data.games, colours(data)
    kinds = [k for k in data.types if (games["type_no"] == data.types.index(k)).any()]
    turns = games["turns"].to_numpy(dtype=float)
    stopped = games["type_no"].isin([data.types.index(k) for k in data.info.limit_types]).to_numpy()
    free = turns[~stopped] if (~stopped).any() else turns
    # Games stopped by a limit, and the longest few, would squeeze all others.
    low, high = float(turns.min()), max(float(np.quantile(free, 0.998)), float(turns.min()) + 1)
    step = max(1, int(np.ceil((high - low) / 60)))
    edges = np.arange(low - 0.5, high + step, step)  # whole turns, or bars would be uneven
    figure, axes = _canvas(1.5 + 0.62 * len(kinds), "game_length")
    labels = []
    for row, kind in enumerate(kinds):
        own = turns[games["type_no"] == data.types.index(kind)]
        height, _ = np.histogram(own, edges)
        scale = 0.8 / max(height.max(), 1)
        axes.stairs(row + 0.4 - height * scale, edges, baseline=row + 0.4, fill=True, color=palette[kind], alpha=0.9)
        median = float(np.median(own))
        at = min(median, edges[-1])
        if at == median:
            axes.plot([at, at], [row + 0.4, row - 0.45], color=INK, lw=1.4)
        right = at < (edges[0] + edges[-1]) / 2
        text = f"median {median:,.0f}" + (" →" if median > at else "")
        side: Any = {"xytext": (4, 0), "ha": "left"} if right else {"xytext": (-4, 0), "ha": "right"}
        axes.annotate(text, (at, row - 0.36), **side, fontsize=8, textcoords="offset points", va="center",
                      bbox={"facecolor": PAPER, "alpha": 0.75, "pad": 1, "edgecolor": "none"})  # fmt: skip
        labels.append(f"{words(kind)}\nn = {len(own):,}")
    _rows(axes, labels)
    axes.set_ylim(len(kinds) - 0.45, -0.6)
    axes.set_xlim(edges[0], edges[-1])
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="x", color=FAINT, lw=0.5)
    beyond = int((turns > edges[-1]).sum())
    extra = f"\nnot drawn: {beyond:,} games beyond {edges[-1]:,.0f} turns, up to {turns.max():,.0f}" if beyond else ""
    axes.set_xlabel(f"turns of all seats together; each row has its own height{extra}")
    title = f"Length of games by the way they ended, n = {len(games):,}"
    axes.set_title(title)
    return _finish(figure, "game_length", title, f"{title}. The table Game length holds means and quartiles.")


def seat_advantage(data: RunData, table: Table) -> Chart:
    """Mean score by seat with intervals, for all bots together and for each."""
    frame = table.frame
    names = list(dict.fromkeys(frame["bot"]))
    n = data.players
    figure, axes = _canvas(1.6 + (0.2 + 0.13 * n) * len(names), "seat_advantage")
    axes.axvline(50, color=FAINT, lw=1.2)
    marks = "osD^vP"
    for seat in range(n):
        rows = frame[frame["seat"] == seat].set_index("bot").reindex(names)
        y = np.arange(len(names)) + (seat - (n - 1) / 2) * 0.6 / n
        score, low, high = (100 * rows[k].to_numpy(dtype=float) for k in ("score", "score_low", "score_high"))
        axes.hlines(y, low, high, color=ROADS[seat % len(ROADS)], lw=1.6)
        label = f"seat {seat}" + (" (begins)" if seat == 0 else "")
        axes.plot(score, y, marks[seat % len(marks)], color=ROADS[seat % len(ROADS)], ms=5.5, mec=PAPER, label=label)
    by_bot = frame.groupby("bot", sort=False)["score"]
    _right(axes, [" | ".join(f"{100 * s:.1f}" for s in scores) + " %" for _, scores in by_bot])
    _rows(axes, ["all games" if name == "all" else name for name in names])
    axes.axhline(0.5, color=FAINT, lw=0.8)
    axes.set_xlim(-2, 102)
    axes.grid(axis="x", color=FAINT, lw=0.5)
    axes.set_xlabel("mean score in %, 50 % = even; line: 95 % interval")
    figure.legend(loc="outside upper left", ncols=n, frameon=False)
    title = f"Score by seat, n = {len(data.games):,} games"
    axes.set_title(title)
    first = frame.iloc[0]  # all games, seat 0
    alt = f"{title}. Over all games seat 0 (begins) scores {100 * first['score']:.1f} %. The table holds all numbers."
    return _finish(figure, "seat_advantage", title, alt)


def draw(data: RunData, tables: dict[str, Table]) -> dict[str, Chart]:
    """Return all charts that the data allow, by name."""
    with mpl.rc_context(STYLE):
        charts = [
            leaderboard(data, tables["leaderboard"]),
            victory_types(data, tables["victory_types"]),
            cross_table(data, tables["cross_table"]),
            seat_advantage(data, tables["seat_advantage"]),
            game_length(data),
        ]
    return {chart.name: chart for chart in charts if chart is not None}
