"""Each way into the package: valid inputs, and what reads a damaged one.

A surface takes bytes in a fresh folder, and returns what went wrong or None. The contract: an
answer, or one line that names the file, line or key and exit code 2; no traceback, no partial
file, an end within ten seconds.
"""

import atexit
import contextlib
import gzip
import hashlib
import json
import shutil
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import torch
from command_line import run
from damage import SIGNS, damaged, dumped, json_lines
from safetensors.torch import save
from tiny_folders import KINDS, answers

from amparser.benchmarks.generate import is_whole
from amparser.corpora.amconll import AMCONLL
from amparser.corpora.jsonl import JSON
from amparser.corpora.reading import examples_of
from amparser.corpora.tokens import checked_tokens
from amparser.errors import LONGEST_MESSAGE, AMParserError
from amparser.files import lines_of, read_text
from amparser.grammar.reader import grammar_from_str
from amparser.graph.sgraph import isomorphic
from amparser.learn.checkpoint import Checkpoints, TrainingIdentity
from amparser.learn.model_folder import FORMAT_VERSION, check_tensors
from amparser.learn.settings import with_overrides
from amparser.learn.system_registry import SYSTEMS
from amparser.learn.systems import load
from amparser.notations.notation import Notation, without_layout
from amparser.notations.registry import NOTATIONS, family_of
from amparser.parser import Parser
from amparser.resources import bundled_model
from amparser.results import Result
from amparser.working_folder import WORKING

LIMIT = 10
"""Seconds of the processor for each 50,000 bytes, after which an input is a hang."""
PATIENCE = 12
"""Seconds of the clock for each of the processor, for an input that waits."""

Check = Callable[[bytes, Path], str | None]
"""Returns what is wrong with the answer to an input, given a fresh folder."""


@dataclass(frozen=True)
class Surface:
    """A way into the package: valid inputs, a check, and how other inputs are drawn."""

    name: str
    seeds: Sequence[bytes]
    check: Check
    share: float = 1.0  # of inputs, beside a cheap surface
    draws: Callable[[Random], bytes] | None = None

    def drawn(self, seed: int, number: int) -> bytes:
        dice = Random(f"{self.name} {seed} {number}")
        if self.draws is not None and (number % 2 or not self.seeds):
            return self.draws(dice)
        return damaged(dice.choice(self.seeds), self.seeds, dice)


class HangError(Exception):
    """An input that takes too long."""


@contextlib.contextmanager
def limited(seconds: int) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise HangError(f"no answer in {seconds} s")

    before, started = signal.signal(signal.SIGALRM, stop), time.process_time()
    signal.alarm(PATIENCE * seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    if time.process_time() - started > seconds:
        stop()


def problem(surface: Surface, data: bytes, folder: Path) -> str | None:
    what, _, model = surface.name.partition(" ")
    if what in ("text", "model"):  # to load it takes longer than an input may
        (_parser if what == "text" else _model)(model)
    try:
        with limited(LIMIT * (1 + len(data) // 50_000)):
            return surface.check(data, folder)
    except AMParserError as error:
        return _one_line(error, str(folder))
    except Exception as error:
        return _traced(error)


def _traced(error: BaseException) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(place.filename).name}:{place.lineno}"
    return f"{type(error).__name__} at {where}: {error}"[:300]


def _one_line(error: Exception | str, start: str = "") -> str | None:
    text = str(error)
    if not text or "\n" in text or len(text) > LONGEST_MESSAGE or not text.startswith(start):
        return f"not one line about the file: {text[:200]!r}"
    return None


# The command line.


def command(*arguments: str | Path, left: Path | None = None) -> str | None:
    """Return what breaks the contract of commands, or None.

    Args:
        left: a folder in which an error leaves nothing but what was there.
    """
    before = set() if left is None else {*left.iterdir()}
    result = run(*arguments)
    if isinstance(result.exception, HangError):
        raise result.exception
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return _traced(result.exception)
    if result.exit_code not in (0, 1, 2):
        return f"exit code {result.exit_code}"
    if result.exit_code == 2:
        lines = result.stderr.splitlines()
        if len(lines) != 1 or not lines[0].startswith("amparser: error: "):
            return f"expected one line of error, found {result.stderr[:200]!r}"
        if left is not None and (new := {*left.iterdir()} - before):
            return f"an error left {sorted(new)}"
    return result.stderr[:300] if "Traceback" in result.stderr else None


def commands(name: str, *lines: str, notation: str = "cogs") -> Check:
    """Run lines of commands over an input in a file of this name, beside gold of a notation."""

    def check(data: bytes, folder: Path) -> str | None:
        gold = _tsv(notation)
        for file, content in {"train.tsv": gold * 4, "gold.tsv": gold, name: data}.items():
            (folder / file).write_bytes(content)
        outside = {*folder.parent.iterdir()}
        for line in lines:
            words = [word.format(folder=folder, file=folder / name) for word in line.split()]
            # A run of `bulk` keeps whole shards.
            if found := command(*words, left=None if words[0] == "bulk" else folder):
                return f"{line}: {found}"
        new = {*folder.parent.iterdir()} - outside
        return f"written outside: {sorted(new)}" if new else None

    return check


def compares(notation: str) -> Check:
    line = "evaluate --data {folder}/gold.tsv --predictions {file} --metrics match -o {folder}/x"
    return commands("predictions", f"{line} --notation {notation}", notation=notation)


def converts(source: str, target: str) -> Check:
    return commands(
        "input",
        f"convert --from {source} --to {target} {{file}} -o {{folder}}/output",
        f"convert --from {target} --to {target} {{folder}}/output",
    )


# Functions that read texts.


def parses(name: str) -> Check:
    def check(data: bytes, folder: Path) -> str | None:
        path, parser = folder / "input", _parser(name)
        path.write_bytes(data)
        for number, line in enumerate(lines_of(read_text(str(path)))[:20]):
            try:
                tokens = checked_tokens(line)
            except AMParserError as error:
                if found := _one_line(error):
                    return found
                continue
            if parser.problem(tokens) is not None:
                continue
            # Of a long sentence, one decoder is enough to see whether it ends in time.
            decoders = parser.decoders[: None if len(tokens) < 12 else 1]
            results = {name: found for name, [found] in parser.answers([tokens], decoders).items()}
            for result in results.values():
                assert (result.meaning is None) == (result.failure is not None)
                if result.tree is not None:
                    assert not result.tree.problems(open_root=len(tokens) == 1)
                _check_meaning(NOTATIONS[parser.notation], result)
                for written in (JSON, AMCONLL) if result.tree is not None else (JSON,):
                    lines = enumerate(lines_of(written.write(result.example())))
                    [again] = examples_of(written, lines, "x")
                    assert again.tokens == tokens
                    assert again.meaning in (None, result.meaning)
            small, large = (getattr(results.get(n), "logp", None) for n in ("astar", "astar-gap"))
            assert small is None or (large is not None and small <= large + 1e-4)
            others = family_of(parser.notation)[1:]
            if others and not number and 1 < len(tokens) < 12:
                other = others[len(data) % len(others)]
                _check_meaning(NOTATIONS[other], *parser.with_notation(other).parse([tokens]))
        return None

    return check


def _check_meaning(notation: Notation, result: Result) -> None:
    if result.meaning is None or result.graph is None:
        return
    assert "\n" not in result.meaning
    assert notation.is_readable(result.meaning), result.meaning
    graph = notation.as_read(result.graph)
    roles = Counter((edge.parent, edge.label) for edge in graph.edges) if graph else Counter()
    if notation.name == "eds" and any(count > 1 for count in roles.values()):
        return  # PyDelphin keeps one of several equal roles of a node
    if graph is not None:  # formulas of boxes are read, but have no graphs
        again = without_layout(notation.graph(result.tokens, result.meaning))
        alike = notation.content(again) == notation.content(graph)
        assert isomorphic(again, graph) or (alike and notation.write(again) == result.meaning)


@cache
def _parser(name: str) -> Parser:
    return Parser.load(_model(name)[0], "cpu")


def salad(name: str, dice: Random) -> bytes:
    words = sorted(_parser(name).model.network.encoder.vocabulary.words)
    words = [word for word in words if word.isalpha()] or words
    lines = []
    for _ in range(3):
        share = dice.choice((0.0, 0.0, 0.3))
        some = [SIGNS if dice.random() < share else words for _ in range(dice.randint(1, 9))]
        drawn = [dice.choice(pool) for pool in some]
        drawn[0] = dice.choice((drawn[0], drawn[0].title()))
        lines.append(" ".join([*drawn, *dice.choice(([], ["."]))]))
    return "\n".join(lines).encode()


def refuses(read: Callable[[str], object], start: str = "") -> Check:
    """Read a text, or refuse it with an error whose first line begins in this way."""

    def check(data: bytes, folder: Path) -> str | None:
        try:
            read(data.decode("utf-8", "replace"))
        except AMParserError as error:  # below its first line is what commands put on the same one
            return _one_line(str(error).partition("\n")[0], start)
        return None

    return check


def sets(override: str) -> object:
    return with_overrides(SYSTEMS["amparser"].settings, [override])


def reads_card(data: bytes, folder: Path) -> str | None:
    (folder / "card.json").write_bytes(data)
    (folder / "train.tsv").write_bytes(_tsv("cogs"))
    return None if is_whole(folder) in (True, False) else "neither whole nor not"


# Model folders and checkpoints.


_FOLDERS = TemporaryDirectory()
atexit.register(_FOLDERS.cleanup)


@cache
def _model(kind: str) -> tuple[Path, Any, list[str]]:
    path, asked = bundled_model("slog"), [("Emma", "saw", "a", "dog", "."), ("Few", "dogs", "ran")]
    if kind in KINDS:
        (folder := Path(_FOLDERS.name) / kind).mkdir()
        path, asked = KINDS[kind](folder)
    elif kind != "slog":
        path = bundled_model(kind)
    return path, asked, answers(load(path, "cpu"), asked)


def loads_model(kind: str) -> Check:
    """Load an altered `model.json`, as it is and without the checksums of its parts.

    With checksums an alteration is by accident: it is an error, or the answers are the same.
    Without them it is on purpose: there are answers, or one line names the folder.
    """

    def check(data: bytes, folder: Path) -> str | None:
        source, asked, expected = _model(kind)
        head, [*values] = folder / "model.json", json_lines(data) or ()
        shutil.copytree(source, folder, dirs_exist_ok=True)
        head.write_bytes(data)
        try:
            if answers(load(folder, "cpu"), asked) != expected:
                return "other answers"
        except AMParserError as error:
            if found := _one_line(error, str(folder)):
                return found
        if values and isinstance(values[0], dict):
            values[0].pop("checksums", None)
            head.write_bytes(dumped(values[0]))
        model = load(folder, "cpu")
        answers(model, asked)
        if hasattr(model, "model"):
            assert model.model.learned.inventory is not None
            return command("lexicon", "--model", folder)
        return None

    return check


def alters(kind: str, dice: Random) -> bytes:
    head = (_model(kind)[0] / "model.json").read_bytes()
    return damaged(head, [head], dice)


def loads_checkpoint(part: str) -> Check:
    def check(data: bytes, folder: Path) -> str | None:
        parts = {"json": _dumped_checkpoint(data), "safetensors": data}
        parts |= {"json": data, "safetensors": _TENSORS} if part == "json" else {}
        (folder / WORKING).mkdir()
        for suffix, content in parts.items():
            (folder / WORKING / f"checkpoint-0001.{suffix}").write_bytes(content)
        kept = Checkpoints(folder, TrainingIdentity("amparser", {"train": {"seed": 1}}, "x"))
        state = kept.restore()
        tensors, _ = kept.tensors_of(state.epoch)
        assert state.best_epoch >= 1
        state.stopped(3)
        check_tensors({"a": next(iter(tensors.values()))} if tensors else {}, tensors, folder)
        return None

    return check


# Valid inputs.

SENTENCES = (
    ("The", "cat", "saw", "a", "dog", "in", "the", "box", "."),
    ("two", "cats", "that", "ran", "did", "not", "kick", "bob"),
)
SEEDS = Path(__file__).parent / "seeds"
"""Valid inputs, by the names of surfaces."""
FORMS = dict(line.split("\t") for line in (SEEDS / "forms").read_text("utf-8").splitlines())
"""A meaning in each notation."""


def _seed(name: str) -> bytes:
    return (SEEDS / name).read_bytes()


def _dumped_checkpoint(weights: bytes) -> bytes:
    head = {
        "format": "amparser-checkpoint", "format_version": FORMAT_VERSION, "data": "x",
        "package_version": "0.1.0", "commit": None, "system": "amparser",
        "weights_sha256": hashlib.sha256(weights).hexdigest(), "settings": {"train": {"seed": 1}},
        "epochs": [{"epoch": 1, "step": 3, "loss": 0.5, "dev_figure": 0.25}],
    }  # fmt: skip
    return json.dumps(head).encode()


def _tsv(name: str) -> bytes:
    sentence = SENTENCES[name in ("fol", "vf", "clf")]
    return f"{' '.join(sentence)}\t{FORMS[name]}\tsome_tag\n".encode()


_TENSORS = save({"a": torch.zeros(2)})
_BULK = "bulk {file} --output {folder}/out --shard-rows 2 --model monotonicity"
_OVERRIDES = b'train.seed=3 encoder.type=bilstm data.fraction=0.5 encoder.pretrained="x"'.split()
_TEXTS = {
    "slog": "Emma gave a cake to the dog .\nWho ran ?\n",
    "monotonicity": "Few small dogs ran slowly.\nNo cat which ran hit Bob\n",
    "pmb": "Tom did not buy 3 books in Boston yesterday.\n",
    "eds": "The old man isn't here; he left at 6:30.\n",
    "tree": "how many rivers\n",
}
_CONVERSIONS = (
    *((f"tsv {name}", _tsv(name), name, "json") for name in FORMS),
    ("tsv cogs to varfree", _tsv("cogs"), "cogs", "varfree"),
    ("tsv.gz", gzip.compress(_tsv("cogs") * 3), "cogs", "json"),
    ("jsonl", _seed("jsonl"), "json", "json"),
    ("jsonl to am-conll", _seed("jsonl"), "json", "amconll"),
    ("jsonl to cogs", _seed("jsonl"), "json", "cogs"),
    ("penman to json", _seed("penman"), "penman", "json"),
    ("penman to fol", _seed("penman"), "penman", "fol"),
    ("am-conll", _seed("am-conll"), "amconll", "amconll"),
    ("am-conll to penman", _seed("am-conll"), "amconll", "penman"),
)
_COMMANDS: dict[str, tuple[Sequence[bytes], str, Sequence[str], float]] = {
    "corpus": ([_tsv("cogs") * 4, _tsv("term") * 3], "data.tsv", ["check {file}"], 1),
    "predictions": (
        [_seed("jsonl"), _tsv("cogs")], "predictions",
        ["evaluate --data {folder}/gold.tsv --predictions {file} --notation cogs -o {folder}/x"],
        1,
    ),
    "config": (
        [_seed("config"), _seed("settings")], "a.toml", ["check {folder} --config {file}"], 0.3
    ),
    "record": ([_seed("record")], "toy-a.json", ["experiment --show {file}"], 1),
    "bulk txt": ([b"few dogs ran\n\nall cats\ntwo dogs"], "a.txt", [_BULK], 0.2),
    "bulk jsonl": ([_seed("bulk.jsonl")], "a.jsonl", [_BULK], 0.2),
}  # fmt: skip


def surfaces() -> list[Surface]:
    return [
        *(Surface(f"text {name}", [seed.encode()], parses(name), 0.5, partial(salad, name))
          for name, seed in _TEXTS.items()),
        *(Surface(f"notation {name}", [form.encode()], compares(name))
          for name, form in FORMS.items()),
        *(Surface(name, [seed], converts(*pair)) for name, seed, *pair in _CONVERSIONS),
        *(Surface(name, seeds, commands(file, *lines), share)
          for name, (seeds, file, lines, share) in _COMMANDS.items()),
        Surface("irtg", [_seed("irtg")], refuses(partial(grammar_from_str, path="g"), "g:")),
        Surface("--set", _OVERRIDES, refuses(sets, "--set ")),
        Surface("card", [_seed("card")], reads_card),
        Surface("checkpoint", [_dumped_checkpoint(_TENSORS)], loads_checkpoint("json")),
        Surface("weights", [_TENSORS], loads_checkpoint("weights")),
        *(Surface(f"model {name}", [], loads_model(name), 0.6, partial(alters, name))
          for name in ("slog", "monotonicity", *KINDS)),
    ]  # fmt: skip
