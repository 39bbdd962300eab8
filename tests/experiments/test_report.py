"""Reports: our records beside the published ones, as tables and pictures."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from amparser.errors import ConfigError, InputError
from amparser.evaluation.benchmark import Benchmark
from amparser.evaluation.metric import Count
from amparser.experiments.bootstrap import summaries
from amparser.experiments.plots import draw
from amparser.experiments.record import Figure, Interval, Record, Row, read_record
from amparser.experiments.report import (
    Column,
    Report,
    joined,
    report_records,
    report_to_csv,
    report_to_latex,
    report_to_markdown,
)
from amparser.experiments.tables import TableRequest, filled, record_tables, table_writers, types_of
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


def report_of(folder: Path, *names: str, **options: Any) -> Any:
    benchmark = None if names else "toy"
    return joined(report_records(names, folder, benchmark, **options), benchmarks=TOY)


@pytest.mark.parametrize("measure", ["exact", "reformatted", "graph"])
def test_figures_are_those_of_the_intervals(measure: str) -> None:
    [column] = joined([record("a")], measure=measure).columns
    runs = [[{measure: Count(int(d), 1)} for d in digits] for digits in RIGHT[measure]]
    wanted = {tag: figure for tag, _, figure in summaries(TAGS, runs, [measure], 10)}
    for tag, figure in column.tags.items():
        assert figure.deviation is not None
        rounded = (round(figure.mean, 2), round(figure.deviation, 2))
        assert rounded == (wanted[tag].mean, wanted[tag].deviation)
    assert column.overall is not None
    assert (round(column.overall.mean, 2), column.overall.seeds) == (wanted[""].mean, 2)


def test_what_is_malformed_is_of_the_largest_share_of_train() -> None:
    whole, part = record("a", malformed=0), record("a", malformed=4, fraction=0.1)
    rows, runs = [*part.rows, *whole.rows], [*part.runs, *whole.runs]
    both = Record(whole.name, whole.about, "toy", rows=rows, runs=runs)
    [column] = joined([both]).columns
    assert column.malformed is not None
    assert (column.malformed.mean, column.malformed.seeds) == (0.0, 2)
    assert types_of([both], "gen_sample") == types_of([whole], "gen_sample")
    [(split, table)] = record_tables(both)
    assert (split, table.count("\n")) == ("gen_sample", 3)


def test_a_record_alone_names_its_decoders() -> None:
    titles = [column.title for column in joined([read_record("slog-default", RECORDS)]).columns]
    assert titles == ["astar-gap", "astar", "fixed-tree"]
    records = [read_record(f"slog-{name}:astar", RECORDS) for name in ("default", "as-published")]
    assert [column.title for column in joined(records).columns] == ["default", "as-published"]


def test_published_ones_stand_beside_what_they_belong_to() -> None:
    def names(*names: str, benchmark: str | None = None) -> list[str]:
        records = report_records(names, RECORDS, benchmark)
        return [record.name for record in records if record.is_published]

    assert "sygns-comp_one-fol-published" in names("sygns-comp_one")
    assert names(benchmark="sygns") == []
    assert names("monotonicity-default-localism-3") == ["monotonicity-localism-3-published"]


def test_markdown_marks_what_is_published(folder: Path) -> None:
    text = report_to_markdown(report_of(folder))
    lines = text.splitlines()
    assert lines[0] == "| type | a | b_1 | published: Oracle |"
    assert "| `PP_3` | 75.0 | 75.0 | 12.5 |" in lines
    assert "| malformed |  | 50.0 |  |" in lines
    assert "Published: Someone 1999." in lines
    # What only the paper has is no row of ours.
    assert "CP_9" not in text
    assert "Oracle" not in report_to_markdown(report_of(folder, published=False))
    one = report_to_markdown(report_of(folder, "toy-b_1"))
    assert "| type | b_1 | published: Oracle |" in one


def test_csv_has_a_line_a_system_and_tag(folder: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(report_to_csv(report_of(folder)))))
    assert len(rows) == 2 * 3 + 1 + 2
    of_paper = [row for row in rows if row["published"] == "yes"]
    assert [(row["type"], row["mean"], row["deviation"]) for row in of_paper] == [
        ("PP_3", "12.5", ""),
        ("overall", "40.0", "2.0"),
    ]
    assert {row["seeds"] for row in rows if row["published"] == "no"} == {"2"}


def test_latex_escapes_names(folder: Path) -> None:
    text = report_to_latex(report_of(folder))
    assert "type & a & b\\_1 & published: Oracle \\\\" in text
    assert "\\texttt{PP\\_3} & 75.0 & 75.0 & 12.5 \\\\" in text
    assert "$\\pm$" in text
    assert text.count("\\\\") == 5
    assert text.startswith("\\begin{tabular}{lrrr}\n\\toprule")


def test_another_measure_of_a_paper_is_named() -> None:
    found = joined([record("a"), paper(measure="exact")], benchmarks=TOY)
    assert "a (reformatted) | published: Oracle (exact)" in report_to_markdown(found)
    assert joined([record("a", benchmark="other")], benchmarks=TOY).columns[0].measure == "exact"
    with pytest.raises(InputError, match="toy-a: no measure label, it has exact, reformatted"):
        joined([record("a")], measure="label")


def test_rows_count_for_each_of_their_tags() -> None:
    tags = [("Exi", "Neg")] * 4 + [("Uni", "Neg")] * 2
    [column] = joined([record("a", tags=tags)], measure="reformatted").columns
    means = {tag: figure.mean for tag, figure in column.tags.items()}
    assert means == {"Exi": 75, "Neg": pytest.approx(100 * 7 / 12, abs=0.01), "Uni": 25}


def test_tags_of_one_split_come_before_those_of_all() -> None:
    rows = [
        Row(1, 1.0, split, tag, "greedy", "exact", 1, 1)
        for split in ("D1", "D2")
        for tag in ("", split, f"{split} up", "adj")
    ]
    one = Record("toy-a", "", "toy", runs=[{"seed": 1, "fraction": 1.0}], rows=rows)
    assert joined([one]).tags == ["D1", "D1 up", "D2", "D2 up", "adj"]


@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDS.glob("*-published.json")))
def test_published_figures_make_a_table(name: str) -> None:
    one = read_record(name, RECORDS)
    if not one.is_published:
        return
    found = joined([one])
    assert all(0 <= f.mean <= 100 for column in found.columns for f in column.tags.values())
    assert report_to_csv(found).count(",yes,") >= len(found.tags)
    assert "published: " in report_to_latex(found)
    assert any(year in one.about for year in ("2020", "2021", "2023"))


@pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None, reason="matplotlib is not installed"
)
def test_pictures_are_the_same_each_time(folder: Path, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one", "two")]
    for path in paths:
        path.mkdir()
        draw(report_of(folder), path)
    names = ["toy-depth.svg", "toy-types.svg"]
    assert sorted(path.name for path in paths[0].iterdir()) == names
    for name in names:
        text = (paths[0] / name).read_text()
        assert text == (paths[1] / name).read_text()
        assert "published: Oracle" in text
        assert text.startswith("<?xml")
    assert "PP_5-12" in (paths[0] / "toy-types.svg").read_text()


def test_missing_matplotlib_is_named(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ConfigError, match=r"pip install 'amparser\[plots\]'"):
        draw(report_of(folder), tmp_path)


def test_what_is_not_there_is_named(folder: Path) -> None:
    with pytest.raises(InputError, match=r"toy-c\.json: cannot read"):
        report_records(["toy-c"], folder)
    with pytest.raises(InputError, match="no results of other"):
        report_records([], folder, "other")
    with pytest.raises(InputError, match="results of toy, not other"):
        report_records(["toy-a"], folder, "other")
    with pytest.raises(InputError, match="toy-a: no split test, it has gen_sample"):
        joined(report_records(["toy-a"], folder), splits=["test"])


def test_unknown_records_and_tables_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"page:2: table 'pie a': expected one of types, overall"):
        filled("\n<!-- table: pie a -->\n<!-- end -->", tmp_path, where="page")
    with pytest.raises(InputError, match=r"a\.json: cannot read"):
        filled("<!-- table: types a -->\n<!-- end -->", tmp_path)


def test_a_table_in_a_block_of_code_is_an_example(tmp_path: Path) -> None:
    text = "```\n<!-- table: types NAME -->\n<!-- end -->\n```\n"
    assert filled(text, tmp_path) == text


def own_table(request: TableRequest) -> str:
    return f"{request.split} {' '.join(request.names)}"


def test_a_benchmark_may_have_tables_of_its_own(tmp_path: Path) -> None:
    own = Benchmark("toy", "A toy.", tables={"own": "json:dumps", "types": "json:dumps"})
    writers = table_writers({"toy": own})
    assert writers["own"] is json.dumps
    assert writers["types"] is not json.dumps
    sys.modules["own_tables"] = sys.modules[__name__]
    own = Benchmark("toy", "A toy.", tables={"own": "own_tables:own_table"})
    text = "<!-- table: own@gen a b -->\n<!-- end -->"
    assert "\ngen a b\n" in filled(text, tmp_path, {"toy": own})


def test_what_types_are_called_stays_text() -> None:
    figure = Figure(50.0, None, 1)
    names = [r"\input{x}", "a|b", "a`b", "a\nb", "$x$ ~ ^ 50 % #_&{}"]
    tags = dict.fromkeys(names, figure)
    report = Report("toy", [Column("mine", False, "exact", tags, figure, None, "")], names)
    latex = report_to_latex(report)
    assert r"\texttt{\textbackslash{}input\{x\}}" in latex
    assert r"\$x\$ \textasciitilde{} \textasciicircum{} 50 \% \#\_\&\{\}" in latex
    assert len(latex.splitlines()) == 5 + len(names) + 3
    markdown = report_to_markdown(report)
    rows = [line for line in markdown.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + len(names) + 1
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 3 for row in rows)
    assert "`` a`b ``" in markdown
