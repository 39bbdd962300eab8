"""One run of an experiment: a system trained with one seed, and its answers.

The name of a run's folder depends on everything that its training depends on. So experiments that
differ only in decoding share trainings:

    runs/BENCHMARK-3f2a91c07b/model.json ...                 the model
                              train.log                      what its training said
                              cost.json                      what its training took

Nothing is trained twice.
"""

from __future__ import annotations

import os
import pickle
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import AMParserError, InputError
from amparser.evaluation.benchmark import Benchmark
from amparser.evaluation.gold import read_gold
from amparser.experiments.dataset import DataSet
from amparser.files import checksum, checksum_of_json, read_json, write_json
from amparser.learn.corpus_reading import read_splits
from amparser.learn.settings import DataSettings
from amparser.learn.system import Model, System
from amparser.learn.system_registry import SYSTEMS
from amparser.notations.registry import NOTATIONS
from amparser.provenance import commit
from amparser.working_folder import WORKING

DECODING = ("decode", "train.device")
"""Settings that training does not depend on, for a system that does not name them."""


@dataclass(frozen=True)
class Run:
    """A system that is trained and asked.

    Attributes:
        benchmark: names the folder, and defines how answers are read.
        settings: all of the system's settings, including seed and share of train.
        notation: of meanings in the data; empty if there is none.
        runs: the folder that holds the folders of runs.
    """

    benchmark: Benchmark
    system: System
    settings: Any
    dataset: DataSet
    notation: str
    runs: Path

    @property
    def seed(self) -> int:
        """The seed of the training."""
        return int(self.settings.train.seed)

    @property
    def fraction(self) -> float:
        """The share of train that is used."""
        data = getattr(self.settings, "data", None)
        return float(getattr(data, "fraction", 1.0))

    @cached_property
    def digest(self) -> str:
        """A checksum of everything that the training depends on."""
        files = {split: checksum(path) for split, path in self.dataset.train.items()}
        settings = without(asdict(self.settings), getattr(self.system, "decoding", DECODING))
        return checksum_of_json([self.system.name, self.notation, settings, files])

    @property
    def folder(self) -> Path:
        """The folder of this run."""
        return self.runs / f"{self.benchmark.name}-{self.digest[:10]}"

    def is_trained(self) -> bool:
        """Return whether the model exists.

        Raises:
            InputError: the folder has a model of another training.
        """
        model, cost = self.folder / "model.json", self.folder / "cost.json"
        if not model.exists() or not cost.exists():
            return False
        kept = read_json(cost)
        if kept.get("training") != self.digest or kept.get("model") != checksum(model):
            raise InputError(f"{model}: a model with other settings; remove the folder")
        return True

    def corpus(self) -> Corpus:
        """Return the training data: the share of the settings, chosen by the seed.

        A part of train is held out, the same for each seed, if dev is missing.

        Raises:
            CorpusError: a file is missing or malformed.
        """
        share = getattr(getattr(self.settings, "data", None), "held_out", 0.0)
        return read_splits(
            self.dataset.train,
            DataSettings(held_out=share, fraction=self.fraction),
            seed=self.seed,
            notation=self.notation,
            benchmark=self.benchmark.name,
            read=self.benchmark.read,
        )

    def train(self, *, threads: int | None = None) -> None:
        """Train in a separate process, from the last checkpoint if there is one.

        The process ends with this one, so that none trains on while it might be started again.
        A model that another experiment has trained in the meantime is kept, with its costs.

        Raises:
            InputError: the process failed; its messages are in `train.log`.
        """
        if self.is_trained():
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        begun = any((self.folder / WORKING).glob("checkpoint*"))
        resumed = begun or (self.folder / "model.json").exists()
        known = {"resumed": resumed, "training_commit": commit(), "training": self.digest}
        task = (self.system.name, self.settings, self.corpus(), self.folder, known)
        environment = dict(os.environ)
        if threads is not None:
            environment["OMP_NUM_THREADS"] = str(threads)
        log = self.folder / "train.log"
        if code := _in_process(pickle.dumps(task), log, environment):
            lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            if not lines:
                log.unlink()
            said = lines[-1] if lines else f"exit status {code}"
            raise InputError(f"{log}: training failed: {said}")

    def cost(self) -> dict[str, Any]:
        """The cost of the training: `seconds`, `cpu_seconds`, `peak_mib`.

        Costs of a `resumed` training cover only its last part, if any. `training_commit` names
        the program that trained.
        """
        kept: dict[str, Any] = read_json(self.folder / "cost.json")
        return {key: value for key, value in kept.items() if key not in ("training", "model")}

    def load(self) -> Model:
        """The trained model, with this run's settings of decoding."""
        train = getattr(self.settings, "train", None)
        model = self.system.load(self.folder, getattr(train, "device", "auto"))
        return model if model.settings == self.settings else model.with_settings(self.settings)

    def gold(self, split: str) -> list[Example]:
        """The examples of a split, with their tags.

        Raises:
            CorpusError: the file is missing or malformed.
        """
        notation = NOTATIONS[self.notation] if self.notation else None
        return read_gold(self.dataset.tests[split], notation, self.benchmark)


def without(settings: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Nested settings without the dotted names given, which may be whole sections.

    >>> without({"train": {"seed": 1, "device": "cpu"}, "decode": {}}, ["decode", "train.device"])
    {'train': {'seed': 1}}
    """
    found: dict[str, Any] = {}
    for key, value in settings.items():
        if key in names:
            continue
        below = [name.removeprefix(f"{key}.") for name in names if name.startswith(f"{key}.")]
        found[key] = without(value, below) if below and isinstance(value, Mapping) else value
    return found


def _in_process(task: bytes, log: Path, environment: Mapping[str, str]) -> int:
    """Run this module in a separate process; returns its exit status."""
    command = [sys.executable, "-m", "amparser.experiments.run"]
    with (
        log.open("wb") as output,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=output, stderr=output, env=environment
        ) as process,
    ):
        assert process.stdin is not None
        try:
            # If the process has ended already, its status and log say why.
            with suppress(BrokenPipeError):
                process.stdin.write(task)
                process.stdin.flush()
            return process.wait()
        except BaseException:
            process.kill()
            raise
        finally:
            with suppress(BrokenPipeError):
                process.stdin.close()


def main() -> None:
    """Train the system that standard input names, and write its cost, too."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    started = time.perf_counter()
    name, settings, corpus, folder, known = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        SYSTEMS[name].train(corpus, settings, folder, resume=True)
    except AMParserError as error:
        raise SystemExit(f"{name}: {error}") from None
    usage = resource.getrusage(resource.RUSAGE_SELF)
    cost = {
        "seconds": round(time.perf_counter() - started, 1),
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "peak_mib": round(usage.ru_maxrss / 1024),
        **known,
        "model": checksum(folder / "model.json"),
    }
    write_json(folder / "cost.json", cost)


def _end_with_parent() -> None:
    """Wait until the other end of standard input is closed, which happens when the parent dies."""
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
