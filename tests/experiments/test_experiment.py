"""Experiments: trained runs, and rows that add up to figures."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import SMALL
from fake_system import BY_HEART, Settings
from small_settings import NODES
from tiny_model import write_corpus

from amparser.errors import AMParserError, CorpusError, InputError
from amparser.evaluation.benchmark import Benchmark
from amparser.evaluation.metric import OVERALL
from amparser.experiments.experiment import Experiment, experiment
from amparser.experiments.record import Key, Record, read_record
from amparser.learn.settings import with_overrides
from amparser.learn.system_registry import SYSTEMS

TOY = Benchmark("toy", "A toy.", ("cogs",), measure="reformatted")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("experiment")
    data = write_corpus(folder / "data")
    rows = (data / "dev.tsv").read_text(encoding="utf-8")
    no_reading = "Emma gave a cat to the dog .\trose ( x _ 3 )\tno reading\n"
    (data / "gen_sample.tsv").write_text(rows + no_reading, encoding="utf-8")
    return folder


def plan_of(folder: Path, **changes: Any) -> Experiment:
    plan = Experiment(
        "tiny",
        TOY,
        BY_HEART,
        Settings(),
        folder / "data",
        about="A tiny one.",
        seeds=(1, 2),
        fractions=(0.5, 1.0, 0.5),
        decoders=("careful", "written"),
    )
    return replace(plan, **changes)


def run(folder: Path, **changes: Any) -> Record:
    return experiment(plan_of(folder, **changes), folder / "runs")


@pytest.fixture(scope="module")
def record(folder) -> Record:
    return run(folder)


def test_record_lists_runs_data_and_commits(folder, record) -> None:
    kept = read_record("toy-tiny", folder / "runs")
    as_json = [json.loads(json.dumps(one.to_json())) for one in (kept, record)]
    assert as_json[0] == as_json[1]
    assert (record.about, record.system) == ("A tiny one.", "by-heart")
    runs = [(one["fraction"], one["seed"]) for one in record.runs]
    assert runs == [(0.5, 1), (0.5, 2), (1, 1), (1, 2)]
    assert {one["training_commit"] for one in record.runs} == {"1d2de2d"}
    assert set(record.data["sha256"]) == {"train", "dev", "gen_sample"}
    assert str(folder) not in json.dumps(record.to_json())


def test_rows_add_up_to_figures(record) -> None:
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
        figure = record.overall("gen_sample", decoder, "exact")
        assert figure.mean == pytest.approx(sum(shares) / 2)


def test_malformed_texts_are_counted_and_trees_are_not(record) -> None:
    written = record.overall("gen_sample", "written", "malformed")
    assert written.mean > 0
    assert record.overall("gen_sample", "careful", "malformed") is None


def test_default_metrics_include_the_measure_of_the_benchmark(folder) -> None:
    usual = run(folder, name="usual", benchmark=replace(TOY, measure="smatch"))
    assert {row.measure for row in usual.rows} >= {"exact", "smatch", "smatch_recall"}


def test_requested_metrics_replace_the_default(folder, record) -> None:
    one = run(folder, name="wrong", metrics=["malformed"])
    assert {row.measure for row in one.rows} == {"malformed"}
    with pytest.raises(InputError, match="metric counter: cogs meanings have no clauses"):
        run(folder, name="clauses", metrics=["counter"])


def test_share_of_train_is_taken_from_the_settings(folder, record) -> None:
    data = replace(Settings().data, fraction=0.5)
    half = run(folder, name="half", settings=replace(Settings(), data=data), fractions=())
    assert half.rows == [row for row in record.rows if row.fraction == 0.5]


def test_parallel_trainings_give_equal_rows(folder, record) -> None:
    plan = plan_of(folder, name="tiny")
    assert experiment(plan, folder / "beside", jobs=2).rows == record.rows


@pytest.mark.parametrize("jobs", [1, 2])
def test_failed_training_ends_the_experiment(tmp_path, jobs) -> None:
    data = write_corpus(tmp_path / "data")
    (data / "gen.tsv").write_bytes((data / "dev.tsv").read_bytes())
    (data / "train.tsv").write_text("Emma slept .\tnonsense\tx\n")
    plan = plan_of(tmp_path, seeds=(1, 2, 3))
    with pytest.raises(InputError, match=r"train\.tsv:1: "):
        experiment(plan, tmp_path / "runs", jobs=jobs)
    assert not list((tmp_path / "runs").glob("*.json"))


def test_bad_row_is_reported_before_training(tmp_path) -> None:
    data = write_corpus(tmp_path / "data")
    (data / "gen.tsv").write_text("Emma slept .\tnonsense ( (\tx\n")
    with pytest.raises(AMParserError, match=r"gen\.tsv:1: "):
        experiment(plan_of(tmp_path), tmp_path / "runs")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_dev_is_evaluated_if_named_or_alone(tmp_path) -> None:
    data = write_corpus(tmp_path / "data")
    assert plan_of(tmp_path).tests() == ["dev"]
    (data / "gen.tsv").write_bytes((data / "dev.tsv").read_bytes())
    assert plan_of(tmp_path).tests() == ["gen"]
    assert plan_of(tmp_path, splits=("dev", "gen")).tests() == ["dev", "gen"]
    (data / "train.tsv").unlink()
    with pytest.raises(CorpusError, match=r"expected train\.tsv"):
        plan_of(tmp_path).tests()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"decoders": ("greedy",)}, "no decoder 'greedy'"),
        ({"splits": ("genn",)}, "no split 'genn' to test on, expected one of gen_sample"),
        ({"metrics": ("bleu",)}, "unknown metric 'bleu', expected one of match"),
    ],
)
def test_bad_plan_is_an_error_before_training(folder, tmp_path, changes, message) -> None:
    with pytest.raises(AMParserError, match=message):
        experiment(plan_of(folder, **changes), tmp_path / "runs")
    assert not list(tmp_path.iterdir())


OVERRIDES = {
    "amparser": (*NODES, "train.epochs=2"),
    "transformer": (*SMALL, "max_steps=40", "validate_every=20", "train.device=cpu"),
}


@pytest.mark.parametrize("name", OVERRIDES)
def test_packaged_system_is_trained_and_evaluated(folder, tmp_path, name) -> None:
    system, decoders = SYSTEMS[name], ("greedy", "beam-2")
    decoders = ("astar-gap", "astar") if name == "amparser" else decoders
    settings = with_overrides(system.settings, OVERRIDES[name])
    own = {"settings": settings, "seeds": (1,), "decoders": decoders, "fractions": ()}
    plan = plan_of(folder, system=system, **own)
    told: list[tuple[str, int, int]] = []
    record = experiment(plan, tmp_path, on_step=lambda *step: told.append(step))
    assert told == [("training", 1, 1), ("answering", 1, 1)]
    assert (record.system, record.decoders("gen_sample")) == (name, [*decoders])
    for decoder in decoders:
        right = {
            row.measure: row.numerator
            for row in record.rows
            if (row.split, row.decoder, row.tag) == ("gen_sample", decoder, OVERALL)
        }
        assert 0 <= right["graph"] < 10
        assert ("malformed" in right) == (name != "amparser")
        assert right.get("malformed", 0) <= 10 - right["graph"]
    model = tmp_path / "toy-tiny/1-1/model.json"
    written = model.stat().st_mtime_ns
    assert experiment(plan, tmp_path).rows == record.rows
    assert model.stat().st_mtime_ns == written, "what is trained is not trained again"
    other = replace(settings, train=replace(settings.train, learning_rate=0.5))
    with pytest.raises(InputError, match=r"train\.learning_rate was .* and is 0\.5"):
        experiment(replace(plan, settings=other), tmp_path)
    assert Key(1.0, "gen_sample", decoders[0], "graph", OVERALL) in record.figures
