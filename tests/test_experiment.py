"""Experiments: runs that are kept, figures that add up, tables that follow the records."""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_model import SETTINGS, write_corpus
from typer.testing import CliRunner

from amparser.cli import app
from amparser.commands.aggregate import aggregate, bootstrap, counts
from amparser.commands.experiment import experiment
from amparser.commands.preparation import subset
from amparser.commands.results import filled, results
from amparser.commands.runs import Run
from amparser.commands.train import settings_of
from amparser.corpus import Example
from amparser.errors import AMParserError, InputError

ROWS = [Example((str(i),), "", "", i) for i in range(200)]


@pytest.mark.parametrize("seed", range(3))
def test_subsets_of_a_seed_are_nested_and_in_order(seed: int) -> None:
    shares = (0.01, 0.1, 0.5, 1.0)
    found = [[row.line for row in subset(ROWS, share, seed)] for share in shares]
    assert [len(lines) for lines in found] == [2, 20, 100, 200]
    assert all(lines == sorted(lines) for lines in found)
    assert all(set(a) < set(b) for a, b in pairwise(found))


def test_subsets_of_seeds_differ() -> None:
    assert subset(ROWS, 0.1, 1) != subset(ROWS, 0.1, 2)


def test_figures_of_hand_made_answers() -> None:
    # Two types, two seeds; a digit a row: 3 to the string, 2 reformatted, 1 graph.
    answers = [{"A": "3321", "B": "30"}, {"A": "3330", "B": "00"}]
    found = aggregate(answers)
    assert found["exact"]["types"]["A"]["mean"] == pytest.approx(100 * 5 / 8)
    assert found["reformatted"]["overall"]["mean"] == pytest.approx(100 * (4 + 3) / 12, abs=0.01)
    graph = found["graph"]["overall"]
    assert (graph["least"], graph["most"]) == (50.0, 83.33)
    assert graph["deviation"] == pytest.approx(np.std([50, 100 * 5 / 6], ddof=1), abs=0.01)
    assert counts(answers[0]) == {"A": [4, 2, 3, 4], "B": [2, 1, 1, 1]}


def test_runs_over_different_rows_are_not_averaged() -> None:
    with pytest.raises(ValueError, match="different rows"):
        aggregate([{"A": "33"}, {"A": "3"}])


def test_interval_holds_the_mean_and_narrows_with_more_rows() -> None:
    widths = []
    for count in (20, 2000):
        rows = np.random.default_rng(1).random((5, count)) < 0.8
        draws = bootstrap({"A": rows})["A"]
        low, high = np.percentile(draws, [2.5, 97.5])
        assert low < rows.mean() < high
        widths.append(high - low)
    assert widths[1] < widths[0] / 5


def test_a_sure_figure_has_no_width() -> None:
    draws = bootstrap({"A": np.ones((3, 10), np.bool_), "B": np.zeros((3, 10), np.bool_)})
    assert set(draws["A"]) == {1.0}
    assert set(draws[""]) == {0.5}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("experiment")
    data = write_corpus(folder / "data")
    (data / "gen_sample.tsv").write_bytes((data / "dev.tsv").read_bytes())
    (folder / "slog").mkdir()
    text = f"# A tiny one.\n{SETTINGS}".replace("epochs = 10", "epochs = 2")
    (folder / "slog" / "tiny.toml").write_text(text, encoding="utf-8")
    return folder


def run(folder: Path, *, name: str = "tiny", settings: Sequence[str] = ()) -> dict[str, Any]:
    return experiment(
        folder / "slog" / "tiny.toml",
        benchmark="slog",
        data=folder / "data",
        seeds=2,
        fractions=[0.5, 1.0],
        decoders=["astar-gap", "astar"],
        settings=settings,
        name=name,
        runs=folder / "runs",
        results=folder / "results",
    )


@pytest.fixture(scope="module")
def record(folder: Path) -> dict[str, Any]:
    return run(folder)


def test_a_record_says_what_was_run(folder: Path, record: dict[str, Any]) -> None:
    assert json.loads((folder / "results" / "slog-tiny.json").read_text()) == record
    assert record["about"] == "A tiny one."
    assert [(r["fraction"], r["seed"]) for r in record["runs"]] == [
        (0.5, 1),
        (0.5, 2),
        (1, 1),
        (1, 2),
    ]
    assert str(folder) not in json.dumps(record)
    overall = record["fractions"]["1"]["gen_sample"]["astar-gap"]["graph"]["overall"]
    right = [r["counts"]["gen_sample"]["astar-gap"] for r in record["runs"][2:]]
    share = sum(n[3] for r in right for n in r.values()) / sum(
        n[0] for r in right for n in r.values()
    )
    assert overall["mean"] == pytest.approx(100 * share, abs=0.01)
    assert overall["low"] <= overall["mean"] <= overall["high"]


def test_what_is_done_is_not_done_again(folder: Path, record: dict[str, Any]) -> None:
    times = {p: p.stat().st_mtime_ns for p in (folder / "runs").rglob("*") if p.is_file()}
    assert run(folder) == record
    assert {p: p.stat().st_mtime_ns for p in times} == times


def test_other_decoding_shares_the_trainings(folder: Path, record: dict[str, Any]) -> None:
    before = sorted((folder / "runs").iterdir())
    other = run(folder, name="free", settings=["lexicon.words=false", "decode.supertag_limit=2"])
    assert sorted((folder / "runs").iterdir()) == before
    assert other["config"]["lexicon"]["words"] is False


def test_a_run_that_was_cut_off_is_finished(folder: Path, record: dict[str, Any]) -> None:
    config = settings_of("slog", folder / "slog" / "tiny.toml", ["train.seed=1"])
    kept = Run("slog", config, folder / "data", folder / "runs").folder
    weights = (kept / "model.safetensors").read_bytes()
    for path in kept.iterdir():
        if path.name.startswith(("model", "cost", "answers")):
            path.unlink()
    again = run(folder)
    assert (kept / "model.safetensors").read_bytes() == weights
    assert again["fractions"] == record["fractions"]


def test_a_model_of_other_settings_in_the_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    data = folder / "data"
    config = settings_of("slog", folder / "slog" / "tiny.toml", ["train.seed=1"])
    other = settings_of("slog", folder / "slog" / "tiny.toml", ["train.seed=2"])
    found = Run("slog", config, data, folder / "runs").folder
    wanted = Run("slog", other, data, tmp_path)
    wanted.folder.mkdir()
    for name in ("model.json", "model.safetensors", "cost.json"):
        (wanted.folder / name).write_bytes((found / name).read_bytes())
    with pytest.raises(InputError, match="other settings"):
        wanted.trained()


def test_a_readme_follows_the_records(folder: Path, record: dict[str, Any], tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(
        "before\n<!-- table: types slog-tiny -->\n<!-- end -->\nbetween\n"
        "<!-- table: curve slog-tiny -->\nold\n<!-- end -->\n"
        "<!-- table: overall@gen_sample slog-tiny -->\n<!-- end -->\nafter\n"
    )
    renewed = results([], folder=folder / "results", readme=readme)
    assert readme.read_text() == renewed
    assert filled(renewed, folder / "results") == renewed
    assert "old" not in renewed
    assert renewed.startswith("before\n")
    assert renewed.endswith("after\n")
    mean = record["fractions"]["1"]["gen_sample"]["astar"]["reformatted"]["overall"]["mean"]
    assert f"{mean:.1f}" in renewed
    assert "| 50 % |" in renewed
    assert "A tiny one." in renewed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fractions", "0,1"], "'0' is no share"),
        (["--fractions", "all"], "'all' is no share"),
        (["--decoders", "greedy"], "no decoder 'greedy'"),
        (["--splits", "genn"], "expected genn.tsv"),
        (["--set", "train.epoch=1"], "unknown setting 'train.epoch'"),
        (["--data", "nowhere"], "no such directory"),
    ],
)
def test_bad_arguments_end_with_2_before_any_training(
    folder: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    config, data = str(folder / "slog" / "tiny.toml"), str(folder / "data")
    where = ["--runs", str(tmp_path / "runs"), "--results", str(tmp_path / "results")]
    outcome = CliRunner().invoke(app, ["experiment", config, "--data", data, *where, *arguments])
    assert outcome.exit_code == 2
    assert message in outcome.output
    assert not list(tmp_path.iterdir())


def test_unknown_results_and_tables_are_named(tmp_path: Path) -> None:
    with pytest.raises(AMParserError, match=r"none\.json: cannot read the results"):
        results(["none"], folder=tmp_path)
    with pytest.raises(AMParserError, match="expected one of types, overall, curve"):
        filled("<!-- table: pie slog -->\n<!-- end -->", tmp_path)


def test_the_tables_of_the_readme_are_those_of_the_records() -> None:
    root = Path(__file__).resolve().parents[1]
    text = (root / "README.md").read_text(encoding="utf-8")
    assert "<!-- table: types slog-default" in text
    assert filled(text, root / "training" / "results") == text
