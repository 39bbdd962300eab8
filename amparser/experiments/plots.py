"""Pictures of reports, by matplotlib (extra `plots`): accuracy by type, and by depth."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

from amparser.experiments.report import Report
from amparser.files import begins, prepare_folder, write_atomically
from amparser.resources import library

_CREATOR = "amparser, by Matplotlib"
"""Says of a picture that it may be replaced."""
_DEPTH = re.compile(r"(.+?)[_:]([0-9]{1,9})(?:-[0-9]+)?")


def draw(report: Report, folder: Path) -> list[Path]:
    """Write `BENCHMARK-types.svg`, and `BENCHMARK-depth.svg` if types have depths.

    Raises:
        ConfigError: matplotlib is not installed.
        InputError: they cannot be written, or would replace somebody else's.
    """
    pictures = {folder / f"{report.benchmark}-types.svg": _by_type}
    if depths(report):
        pictures[folder / f"{report.benchmark}-depth.svg"] = _by_depth
    for path in pictures:
        prepare_folder(folder, [path.name], is_ours=begins(path, _CREATOR, 2000))
    with plain_svg():
        for path, drawn in pictures.items():
            _write(drawn(report), path)
    return list(pictures)


def plain_svg() -> Any:
    """A context in which matplotlib leaves text as text, and equal figures are equal files.

    Raises:
        ConfigError: matplotlib is not installed.
    """
    return library("matplotlib", "a picture of figures", "plots").rc_context(
        {"svg.fonttype": "none", "svg.hashsalt": "amparser", "text.parse_math": False}
    )


def depths(report: Report) -> dict[str, list[str]]:
    """The types that differ only in depth, by their common prefix, shallow ones first.

    >>> depths(Report("name", [], ["PP_5-12", "PP_3", "Q_long_mv", "CP_3"]))
    {'PP': ['PP_3', 'PP_5-12']}
    """
    families: dict[str, list[tuple[int, str]]] = {}
    for type_ in report.tags:
        if match := _DEPTH.fullmatch(type_):
            families.setdefault(match[1], []).append((int(match[2]), type_))
    return {
        name: [type_ for _, type_ in sorted(members)]
        for name, members in families.items()
        if len(members) > 1
    }


def _by_type(report: Report) -> Any:
    from matplotlib.figure import Figure

    count = len(report.columns)
    figure = Figure(figsize=(7, 1.5 + 0.16 * len(report.tags) * (count + 1)), layout="constrained")
    axes = figure.subplots()
    height = 0.8 / count
    for i, column in enumerate(report.columns):
        there = [(row, column.tags[t]) for row, t in enumerate(report.tags) if t in column.tags]
        axes.barh(
            [row + height * (i - (count - 1) / 2) for row, _ in there],
            [one.mean for _, one in there],
            height,
            xerr=[one.deviation or 0 for _, one in there],
            label=column.label,
            hatch="//" if column.published else None,
            alpha=0.6 if column.published else 1,
            error_kw={"linewidth": 0.6},
        )
    axes.set_yticks(range(len(report.tags)), report.tags)
    axes.margins(y=0.01)
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("accuracy in %")
    figure.legend(loc="outside upper center", ncols=2, fontsize="small")
    return figure


def _by_depth(report: Report) -> Any:
    from matplotlib.figure import Figure

    families = depths(report)
    figure = Figure(figsize=(1 + 3 * len(families), 3.6), layout="constrained")
    rows = figure.subplots(1, len(families), sharey=True, squeeze=False)[0]
    for axes, (name, types) in zip(rows, families.items(), strict=True):
        for column in report.columns:
            there = [(place, t) for place, t in enumerate(types) if t in column.tags]
            axes.errorbar(
                [place for place, _ in there],
                [column.tags[t].mean for _, t in there],
                yerr=[column.tags[t].deviation or 0 for _, t in there],
                marker="o",
                linestyle="--" if column.published else "-",
                label=column.label,
            )
        axes.set_title(name)
        axes.set_xticks(range(len(types)), [t[len(name) + 1 :] for t in types])
        axes.set_xlabel("depth")
        axes.set_ylim(-2, 102)
    rows[0].set_ylabel("accuracy in %")
    handles, labels = rows[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, fontsize="small")
    return figure


def _write(figure: Any, path: Path) -> None:
    content = io.BytesIO()
    figure.savefig(content, format="svg", metadata={"Date": None, "Creator": _CREATOR})
    write_atomically(path, content.getvalue())
