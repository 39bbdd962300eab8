"""Experiments with the systems of the package: trained, asked and recorded end to end."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import SMALL
from tiny_model import SETTINGS, write_corpus

from amparser.evaluation.benchmark import Benchmark
from amparser.evaluation.evaluate import OVERALL
from amparser.experiments.dataset import default_dataset
from amparser.experiments.experiment import Experiment, experiment
from amparser.experiments.record import Record
from amparser.learn.settings import section_from_toml, with_overrides
from amparser.learn.system_registry import SYSTEMS

TOY = Benchmark("toy", "A toy.", ("cogs",), measure="reformatted")
OVERRIDES = [*SMALL, "max_steps=40", "validate_every=20", "train.device=cpu"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("experiment")
    data = write_corpus(folder / "data")
    rows = (data / "dev.tsv").read_text(encoding="utf-8")
    no_reading = "Emma gave a cat to the dog .\trose ( x _ 3 )\tno reading\n"
    (data / "gen_sample.tsv").write_text(rows + no_reading, encoding="utf-8")
    (folder / "tiny.toml").write_text(SETTINGS.replace("epochs = 10", "epochs = 2"))
    return folder


def plan_of(folder: Path, system: str, overrides: Sequence[str] = (), **changes: Any) -> Experiment:
    settings = SYSTEMS[system].settings
    if system == "amparser":
        settings = section_from_toml(settings, folder / "tiny.toml")
    plan = Experiment(
        system,
        TOY,
        SYSTEMS[system],
        with_overrides(settings, overrides),
        default_dataset(TOY, folder / "data", "cogs"),
        seeds=(1,),
    )
    return replace(plan, **changes)


def run(folder: Path, system: str, overrides: Sequence[str] = (), **changes: Any) -> Record:
    return experiment(plan_of(folder, system, overrides, **changes), folder / "runs")


def trained(folder: Path) -> list[Path]:
    """The folders of runs."""
    return sorted(path for path in (folder / "runs").iterdir() if path.is_dir())


PARSER = ("amparser", ("train.device=cpu",))


@pytest.fixture(scope="module")
def parsed(folder: Path) -> Record:
    return run(folder, *PARSER, decoders=("astar-gap", "astar"), fractions=(0.5, 1.0))


def test_a_parser_is_trained_and_asked(parsed: Record) -> None:
    assert parsed.system == "amparser"
    assert parsed.decoders("gen_sample") == ("astar-gap", "astar")
    for decoder in parsed.decoders("gen_sample"):
        figure = parsed.figure(["gen_sample"], OVERALL, decoder, "graph")
        assert figure is not None
        assert 0 <= figure.mean < 100
    rows = [row for row in parsed.rows if (row.tag, row.measure) == (OVERALL, "exact")]
    assert {row.denominator for row in rows} == {10}
    assert "malformed" not in {row.measure for row in parsed.rows}


@pytest.fixture(scope="module")
def written(folder: Path) -> Record:
    return run(folder, "transformer", OVERRIDES, decoders=("greedy", "beam-2"))


def test_a_baseline_is_trained_and_asked(written: Record) -> None:
    assert written.decoders("gen_sample") == ("greedy", "beam-2")
    for run_ in written.runs:
        for decoder in ("greedy", "beam-2"):
            found = {
                row.measure: row.numerator
                for row in written.rows
                if (row.seed, row.decoder, row.tag) == (run_["seed"], decoder, OVERALL)
            }
            kinds = sum(n for measure, n in found.items() if measure.startswith("malformed:"))
            assert found["malformed"] == kinds <= 10 - found["graph"]


def test_the_length_limit_of_an_experiment_is_used(folder: Path, written: Record) -> None:
    before = trained(folder)
    short = run(folder, "transformer", [*OVERRIDES, "max_length=2"], name="short")
    assert trained(folder) == before
    figure = short.figure(["gen_sample"], OVERALL, "greedy", "malformed:length limit")
    assert figure is not None
    assert figure.mean == 100
