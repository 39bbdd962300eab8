"""Experiments: runs that are kept, rows that add up, tables that follow the records."""

import json
import pickle
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import SMALL
from fake_system import BY_HEART, Settings, install, search_path
from small_settings import NODES
from tiny_model import write_corpus

from amparser.errors import AMParserError, CorpusError, InputError
from amparser.evaluation.benchmark import Benchmark
from amparser.evaluation.metric import OVERALL
from amparser.experiments import experiment as module
from amparser.experiments.dataset import default_dataset
from amparser.experiments.experiment import Experiment, experiment
from amparser.experiments.record import Record, read_record
from amparser.experiments.run import Run
from amparser.experiments.tables import filled, renew
from amparser.learn.settings import with_overrides
from amparser.learn.system_registry import SYSTEMS
from amparser.working_folder import working_folder

TOY = Benchmark("toy", "A toy.", ("cogs",), measure="reformatted")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("experiment")
    install(folder / "packages")
    data = write_corpus(folder / "data")
    rows = (data / "dev.tsv").read_text(encoding="utf-8")
    no_reading = "Emma gave a cat to the dog .\trose ( x _ 3 )\tno reading\n"
    (data / "gen_sample.tsv").write_text(rows + no_reading, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", search_path(folder / "packages"))
        yield folder


def plan_of(folder: Path, **changes: Any) -> Experiment:
    plan = Experiment(
        "tiny",
        TOY,
        BY_HEART,
        Settings(),
        default_dataset(TOY, folder / "data", "cogs"),
        about="A tiny one.",
        seeds=(1, 2),
        fractions=(0.5, 1.0, 0.5),
        decoders=("careful", "written"),
    )
    return replace(plan, **changes)


def run(folder: Path, **changes: Any) -> Record:
    return experiment(plan_of(folder, **changes), folder / "runs")


def trained(folder: Path) -> list[Path]:
    """The folders of runs."""
    return sorted(path for path in (folder / "runs").iterdir() if path.is_dir())


@pytest.fixture(scope="module")
def record(folder: Path) -> Record:
    return run(folder)


def one_run(folder: Path, runs: Path, **train: Any) -> Run:
    settings = replace(Settings(), train=replace(Settings().train, **train))
    return replace(plan_of(folder, fractions=()), settings=settings, seeds=(1,)).runs(runs)[0]


def test_a_record_says_what_was_run(folder: Path, record: Record) -> None:
    kept = read_record("toy-tiny", folder / "runs")
    as_json = [json.loads(json.dumps(one.to_json())) for one in (kept, record)]
    assert as_json[0] == as_json[1]
    assert (record.about, record.system, record.dataset) == ("A tiny one.", "by-heart", "")
    runs = [(one["fraction"], one["seed"]) for one in record.runs]
    assert runs == [(0.5, 1), (0.5, 2), (1, 1), (1, 2)]
    for one in record.runs:
        assert {"seconds", "cpu_seconds", "peak_mib", "resumed", "training_commit"} <= one.keys()
        assert one["training_commit"] == record.evaluation_commit
    assert set(record.data["sha256"]) == {"train", "dev", "gen_sample"}
    assert str(folder) not in json.dumps(record.to_json())


def test_rows_add_up_to_figures(record: Record) -> None:
    for decoder in ("careful", "written"):
        rows = [
            row
            for row in record.rows
            if (row.fraction, row.decoder, row.measure) == (1, decoder, "exact")
        ]
        for seed in (1, 2):
            of_seed = {row.tag: row for row in rows if row.seed == seed}
            whole = of_seed.pop(OVERALL)
            assert whole.denominator == sum(row.denominator for row in of_seed.values())
            assert whole.numerator == sum(row.numerator for row in of_seed.values())
        shares = [100 * row.numerator / row.denominator for row in rows if row.tag == OVERALL]
        figure = record.figure(["gen_sample"], OVERALL, decoder, "exact")
        assert figure is not None
        assert (figure.mean, figure.seeds) == (pytest.approx(sum(shares) / 2), 2)
        interval = record.interval("gen_sample", OVERALL, decoder, "exact")
        assert interval is not None
        assert interval.low is not None
        assert interval.high is not None
        assert interval.low <= interval.mean <= interval.high
        assert interval.mean == pytest.approx(figure.mean, abs=0.01)


def test_malformed_texts_are_counted_and_trees_are_not(record: Record) -> None:
    written = record.figure(["gen_sample"], OVERALL, "written", "malformed")
    assert written is not None
    assert written.mean > 0
    assert record.figure(["gen_sample"], OVERALL, "careful", "malformed") is None


def test_the_measure_of_the_benchmark_is_among_the_usual_ones(folder: Path) -> None:
    usual = run(folder, name="usual", benchmark=replace(TOY, measure="smatch"))
    assert {row.measure for row in usual.rows} >= {"exact", "smatch", "smatch_recall"}


def test_metrics_that_are_asked_for_are_the_only_ones(folder: Path, record: Record) -> None:
    one = run(folder, name="wrong", metrics=["malformed"])
    assert {row.measure for row in one.rows} >= {"malformed"}
    assert "exact" not in {row.measure for row in one.rows}
    with pytest.raises(InputError, match="metric counter: cogs meanings have no clauses"):
        run(folder, name="clauses", metrics=["counter"])


def test_what_is_done_is_not_done_again(folder: Path, record: Record) -> None:
    files = (path for one in trained(folder) for path in one.iterdir())
    times = {path: path.stat().st_mtime_ns for path in files}
    assert run(folder).rows == record.rows
    assert {p: p.stat().st_mtime_ns for p in times} == times


def test_other_decoding_shares_the_trainings(folder: Path, record: Record) -> None:
    before = trained(folder)
    settings = replace(Settings(), decode=replace(Settings().decode, longest=3))
    other = run(folder, name="short", settings=settings)
    assert trained(folder) == before
    assert other.settings["decode"]["longest"] == 3
    figure = other.figure(["gen_sample"], OVERALL, "careful", "graph")
    assert figure is not None
    assert figure.mean == 0


def test_a_share_in_the_settings_is_the_share_that_is_used(folder: Path, record: Record) -> None:
    data = replace(Settings().data, fraction=0.5)
    half = run(folder, name="half", settings=replace(Settings(), data=data), fractions=())
    assert half.rows == [row for row in record.rows if row.fraction == 0.5]


def test_a_training_ends_with_its_experiment(folder: Path, tmp_path: Path) -> None:
    endless = one_run(folder, tmp_path, epochs=101)
    endless.folder.mkdir(parents=True)
    task = (BY_HEART.name, endless.settings, endless.corpus(), endless.folder, {})
    command = [sys.executable, "-m", "amparser.experiments.run"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        process.stdin.write(pickle.dumps(task))
        process.stdin.flush()
        while not list(endless.folder.glob(".amparser/checkpoint*")):
            assert process.poll() is None
            time.sleep(0.02)
        process.stdin.close()
        assert process.wait(timeout=120) == 1
    assert not endless.is_trained()


def test_a_training_that_was_cut_off_is_resumed(folder: Path, tmp_path: Path) -> None:
    one = one_run(folder, tmp_path)
    one.folder.mkdir(parents=True)
    with working_folder(one.folder) as working:
        (working / "checkpoint-1.json").write_text("{}")
    one.train()
    assert one.is_trained()
    cost = one.cost()
    assert cost["resumed"] is True
    one.train()
    assert one.cost() == cost, "what is trained keeps its costs"


def test_a_model_of_other_settings_in_the_folder_is_refused(
    folder: Path, record: Record, tmp_path: Path
) -> None:
    found, wanted = one_run(folder, folder / "runs"), one_run(folder, tmp_path, epochs=3)
    wanted.folder.mkdir()
    for name in ("model.json", "cost.json"):
        (wanted.folder / name).write_bytes((found.folder / name).read_bytes())
    with pytest.raises(InputError, match="other settings"):
        wanted.is_trained()


def test_no_training_starts_after_one_that_failed(folder: Path, tmp_path: Path) -> None:
    data = write_corpus(tmp_path / "data")
    (data / "gen.tsv").write_bytes((data / "dev.tsv").read_bytes())
    (data / "train.tsv").write_text("Emma slept .\tnonsense\tx\n")
    plan = plan_of(folder, dataset=default_dataset(TOY, data, "cogs"), seeds=(1, 2, 3))
    with pytest.raises(InputError, match=r"training failed: by-heart: .*train\.tsv:1: "):
        experiment(plan, tmp_path / "runs")
    assert len(list((tmp_path / "runs").iterdir())) == 1


def test_a_bad_row_of_a_split_is_found_before_any_training(folder: Path, tmp_path: Path) -> None:
    data = write_corpus(tmp_path / "data")
    (data / "gen.tsv").write_text("Emma slept .\tnonsense ( (\tx\n")
    plan = plan_of(folder, dataset=default_dataset(TOY, data, "cogs"))
    with pytest.raises(AMParserError, match=r"gen\.tsv:1: "):
        experiment(plan, tmp_path / "runs")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_dev_is_tested_if_it_is_named_or_alone(tmp_path: Path) -> None:
    data = write_corpus(tmp_path)
    alone = default_dataset(TOY, data, "cogs")
    assert list(alone.tests) == list(alone.train)[1:] == ["dev"]
    (data / "gen.tsv").write_bytes((data / "dev.tsv").read_bytes())
    assert list(default_dataset(TOY, data, "cogs").tests) == ["gen"]
    assert sorted(default_dataset(TOY, data, "cogs", ("dev", "gen")).tests) == ["dev", "gen"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"decoders": ("greedy",)}, "no decoder 'greedy'"),
        ({"splits": ("genn",)}, "no split 'genn' to test on, expected one of gen_sample"),
        ({"metrics": ("bleu",)}, "unknown metric 'bleu', expected one of match"),
    ],
)
def test_bad_plans_are_refused_before_any_training(
    folder: Path, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(AMParserError, match=message):
        experiment(plan_of(folder, **changes), tmp_path / "runs")
    assert not list(tmp_path.iterdir())


def test_a_folder_without_train_is_refused(tmp_path: Path) -> None:
    (tmp_path / "gen.tsv").write_text("")
    with pytest.raises(CorpusError, match=r"expected train\.tsv"):
        default_dataset(TOY, tmp_path, "cogs")


def test_a_record_says_that_a_program_differed_from_its_commit(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_of(folder, seeds=(1,), fractions=())
    (only,) = plan.runs(tmp_path)
    monkeypatch.setattr(module, "commit", lambda: "1d2de2d")
    monkeypatch.setattr("amparser.experiments.run.commit", lambda: "1d2de2d+")
    assert experiment(plan, tmp_path).dirty, "the program that trained"
    shutil.rmtree(only.folder)
    monkeypatch.setattr("amparser.experiments.run.commit", lambda: "1d2de2d")
    assert not experiment(plan, tmp_path).dirty
    assert only.cost()["training_commit"] == "1d2de2d"
    monkeypatch.setattr(module, "commit", lambda: "1d2de2d+")
    assert experiment(plan, tmp_path).dirty, "the program that evaluated"


@pytest.mark.parametrize(
    ("name", "decoders", "overrides"),
    [
        ("amparser", ("astar-gap", "astar"), (*NODES, "train.epochs=2")),
        (
            "transformer",
            ("greedy", "beam-2"),
            (*SMALL, "max_steps=40", "validate_every=20", "train.device=cpu"),
        ),
    ],
)
def test_a_system_of_the_package_is_trained_and_asked(
    folder: Path, tmp_path: Path, name: str, decoders: tuple[str, ...], overrides: tuple[str, ...]
) -> None:
    system = SYSTEMS[name]
    settings = with_overrides(system.settings, overrides)
    plan = plan_of(folder, system=system, settings=settings, seeds=(1,), decoders=decoders)
    told: list[tuple[str, int, int]] = []
    plan = replace(plan, fractions=())
    record = experiment(plan, tmp_path, jobs=2, on_step=lambda *step: told.append(step))
    assert told == [("training", 1, 1), ("answering", 1, 1)]
    assert (record.system, record.decoders("gen_sample")) == (name, decoders)
    for decoder in decoders:
        right = {
            row.measure: row.numerator
            for row in record.rows
            if (row.split, row.decoder, row.tag) == ("gen_sample", decoder, OVERALL)
        }
        assert 0 <= right["graph"] < 10
        assert ("malformed" in right) == (name != "amparser")
        assert right.get("malformed", 0) <= 10 - right["graph"]


def test_a_text_follows_the_records(folder: Path, record: Record, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "before\n<!-- table: types toy-tiny -->\n<!-- end -->\nbetween\n"
        "<!-- table: curve toy-tiny -->\nold\n<!-- end -->\n"
        "<!-- table: overall@gen_sample toy-tiny -->\n<!-- end -->\nafter\n"
    )
    assert renew(page, folder / "runs", {"toy": TOY}) == (3, True)
    renewed = page.read_text()
    assert filled(renewed, folder / "runs", {"toy": TOY}) == renewed
    assert renew(page, folder / "runs", {"toy": TOY}) == (3, False)
    assert "old" not in renewed
    assert renewed.startswith("before\n")
    assert renewed.endswith("after\n")
    figure = record.figure(["gen_sample"], OVERALL, "written", "reformatted")
    assert figure is not None
    assert f"{figure.mean:.1f}" in renewed
    assert "| 50 % |" in renewed
    assert "A tiny one." in renewed
