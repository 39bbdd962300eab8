"""Tables: our records beside the published ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from amparser.benchmarks.registry import BENCHMARKS
from amparser.errors import InputError
from amparser.evaluation.benchmark import Benchmark
from amparser.evaluation.metric import Count
from amparser.experiments.bootstrap import summaries
from amparser.experiments.record import Figure, Interval, Record, Row, read_record
from amparser.experiments.tables import (
    TableRequest,
    filled,
    record_tables,
    types_table,
    with_published,
)
from amparser.resources import package_data

RECORDS = package_data("training/results")
ROOT = Path(__file__).resolve().parents[2]

TAGS = [("PP_3",)] * 4 + [("PP_5-12",)] * 2
RIGHT = {
    "exact": ("110010", "111000"),
    "reformatted": ("111010", "111000"),
    "graph": ("111110", "111000"),
}
TOY = {
    "toy": Benchmark("toy", "A toy.", measure="reformatted"),
    "other": Benchmark("other", "Another."),
}


def record(
    name: str,
    *,
    malformed: int | None = None,
    benchmark: str = "toy",
    fraction: float = 1.0,
    tags: list[tuple[str, ...]] = TAGS,
) -> Record:
    """Two seeds, two tags, one decoder."""
    rows = []
    for seed in (1, 2):
        for tag in ("", *dict.fromkeys(tag for of_one in tags for tag in of_one)):
            members = [i for i, of_one in enumerate(tags) if not tag or tag in of_one]
            for measure, runs in RIGHT.items():
                right = sum(runs[seed - 1][i] == "1" for i in members)
                where = (seed, fraction, "gen_sample", tag, "greedy", measure)
                rows.append(Row(*where, right, len(members)))
        if malformed is not None:
            where = (seed, fraction, "gen_sample", "", "greedy", "malformed")
            rows.append(Row(*where, malformed, len(tags)))
    runs = [{"seed": seed, "fraction": fraction, "seconds": 1.0} for seed in (1, 2)]
    return Record(f"{benchmark}-{name}", f"About {name}.", benchmark, runs=runs, rows=rows)


def paper(benchmark: str = "toy", measure: str = "reformatted") -> Record:
    where = (1.0, "gen_sample")
    return Record(
        f"{benchmark}-published",
        "Someone 1999.",
        benchmark,
        intervals=[
            Interval(*where, "", "Oracle", measure, 40.0, 2.0),
            Interval(*where, "PP_3", "Oracle", measure, 12.5),
            Interval(*where, "CP_9", "Oracle", measure, 1.0),
        ],
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    for one in (record("a"), record("b_1", malformed=3), paper()):
        one.write(folder)
    return folder


def table_of(folder: Path, *names: str, split: str = "") -> list[list[str]]:
    """The cells of a table, without the line below the titles."""
    text = types_table(TableRequest(names, split, folder, TOY))
    lines = [[cell.strip() for cell in line[2:-2].split(" | ")] for line in text.splitlines()]
    assert lines.pop(1)[1:] == ["--:"] * (len(lines[0]) - 1)
    return lines


@pytest.mark.parametrize("measure", ["exact", "reformatted", "graph"])
def test_figures_are_those_of_the_intervals(folder: Path, measure: str) -> None:
    toy = {"toy": Benchmark("toy", "A toy.", measure=measure)}
    text = types_table(TableRequest(["toy-a"], "", folder, toy))
    runs = [[{measure: Count(int(d), 1)} for d in digits] for digits in RIGHT[measure]]
    for tag, _, one in summaries(TAGS, runs, [measure], 10):
        shown = Figure(one.mean, one.deviation)
        row = f"| `{tag}` | {shown} |" if tag else f"| **overall** | **{shown}** |"
        assert row in text.splitlines()


def test_malformed_outputs_are_those_of_the_largest_share_of_train(folder: Path) -> None:
    whole, part = record("a", malformed=0), record("a", malformed=4, fraction=0.1)
    rows, runs = [*part.rows, *whole.rows], [*part.runs, *whole.runs]
    Record("toy-both", whole.about, "toy", rows=rows, runs=runs).write(folder)
    assert table_of(folder, "toy-both")[-1] == ["malformed", "0.0"]
    [(split, table)] = record_tables(["toy-both"], folder, splits=["gen_sample"])
    assert (split, table.count("\n")) == ("gen_sample", 3)


def test_a_record_alone_names_its_decoders() -> None:
    def titles(*names: str) -> list[str]:
        return table_of(RECORDS, *names)[0][1:]

    assert titles("slog-default") == ["astar-gap", "astar", "fixed-tree"]
    names = [f"slog-{name}:astar" for name in ("default", "as-published")]
    assert titles(*names) == ["default", "as-published"]


def test_published_records_stand_beside_what_they_belong_to() -> None:
    def names(*names: str) -> list[str]:
        chosen, sources = with_published(names, RECORDS, BENCHMARKS)
        found = [name for name in chosen if read_record(name, RECORDS).is_published]
        assert bool(found) == bool(sources)
        return found

    assert "sygns-comp_one-fol-published" in names("sygns-comp_one")
    assert names("sygns") == []
    assert names("slog-default-fractions") == []
    assert names("monotonicity-default-localism-3") == ["monotonicity-localism-3-published"]


def test_published_figures_are_marked(folder: Path) -> None:
    names, sources = with_published(["toy"], folder, TOY)
    assert (names, sources) == (["toy-a", "toy-b_1", "toy-published"], ["Someone 1999."])
    lines = table_of(folder, *names)
    assert lines[0] == ["type", "a", "b_1", "published: Oracle"]
    assert ["`PP_3`", "75.0", "75.0", "12.5"] in lines
    assert lines[-1] == ["malformed", "", "50.0", ""]
    # A tag that only the paper has is no row of ours.
    assert all("CP_9" not in line[0] for line in lines)
    assert table_of(folder, "toy-published")[1][0] == "`PP_3`"
    assert len(table_of(folder, "toy-published")) == 4


def test_another_measure_of_a_paper_is_named(folder: Path) -> None:
    paper(measure="exact").write(folder)
    titles = table_of(folder, "toy-a", "toy-published")[0]
    assert titles == ["type", "a (reformatted)", "published: Oracle (exact)"]
    record("a", benchmark="other").write(folder)
    assert table_of(folder, "other-a", "other-a")[0] == ["type", "a"]
    label = {"toy": Benchmark("toy", "A toy.", measure="label")}
    with pytest.raises(InputError, match="toy-a: no measure label, it has exact, reformatted"):
        types_table(TableRequest(["toy-a"], "", folder, label))


@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDS.glob("*-published.json")))
def test_published_figures_make_a_table(name: str) -> None:
    one = read_record(name, RECORDS)
    if not one.is_published:
        return
    lines = table_of(RECORDS, name)
    assert all(title.startswith("published: ") for title in lines[0][1:])
    figures = [cell.strip("*") for line in lines[1:] for cell in line[1:] if cell.strip("*")]
    assert figures
    assert all(0 <= float(cell.split()[0]) <= 100 for cell in figures)
    assert any(year in one.about for year in ("2020", "2021", "2023"))


def test_unknown_records_and_splits_are_named(folder: Path) -> None:
    with pytest.raises(InputError, match=r"toy-c\.json: cannot read"):
        with_published(["toy-c"], folder, TOY)
    with pytest.raises(InputError, match="expected names of records there, or a benchmark"):
        with_published(["other"], folder, TOY)
    record("a", benchmark="other").write(folder)
    with pytest.raises(InputError, match="other-a: results of other, not toy"):
        table_of(folder, "toy-a", "other-a")
    with pytest.raises(InputError, match="toy-a: no split test, it has gen_sample"):
        table_of(folder, "toy-a", split="test")


def test_unknown_records_and_tables_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"page:2: table 'pie a': expected one of types, overall"):
        filled("\n<!-- table: pie a -->\n<!-- end -->", tmp_path, where="page")
    with pytest.raises(InputError, match=r"a\.json: cannot read"):
        filled("<!-- table: types a -->\n<!-- end -->", tmp_path)


def test_a_table_in_a_block_of_code_is_an_example(tmp_path: Path) -> None:
    text = "```\n<!-- table: types NAME -->\n<!-- end -->\n```\n"
    assert filled(text, tmp_path) == text


def test_names_of_types_stay_text(folder: Path) -> None:
    names = [r"\input{x}", "a|b", "a`b", "a\nb", "$x$ ~ ^ 50 % #_&{}"]
    rows = [Row(1, 1.0, "gen", tag, "greedy", "reformatted", 1, 2) for tag in ("", *names)]
    Record("toy-e", "", "toy", runs=[{"seed": 1, "fraction": 1.0}], rows=rows).write(folder)
    table = types_table(TableRequest(["toy-e"], "", folder, TOY))
    lines = table.splitlines()
    assert len(lines) == 2 + len(names) + 1
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in lines)
    assert "`` a`b ``" in table


def test_a_curve_has_an_interval_beside_each_figure(folder: Path) -> None:
    rows = [
        Row(1, share, "gen", "", decoder, "reformatted", 1, 2)
        for share in (0.5, 1.0)
        for decoder in ("astar", "greedy")
    ]
    runs = [{"seed": 1, "fraction": share, "seconds": 3.0} for share in (0.5, 1.0)]
    limits = [Interval(0.5, "gen", "", "astar", "reformatted", 50.0, 0.0, 40.0, 60.0)]
    Record("toy-f", "", "toy", runs=runs, rows=rows, intervals=limits).write(folder)
    [(_, table)] = record_tables(["toy-f"], folder, TOY)
    lines = table.splitlines()
    assert lines[0] == (
        "| of train | astar | 95 % interval, astar | greedy | 95 % interval, greedy | seconds |"
    )
    assert lines[2] == "| 50 % | 50.0 | 40.0 - 60.0 | 50.0 |  | 3 |"
