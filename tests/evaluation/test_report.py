"""Reports: our records beside the published ones, as tables and pictures."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from amparser.evaluation.aggregate import aggregate, counts
from amparser.evaluation.records import record_of
from amparser.evaluation.results import types_table
from command_line import ok, refused

from amparser.evaluation.report import (
    joined,
    report,
    report_to_csv,
    report_to_latex,
    report_to_markdown,
)
from amparser.resources import package_data

RECORDS = package_data("training/results")

ANSWERS = [{"PP_3": "3321", "PP_5-12": "30"}, {"PP_3": "3330", "PP_5-12": "00"}]


def record(name: str, *, malformed: int | None = None, benchmark: str = "slog") -> dict[str, Any]:
    """Two seeds, two types, one decoder; a digit a row as in `amparser.evaluation.runs`."""
    wrong = {} if malformed is None else {
        "malformed": {"gen_sample": {"greedy": {"repeated loop": malformed}}}
    }  # fmt: skip
    return {
        "name": f"{benchmark}-{name}",
        "about": f"About {name}.",
        "benchmark": benchmark,
        "fractions": {"1": {"gen_sample": {"greedy": aggregate(ANSWERS)}}},
        "runs": [
            {"fraction": 1.0, "seed": seed, "counts": {"gen_sample": {"greedy": counts(digits)}},
             **wrong}
            for seed, digits in enumerate(ANSWERS, 1)
        ],
    }  # fmt: skip


def paper(benchmark: str = "slog", measure: str = "reformatted") -> dict[str, Any]:
    types = {"PP_3": {"mean": 12.5}, "CP_9": {"mean": 1.0}}
    figures = {measure: {"overall": {"mean": 40.0, "deviation": 2.0}, "types": types}}
    return {
        "name": f"{benchmark}-published",
        "about": "Someone 1999.",
        "benchmark": benchmark,
        "fractions": {"1": {"gen_sample": {"Oracle": figures}}},
        "runs": [],
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    for one in (record("a"), record("b_1", malformed=3), paper()):
        (folder / f"{one['name']}.json").write_text(json.dumps(one))
    return folder


@pytest.mark.parametrize("measure", ["exact", "reformatted", "graph"])
def test_figures_are_those_of_the_aggregate(measure: str) -> None:
    [column] = joined([record("a")], measure=measure).columns
    wanted = aggregate(ANSWERS)[measure]
    for type_, figure in column.types.items():
        assert figure.mean == wanted["types"][type_]["mean"]
        assert figure.deviation == wanted["types"][type_]["deviation"]
    assert column.overall is not None
    assert (column.overall.mean, column.overall.seeds) == (wanted["overall"]["mean"], 2)


def test_what_is_malformed_is_of_all_of_train() -> None:
    whole, part = record("a", malformed=0), record("a", malformed=4)
    less = [{**run, "fraction": 0.1} for run in part["runs"]]
    both = {**whole, "runs": [*less, *whole["runs"]]}
    [column] = joined([both]).columns
    assert column.malformed is not None
    assert (column.malformed.mean, column.malformed.seeds) == (0.0, 2)
    assert types_table([both], "gen_sample") == types_table([whole], "gen_sample")


def test_a_record_alone_names_its_decoders() -> None:
    titles = [column.title for column in joined([record_of("slog-default", RECORDS)]).columns]
    assert titles == ["astar-gap", "astar", "fixed-tree"]
    records = [record_of(f"slog-{name}:astar", RECORDS) for name in ("default", "as-published")]
    assert [column.title for column in joined(records).columns] == ["default", "as-published"]


def test_without_a_folder_of_its_own_the_packages_records_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ok("report", "slog-default") == ok("report", "slog-default", "--results", RECORDS)
    (tmp_path / "training" / "results").mkdir(parents=True)
    assert "cannot read the results" in refused("report", "slog-default")


def test_published_ones_stand_beside_what_they_belong_to() -> None:
    text = ok("report", "sygns-comp_one", "--results", RECORDS)
    assert "published: comp_one-fol, GRU" in text
    assert "published" not in ok("report", "--benchmark", "sygns", "--results", RECORDS)


def test_markdown_marks_what_is_published(folder: Path) -> None:
    text = ok("report", "--results", folder)
    lines = text.splitlines()
    assert lines[0] == "| type | a | b_1 | published: Oracle |"
    assert "| `PP_3` | 75.0 | 75.0 | 12.5 |" in lines
    assert "| malformed |  | 50.0 |  |" in lines
    assert "Published: Someone 1999." in lines
    # What only the paper has is no row of ours.
    assert "CP_9" not in text
    assert "Oracle" not in ok("report", "--results", folder, "--no-published")
    assert "| type | b_1 | published: Oracle |" in ok("report", "slog-b_1", "--results", folder)


def test_csv_has_a_line_a_system_and_type(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "table.csv"
    assert ok("report", "--results", folder, "-f", "csv", "-o", output) == ""
    rows = list(csv.DictReader(io.StringIO(output.read_text())))
    assert len(rows) == 2 * 3 + 1 + 2
    of_paper = [row for row in rows if row["published"] == "yes"]
    assert [(row["type"], row["mean"], row["deviation"]) for row in of_paper] == [
        ("PP_3", "12.5", ""),
        ("overall", "40.0", "2.0"),
    ]
    assert {row["seeds"] for row in rows if row["published"] == "no"} == {"2"}


def test_latex_escapes_names(folder: Path) -> None:
    text = ok("report", "--results", folder, "-f", "latex")
    assert "type & a & b\\_1 & published: Oracle \\\\" in text
    assert "\\texttt{PP\\_3} & 75.0 & 75.0 & 12.5 \\\\" in text
    assert "$\\pm$" in text
    assert text.count("\\\\") == 5
    assert text.startswith("\\begin{tabular}{lrrr}\n\\toprule")


def test_another_measure_of_a_paper_is_named() -> None:
    found = joined([record("a"), paper(measure="exact")])
    assert "a (reformatted) | published: Oracle (exact)" in report_to_markdown(found)
    assert joined([record("a", benchmark="cogs")]).columns[0].measure == "exact"


def test_rows_of_sygns_count_for_each_phenomenon() -> None:
    kinds = ("Exi Neg", "Uni Adv+Neg")
    answers = [dict(zip(kinds, ("33", "30"), strict=True))]
    one = {
        **record("a", benchmark="sygns"),
        "fractions": {"1": {"test_sample": {"greedy": aggregate(answers)}}},
        "runs": [{"fraction": 1.0, "seed": 1,
                  "counts": {"test_sample": {"greedy": counts(answers[0])}}}],
    }  # fmt: skip
    [column] = joined([one]).columns
    means = {type_: figure.mean for type_, figure in column.types.items()}
    assert means == {
        "Exi": 100, "Neg": 75, "Uni": 50, "Adv": 50
    }  # fmt: skip
    assert column.overall is not None
    assert column.overall.mean == 75
    beside = joined([one, record_of("sygns-comp_one-fol-published", RECORDS)])
    assert "| `Uni` | 50.0 | 3.1 | 8.3 |" in report_to_markdown(beside)


@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDS.glob("*-published.json")))
def test_published_figures_make_a_table(name: str) -> None:
    one = record_of(name, RECORDS)
    if one["runs"]:
        return
    found = joined([one])
    assert all(0 <= f.mean <= 100 for column in found.columns for f in column.types.values())
    assert report_to_csv(found).count(",yes,") >= len(found.types)
    assert "published: " in report_to_latex(found)
    assert any(year in one["about"] for year in ("2020", "2021", "2023"))


@pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None, reason="matplotlib is not installed"
)
def test_pictures_are_the_same_each_time(folder: Path, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one", "two")]
    for path in paths:
        report([], folder=folder, plots=path)
    names = ["slog-depth.svg", "slog-types.svg"]
    assert sorted(path.name for path in paths[0].iterdir()) == names
    for name in names:
        text = (paths[0] / name).read_text()
        assert text == (paths[1] / name).read_text()
        assert "published: Oracle" in text
        assert text.startswith("<?xml")
    assert "PP_5-12" in (paths[0] / "slog-types.svg").read_text()


def test_missing_matplotlib_is_named(folder: Path, tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None; sys.argv[0] = 'amparser'; "
        "from amparser.cli.main import main; main()"
    )
    outcome = subprocess.run(
        [sys.executable, "-c", code, "report", "--results", folder, "--plots", tmp_path / "p"],
        capture_output=True,
        text=True,
    )
    assert outcome.returncode == 2
    assert "pip install 'amparser[plots]'" in outcome.stderr
    assert outcome.stdout == ""


def test_what_is_not_there_is_named(folder: Path, tmp_path: Path) -> None:
    where = ("--results", folder)
    assert "slog-c.json: cannot read" in refused("report", "slog-c", *where)
    assert "no results of cogs" in refused("report", *where, "--benchmark", "cogs")
    assert "results of slog, not cogs" in refused("report", "slog-a", *where, "--benchmark", "cogs")
    assert "slog-a: no split test, it has gen_sample" in refused(
        "report", "slog-a", *where, "--splits", "test"
    )
