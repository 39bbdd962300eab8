"""One run of an experiment: a parser trained with one seed, and what it answers.

A run lies in a folder named by all that its training depends on, so that
experiments that differ in decoding alone share trainings:

    runs/slog-3f2a91c07b/model.json, model.safetensors     the model
                         cost.json                         what its training took
                         answers-gen_sample-77ab.json      how right it was, row by row,
                                                           by model, data and settings
                         wrong-gen_sample-astar-77ab.tsv   the wrong readings of a decoder
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from amparser.commands.answers import answers_to, read_gold
from amparser.commands.preparation import training_files
from amparser.commands.provenance import commit
from amparser.corpus import Example, checksum
from amparser.errors import AMParserError, InputError
from amparser.learn.checkpoint import MODEL, load_model, write_atomically
from amparser.learn.config import RESTRICTIONS, Config, to_dict
from amparser.learn.resume import checksum_of_json
from amparser.metrics import Counts
from amparser.parser import Parser

# Settings that training does not depend on.
_OF_DECODING = (*RESTRICTIONS, "frames", "word_count", "supertag_count")

# How right an answer is: by no measure, up to isomorphism, reformatted, to the string.
WRONG, GRAPH, REFORMATTED, EXACT = "0123"

# Answers of one decoder: for each type a digit a row, in the order of the rows.
Digits = Mapping[str, str]


@dataclass(frozen=True)
class Run:
    """What is trained and asked: the parser; `amparser.commands.seq2seq_runs` has the baselines.

    Attributes:
        benchmark: names the folder and its default settings.
        config: all settings, seed and share of the data included.
        data: the folder with the data files.
        runs: where the folders of runs lie.
    """

    benchmark: str
    config: Any
    data: Path
    runs: Path

    @cached_property
    def files(self) -> dict[str, Path]:
        """The data files by name."""
        return training_files(self.data, self.config.data.notation)

    def of_training(self, config: Any) -> dict[str, Any]:
        """The settings that training depends on."""
        return _of_training(config)

    def kept_config(self) -> Any:
        """The settings of the model in the folder."""
        return load_model(self.folder, "cpu").config

    @cached_property
    def data_checksums(self) -> dict[str, str]:
        """The SHA-256 of the files that are trained on."""
        return {name: checksum(self.files[name]) for name in ("train", "dev") if name in self.files}

    @cached_property
    def folder(self) -> Path:
        """Where this run lies."""
        digest = checksum_of_json([self.of_training(self.config), self.data_checksums])
        return self.runs / f"{self.benchmark}-{digest[:10]}"

    def trained(self) -> bool:
        """Whether the model is there; raises InputError where it is another one."""
        path = self.folder / f"{MODEL}.json"
        if not path.exists() or not (self.folder / "cost.json").exists():
            return False
        if self.of_training(self.kept_config()) != self.of_training(self.config):
            raise InputError(f"{path}: a model with other settings; remove the folder")
        return True

    def train(self, *, threads: int | None = None) -> None:
        """Train in a process of its own, from the last checkpoint where there is one.

        The process ends with this one, so that none trains on where it would be
        started again.

        Raises:
            InputError: the process failed; its messages are in `train.log`.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = self.folder / "settings.json"
        write_json(settings, to_dict(self.config))
        command = [sys.executable, "-m", "amparser.commands.runs"]
        arguments = [self.benchmark, str(self.data), str(self.folder), str(settings)]
        environment = dict(os.environ)
        if threads is not None:
            environment["OMP_NUM_THREADS"] = str(threads)
        log = self.folder / "train.log"
        resumed = any(self.folder.glob("checkpoint-*.json"))
        of_program = commit()
        started = time.perf_counter()
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*command, *arguments],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                env=environment,
            )
            assert process.stdin is not None
            try:
                _, status, usage = os.wait4(process.pid, 0)
            except BaseException:
                process.kill()
                process.wait()
                raise
            finally:
                process.stdin.close()
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise InputError(f"{log}: training failed: {lines[-1] if lines else 'no message'}")
        seconds = time.perf_counter() - started
        cost = {
            "seconds": round(seconds, 1),
            "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 1),
            "peak_mib": round(usage.ru_maxrss / 1024),
            "resumed": resumed,
            "commit": of_program,
        }
        write_json(self.folder / "cost.json", cost)

    def cost(self) -> dict[str, Any]:
        """What the training took: `seconds`, `cpu_seconds`, `peak_mib`.

        Those of a `resumed` one are of its last part alone. `commit` is that of
        the program that trained.
        """
        found: dict[str, Any] = read_json(self.folder / "cost.json")
        return found

    def answers(self, split: str, decoders: Sequence[str], *, fresh: bool = False) -> list[Digits]:
        """How right the answers of each decoder to a split are; kept in the folder.

        With `fresh` what is kept there is not used.
        """
        path = self.files[split]
        settings = to_dict(self.config)["lexicon"], self.config.decode.supertag_limit
        weights = read_json(self.folder / f"{MODEL}.json")["weights_sha256"]
        digest = checksum_of_json([*settings, checksum(path), weights])[:10]
        kept = self.folder / f"answers-{split}-{digest}.json"
        found: dict[str, Digits] = read_json(kept) if kept.exists() and not fresh else {}
        missing = [decoder for decoder in decoders if decoder not in found]
        if missing:
            model = load_model(self.folder, self.config.train.device)
            parser = Parser.of_model(replace(model, config=self.config), self.folder)
            examples = read_gold(path, notation_=parser.notation)
            for decoder, answers in answers_to(parser, examples, missing).items():
                found[decoder] = digits(examples, answers.counts)
                wrong = [
                    "\t".join((example.kind, example.sentence, reading))
                    for example, counts, result in zip(
                        examples, answers.counts, answers.results, strict=True
                    )
                    if not counts.graph
                    for reading in [result.logical_form or f"# {result.failure}"]
                ]
                readings = self.folder / f"wrong-{split}-{decoder}-{digest}.tsv"
                write_atomically(readings, "".join(f"{line}\n" for line in wrong).encode())
            write_json(kept, found)
        return [found[decoder] for decoder in decoders]

    def malformed(self, split: str, decoders: Sequence[str]) -> dict[str, dict[str, int]]:
        """How many of these answers are malformed, by decoder and kind; trees never are."""
        return {}


def digits(examples: Sequence[Example], counts: Sequence[Counts]) -> dict[str, str]:
    """For each type a digit a row.

    >>> row = Example(("Emma", "slept"), "", "CP", 1)
    >>> digits([row, row], [Counts(1, 0, 0, 1), Counts(1, 1, 1, 1)])
    {'CP': '13'}
    """
    found: dict[str, str] = {}
    for example, count in zip(examples, counts, strict=True):
        digit = str(count.exact + count.reformatted + count.graph)
        found[example.kind] = found.get(example.kind, "") + digit
    return found


def _of_training(config: Config) -> dict[str, Any]:
    """The settings that training depends on."""
    found = to_dict(config)
    del found["decode"], found["train"]["device"]
    for name in _OF_DECODING:
        del found["lexicon"][name]
    return found


def read_json(path: Path) -> Any:
    """The value in a JSON file; raises InputError where it is none."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise InputError(f"{path}: not JSON; remove it") from None


def write_json(path: Path, value: object) -> None:
    """Write a value as JSON, whole or not at all."""
    write_atomically(path, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())


def _main(benchmark: str, data: str, folder: str, settings: str) -> None:
    """Train as `amparser train` does, with all settings from a file."""
    from amparser.commands.train import train_with
    from amparser.commands.train_nli import train_classifier_with
    from amparser.commands.train_seq2seq import seq2seq_from_dict, train_seq2seq_with
    from amparser.learn.config import config_from_dict
    from amparser.learn.nli import nli_from_dict
    from amparser.learn.systems import CLASSIFIERS

    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        table = read_json(Path(settings))
        where = {"data": Path(data), "output": Path(folder)}
        if table.get("system") in CLASSIFIERS and benchmark == "monotonicity":
            train_classifier_with(nli_from_dict(table, where=settings), **where, resume=True)
        elif "system" in table:
            chosen = seq2seq_from_dict(table, where=settings)
            train_seq2seq_with(chosen, **where, resume=True)
        else:
            train_with(config_from_dict(table, where=settings), **where, resume=True)
    except AMParserError as error:
        raise SystemExit(f"{benchmark}: {error}") from None


def _end_with_parent() -> None:
    """Wait until the other end of stdin is closed, as it is when its process dies."""
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    _main(*sys.argv[1:])
