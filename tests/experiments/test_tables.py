"""Tables of our records and published ones, and the pages of this repository."""

import re
import runpy
from pathlib import Path

import pytest

from amparser.errors import InputError
from amparser.evaluation.benchmark import Benchmark
from amparser.experiments.record import Figure, Interval, Record, Row, read_record
from amparser.experiments.tables import table_of
from amparser.provenance import is_dirty

ROOT = Path(__file__).resolve().parents[2]

COUNTS = {"PP_3": 4, "PP_5-12": 2, "": 6}
RIGHT = {
    "exact": [{"PP_3": 2, "PP_5-12": 1, "": 3}, {"PP_3": 3, "PP_5-12": 0, "": 3}],
    "reformatted": [{"PP_3": 3, "PP_5-12": 1, "": 4}, {"PP_3": 3, "PP_5-12": 0, "": 3}],
}
TOY = {
    "toy": Benchmark("toy", "A toy.", measure="reformatted"),
    "other": Benchmark("other", "Another."),
}


def record(name: str, *, decoders: tuple[str, ...] = ("greedy",)) -> Record:
    rows = [
        Row(seed, 1.0, "gen_sample", tag, decoder, measure, runs[seed - 1][tag], count)
        for decoder in decoders
        for seed in (1, 2)
        for tag, count in COUNTS.items()
        for measure, runs in RIGHT.items()
    ]
    runs = [{"seed": seed, "fraction": 1.0} for seed in (1, 2)]
    return Record(f"toy-{name}", f"About {name}.", "toy", runs=runs, rows=rows)


@pytest.fixture
def folder(tmp_path) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    where = (1.0, "gen")
    paper = [
        Interval(*where, "", "Oracle", "exact", 40.0, 2.0),
        Interval(*where, "PP_3", "Oracle", "exact", 12.5),
        Interval(*where, "CP_9", "Oracle", "exact", 1.0),
    ]
    published = Record("toy-published", "Someone 1999.", "toy", intervals=paper)
    for one in (record("a"), record("b", decoders=("astar", "greedy")), published):
        one.write(folder)
    return folder


def cells(text: str) -> list[list[str]]:
    lines = [[cell.strip() for cell in line[2:-2].split(" | ")] for line in text.splitlines()]
    assert lines.pop(1)[1:] == ["--:"] * (len(lines[0]) - 1)
    return lines


@pytest.mark.parametrize("measure", ["exact", "reformatted"])
def test_a_row_for_each_tag_and_a_column_for_each_decoder(folder, measure) -> None:
    toy = {"toy": Benchmark("toy", "A toy.", measure=measure)}
    titles, *lines = cells(table_of("types", ["toy-a", "toy-b"], "", folder, toy))
    assert titles == ["type", "a, greedy", "b, astar", "b, greedy"]
    figures = read_record("toy-a", folder).by_tag("gen_sample", "greedy", measure)
    for tag, line in zip(("PP_3", "PP_5-12", ""), lines, strict=True):
        name, text = (f"`{tag}`", "{}") if tag else ("**overall**", "**{}**")
        assert line == [name, *[text.format(figures[tag])] * 3]


def test_published_figures_have_a_column(folder) -> None:
    titles, *lines = cells(table_of("types", ["toy-a", "toy-published"], "", folder, TOY))
    assert titles == ["type", "a, greedy", "published, Oracle"]
    assert lines[0] == ["`PP_3`", "75.0", "12.5"]
    assert lines[-1] == ["**overall**", "**58.3 ± 11.8**", "**40.0 ± 2.0**"]


def test_a_row_for_each_record(folder) -> None:
    titles, *lines = cells(table_of("overall", ["toy-a", "toy-b:astar"], "", folder, TOY))
    assert titles == ["", "", "greedy", "astar"]
    assert lines[0][:3] == ["a", "About a.", "58.3 ± 11.8"]
    assert lines[1][:2] == ["b", "About b."]
    assert lines[1][3] == "58.3 ± 11.8"


def test_a_row_for_each_share_of_train(folder) -> None:
    rows = [Row(1, share, "gen", "", "astar", "exact", 2 * share, 2) for share in (0.5, 1.0)]
    runs = [{"seed": 1, "fraction": share} for share in (0.5, 1.0)]
    Record("toy-f", "", "toy", runs=runs, rows=rows).write(folder)
    assert cells(table_of("types", ["toy-f"], "", folder)) == [
        ["of train", "f, astar"], ["50 %", "50.0"], ["100 %", "100.0"]
    ]  # fmt: skip


def test_figures_are_rounded() -> None:
    assert str(Figure(12.345, 0.04)) == "12.3"
    assert str(Figure(12.345, 0.06)) == "12.3 ± 0.1"
    assert str(Figure(1.0)) == "1.0"


def test_unknown_records_and_splits_are_named(folder) -> None:
    for name, split, message in (
        ("toy-c", "", r"toy-c\.json: cannot be read"),
        ("toy-a", "test", "toy-a: no split test, it has gen_sample"),
        ("toy-a:astar", "", "toy-a: no decoder astar, it has greedy"),
    ):
        with pytest.raises(InputError, match=message):
            table_of("types", [name], split, folder, TOY)


def test_names_of_types_stay_text(folder) -> None:
    names = [r"\input{x}", "a|b", "a`b", "a\nb", "$x$ ~ ^ 50 % #_&{}"]
    rows = [Row(1, 1.0, "gen", tag, "greedy", "exact", 1, 2) for tag in ("", *names)]
    Record("toy-e", "", "toy", runs=[{"seed": 1, "fraction": 1.0}], rows=rows).write(folder)
    table = table_of("types", ["toy-e"], "", folder, TOY)
    lines = table.splitlines()
    assert len(lines) == 2 + len(names) + 1
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in lines)
    assert "`` a`b ``" in table


def test_records_and_pages_of_this_repository_agree() -> None:
    script = runpy.run_path(str(ROOT / "docs/renew_tables.py"))
    pages = {page: page.read_text(encoding="utf-8") for page in script["pages"]()}
    assert sum(text.count("<!-- table:") for text in pages.values()) > 4
    assert [page for page, text in pages.items() if script["filled"](text) != text] == []


def test_records_of_this_repository_have_clean_commits() -> None:
    for path in sorted((ROOT / "training/results").glob("*.json")):
        kept = read_record(path.stem, path.parent)
        for run in kept.runs:
            for commit in (kept.evaluation_commit, run.get("training_commit")):
                assert commit, path
                assert not is_dirty(commit), path
