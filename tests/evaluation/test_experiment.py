"""Experiments: runs that are kept, figures that add up, tables that follow the records."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from amparser.corpora.examples import Example
from amparser.evaluation.aggregate import aggregate, bootstrap, counts
from amparser.evaluation.results import filled, results
from amparser.evaluation.runs import Run
from amparser.learn.config import to_dict, with_overrides
from amparser.learn.preparation import subset
from amparser.learn.train import settings_of, train_with
from tiny_model import SETTINGS, write_corpus
from typer.testing import CliRunner

from amparser.cli.main import app
from amparser.errors import AMParserError, InputError
from amparser.evaluation.experiment import experiment

ROWS = [Example((str(i),), "", "", i) for i in range(200)]


@pytest.mark.parametrize("seed", range(3))
def test_subsets_of_a_seed_are_nested_and_in_order(seed: int) -> None:
    shares = (0.01, 0.1, 0.5, 1.0)
    found = [[row.line for row in subset(ROWS, share, seed)] for share in shares]
    assert [len(lines) for lines in found] == [2, 20, 100, 200]
    assert all(lines == sorted(lines) for lines in found)
    assert all(set(a) < set(b) for a, b in pairwise(found))


def test_a_share_of_a_hundred_rows_is_so_many() -> None:
    counts = [len(subset(ROWS[:100], percent / 100, 1)) for percent in range(1, 101)]
    assert counts == list(range(1, 101))


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
    assert found["exact"]["macro"]["mean"] == pytest.approx(100 * (5 / 8 + 1 / 4) / 2, abs=0.01)
    assert counts(answers[0]) == {"A": [4, 2, 3, 4], "B": [2, 1, 1, 1]}


def test_rows_without_a_type_are_a_type_among_others() -> None:
    found = aggregate([{"": "33", "A": "00"}])["graph"]
    limits = [(figures["low"], figures["high"]) for figures in found["types"].values()]
    assert limits == [(100, 100), (0, 0)]
    assert found["overall"]["low"] == found["macro"]["high"] == 50


def test_runs_over_different_rows_are_not_averaged() -> None:
    with pytest.raises(ValueError, match="different rows"):
        aggregate([{"A": "33"}, {"A": "3"}])


def test_interval_holds_the_mean_and_narrows_with_more_rows() -> None:
    widths = []
    for count in (20, 2000):
        rows = np.random.default_rng(1).random((5, count)) < 0.8
        draws = bootstrap({"A": rows}).overall
        assert draws.shape == (10_000,)
        low, high = np.percentile(draws, [2.5, 97.5])
        assert low < rows.mean() < high
        widths.append(high - low)
    assert widths[1] < widths[0] / 5


def test_a_sure_figure_has_no_width() -> None:
    draws = bootstrap({"A": np.ones((3, 10), np.bool_), "B": np.zeros((3, 30), np.bool_)})
    assert draws.types["A"] == pytest.approx(1)
    assert draws.overall == pytest.approx(0.25)
    assert draws.macro == pytest.approx(0.5)


def test_seeds_that_differ_widen_the_interval() -> None:
    # As many right answers, either of the same rows for all seeds or all of half the seeds.
    rows = np.arange(400) < 200
    alike = np.stack([rows] * 4)
    apart = np.stack([np.full(400, seed % 2 == 0) for seed in range(4)])
    narrow, wide = (np.ptp(bootstrap({"A": r}).overall) for r in (alike, apart))
    assert wide == pytest.approx(1)
    assert narrow < 0.3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("experiment")
    data = write_corpus(folder / "data")
    no_reading = "Emma gave a cat to the dog .\trose ( x _ 3 )\tno reading\n"
    rows = (data / "dev.tsv").read_text(encoding="utf-8")
    (data / "gen_sample.tsv").write_text(rows + no_reading, encoding="utf-8")
    (folder / "slog").mkdir()
    text = f"# A tiny one.\n{SETTINGS}".replace("epochs = 10", "epochs = 2")
    (folder / "slog" / "tiny.toml").write_text(text, encoding="utf-8")
    return folder


def run(
    folder: Path,
    *,
    name: str | None = "tiny",
    settings: Sequence[str] = (),
    fractions: Sequence[float] = (0.5, 1.0, 0.5),
    decoders: Sequence[str] = ("astar-gap", "astar"),
) -> dict[str, Any]:
    return experiment(
        folder / "slog" / "tiny.toml",
        benchmark="slog",
        data=folder / "data",
        seeds=2,
        fractions=fractions,
        decoders=decoders,
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


def test_a_share_in_the_settings_is_the_share_that_is_used(
    folder: Path, record: dict[str, Any]
) -> None:
    half = run(folder, name=None, settings=["data.fraction=0.5"], fractions=())
    assert half["name"] == "slog-tiny"
    assert half["fractions"] == {"0.5": record["fractions"]["0.5"]}
    assert run(folder, name=None)["name"] == "slog-tiny-fractions"


def test_wrong_readings_of_all_decoders_are_kept(folder: Path, record: dict[str, Any]) -> None:
    run(folder, name="other", decoders=["fixed-tree"])
    for found in record["runs"]:
        config = settings_of("slog", folder / "slog" / "tiny.toml")
        config = with_overrides(
            config, [f"train.seed={found['seed']}", f"data.fraction={found['fraction']}"]
        )
        where = Run("slog", config, folder / "data", folder / "runs").folder
        for decoder, types in found["counts"]["gen_sample"].items():
            wrong_count = sum(row[0] - row[3] for row in types.values())
            assert wrong_count > 0
            [readings] = where.glob(f"wrong-gen_sample-{decoder}-{'?' * 10}.tsv")
            assert len(readings.read_text().splitlines()) == wrong_count


def test_training_that_goes_on_notices_another_share(
    folder: Path, record: dict[str, Any], tmp_path: Path
) -> None:
    config = settings_of("slog", folder / "slog" / "tiny.toml")
    whole = Run("slog", config, folder / "data", folder / "runs").folder
    half = with_overrides(config, ["data.fraction=0.5"])
    for path in whole.glob("model.*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    with pytest.raises(InputError, match=r"data\.fraction was 1\.0 and is 0\.5"):
        train_with(half, data=folder / "data", output=tmp_path, resume=True)


def test_a_training_ends_with_its_experiment_and_goes_on_with_the_next(
    folder: Path, tmp_path: Path
) -> None:
    config = settings_of("slog", folder / "slog" / "tiny.toml", ["train.epochs=20"])
    config = with_overrides(config, ["train.patience=20"])
    cut_off, whole = (Run("slog", config, folder / "data", tmp_path / n) for n in ("a", "b"))
    cut_off.folder.mkdir(parents=True)
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps(to_dict(config)))
    arguments = ["slog", str(folder / "data"), str(cut_off.folder), str(settings)]
    command = [sys.executable, "-m", "amparser.evaluation.runs", *arguments]
    # Weights are the same to the bit with the same number of threads only.
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        assert process.stdin is not None
        while not list(cut_off.folder.glob("checkpoint-*.json")):
            assert process.poll() is None
            time.sleep(0.02)
        process.stdin.close()
        assert process.wait(timeout=10) == 1
    assert not cut_off.trained()
    for run_, resumed in ((cut_off, True), (whole, False)):
        run_.train(threads=1)
        assert run_.trained()
        assert run_.cost()["resumed"] is resumed
    weights = [(r.folder / "model.safetensors").read_bytes() for r in (cut_off, whole)]
    assert weights[0] == weights[1]


def test_no_training_starts_after_one_that_failed(folder: Path, tmp_path: Path) -> None:
    data = write_corpus(tmp_path / "data")
    (data / "gen.tsv").write_bytes((data / "dev.tsv").read_bytes())
    (data / "train.tsv").write_text("Emma slept .\tnonsense ( (\tx\n")
    config = folder / "slog" / "tiny.toml"
    where = {"runs": tmp_path / "runs", "results": tmp_path / "results"}
    with pytest.raises(InputError, match=r"training failed: slog: .*train\.tsv:1: "):
        experiment(config, benchmark="slog", data=data, seeds=3, **where)
    assert len(list((tmp_path / "runs").iterdir())) == 1


def test_a_bad_row_of_a_split_is_found_before_any_training(folder: Path, tmp_path: Path) -> None:
    data = write_corpus(tmp_path / "data")
    (data / "gen.tsv").write_text("Emma slept .\tnonsense ( (\tx\n")
    config = folder / "slog" / "tiny.toml"
    where = {"runs": tmp_path / "runs", "results": tmp_path / "results"}
    with pytest.raises(AMParserError, match=r"gen\.tsv:1: "):
        experiment(config, benchmark="slog", data=data, **where)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


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
        (["--decoders", "greedy"], "unknown decoder 'greedy'"),
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
    root = Path(__file__).resolve().parents[2]
    text = (root / "README.md").read_text(encoding="utf-8")
    assert "<!-- table: types slog-default" in text
    assert filled(text, root / "training" / "results") == text
