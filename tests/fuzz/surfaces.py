"""Each way into the package: valid inputs, and what reads a damaged one.

A surface takes bytes in a fresh folder, and returns what went wrong or None. The contract: an
answer, or one line that names the file, line or key and exit code 2; no traceback, no partial
file, an end within ten seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import hashlib
import json
import shutil
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from command_line import run
from mutation import dumped

from amparser import api
from amparser.benchmarks.generate import is_whole
from amparser.bulk.job import LEDGER
from amparser.compositions.kinds import CONSTANTS
from amparser.corpora.amconll import AMCONLL
from amparser.corpora.example import Example
from amparser.corpora.jsonl import JSON
from amparser.errors import LONGEST_MESSAGE, AMParserError
from amparser.grammar.reader import grammar_from_str
from amparser.learn.checkpoint import Checkpoints, TrainingIdentity
from amparser.learn.model_folder import FORMAT_VERSION, check_tensors, read_pair
from amparser.learn.settings import section_from_toml, with_overrides
from amparser.learn.system_registry import SYSTEMS
from amparser.notations.registry import NOTATIONS
from amparser.parser import Parser
from amparser.resources import bundled_model, package_data
from amparser.serve.application import create_app
from amparser.serve.service import Service
from amparser.serve.workers import Limits, Workers

LIMIT = 10
"""Seconds of the processor for each 50,000 bytes, after which an input is a hang."""
PATIENCE = 12
"""So many times as much may the clock show, for what waits and does not work."""

Check = Callable[[bytes, Path], str | None]


@dataclass(frozen=True)
class Surface:
    """A way into the package.

    Attributes:
        name: of the surface.
        seeds: valid inputs.
        check: what is wrong with the answer to an input, or None.
        share: how many inputs it gets for one of a cheap surface.
    """

    name: str
    seeds: Sequence[bytes]
    check: Check
    share: float = 1.0


class HangError(Exception):
    """An input that takes too long."""


@contextlib.contextmanager
def limited(seconds: int) -> Iterator[None]:
    """End the block with `HangError` after some seconds of work."""

    def stop(*_: object) -> None:
        raise HangError

    numbers = (signal.SIGALRM, signal.SIGPROF)
    before = [signal.signal(number, stop) for number in numbers]
    signal.alarm(PATIENCE * seconds)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def problem(surface: Surface, data: bytes, folder: Path) -> str | None:
    """What is wrong with the answer to an input: a hang, a traceback, a broken contract."""
    seconds = LIMIT * (1 + len(data) // 50_000)
    try:
        with limited(seconds):
            return surface.check(data, folder)
    except HangError:
        return f"no answer in {seconds} s"
    except BaseException as error:  # whatever it is, nobody should see it
        if isinstance(error, KeyboardInterrupt):
            raise
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}: {error}"[
            :300
        ]


# The command line.


def command(*arguments: str | Path, left: Path | None = None) -> str | None:
    """What breaks the contract of commands, or None.

    Args:
        arguments: of the command.
        left: a folder in which an error may leave nothing behind but what was there.
    """
    before = set() if left is None else {p.name for p in left.iterdir()}
    result = run(*arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        if isinstance(result.exception, HangError):
            raise result.exception
        place = traceback.extract_tb(result.exception.__traceback__)[-1]
        kind = type(result.exception).__name__
        where = f"{Path(place.filename).name}:{place.lineno}"
        return f"{kind} at {where}: {result.exception}"[:300]
    if result.exit_code not in (0, 1, 2):
        return f"exit code {result.exit_code}"
    if result.exit_code == 2:
        lines = result.stderr.splitlines()
        if len(lines) != 1 or not lines[0].startswith("amparser: error: "):
            return f"expected one line of error, found {result.stderr[:200]!r}"
        if left is not None and (new := {p.name for p in left.iterdir()} - before):
            return f"an error left {sorted(new)}"
    elif "Traceback" in result.stderr:
        return result.stderr[:300]
    return None


def converts(source: str, target: str) -> Check:
    def check(data: bytes, folder: Path) -> str | None:
        path = folder / "input"
        path.write_bytes(data)
        output = folder / "output"
        found = command(
            "convert", "--from", source, "--to", target, path, "--output", output, left=folder
        )
        if found is None and output.exists():
            # What was written, we read.
            found = command("convert", "--from", target, "--to", target, output)
        return found

    return check


def parses(model: str) -> Check:
    parser = cache(lambda: Parser.load(bundled_model(model), "cpu"))

    def check(data: bytes, folder: Path) -> str | None:
        from amparser.corpora.tokens import checked_tokens
        from amparser.files import lines_of, read_text

        path = folder / "input"
        path.write_bytes(data)
        try:
            lines = lines_of(read_text(str(path)))
        except AMParserError as error:
            return _one_line(error, str(path))
        notation = NOTATIONS[parser().notation]
        for line in lines[:20]:
            try:
                tokens = checked_tokens(line)
            except AMParserError as error:
                if text := _one_line(error, ""):
                    return text
                continue
            [result] = parser().parse([tokens])
            if result.meaning is not None:
                notation.graph(tokens, result.meaning)
            for written in (JSON, AMCONLL) if result.has_tree else (JSON,):
                [again] = written.read([*enumerate(lines_of(written.write(result.example())))], "x")
                if again.tokens != tokens:
                    return f"{written.name} gives back other tokens"
        return None

    return check


def _one_line(error: AMParserError, start: str) -> str | None:
    text = str(error)
    if not text or "\n" in text or len(text) > LONGEST_MESSAGE or not text.startswith(start):
        return f"not one line about the file: {text[:200]!r}"
    return None


# Functions that read texts.


def reads(name: str) -> Check:
    """A notation: what is read is written, compared and split, or refused in one line."""
    notation = NOTATIONS[name]

    def check(data: bytes, folder: Path) -> str | None:
        del folder
        text = data.decode("utf-8", "replace")
        tokens = tuple(text.split()[:30]) or ("x",)
        for one in (tokens, SENTENCES[0], SENTENCES[1]):
            try:
                notation.read(text)
                notation.equality(one, text, text[:-1])
                graph = notation.graph(one, text)
                written = notation.written(one, graph)
                notation.graph(one, written)
                for target in NOTATIONS:
                    if NOTATIONS[target].family == notation.family:
                        NOTATIONS[target].convert(one, text, notation)
            except AMParserError as error:
                if found := _one_line(error, ""):
                    return found
        notation.join(notation.split(text))
        return None

    return check


def reads_grammar(data: bytes, folder: Path) -> str | None:
    del folder
    try:
        grammar_from_str(data.decode("utf-8", "replace"), "g.irtg")
    except AMParserError as error:
        # Below the line are the text and a mark, which commands put on the same line.
        return _one_line(type(error)(str(error).partition("\n")[0]), "g.irtg")
    return None


def reads_settings(data: bytes, folder: Path) -> str | None:
    path = folder / "some.toml"
    path.write_bytes(data)
    for one in (CONSTANTS["node"], CONSTANTS["tree"], SYSTEMS["lstm"]):
        try:
            section_from_toml(one.settings, path)
        except AMParserError as error:
            if found := _one_line(error, str(path)):
                return found
    return None


def sets(data: bytes, folder: Path) -> str | None:
    del folder
    override = data.decode("utf-8", "replace")
    try:
        with_overrides(SYSTEMS["amparser"].settings, [override])
    except AMParserError as error:  # it quotes the override; commands put it on one line
        return _one_line(type(error)(" ".join(str(error).split())), "")
    return None


def loads_model(model: str) -> Check:
    """A `model.json` beside the weights of a bundled model."""
    weights = bundled_model(model) / "model.safetensors"

    def check(data: bytes, folder: Path) -> str | None:
        (folder / "model.json").write_bytes(_unsealed(data))
        if not (folder / "model.safetensors").exists():
            shutil.copyfile(weights, folder / "model.safetensors")
        try:
            parser = Parser.load(folder, "cpu")
        except AMParserError as error:
            return _one_line(error, str(folder))
        for result in parser.parse(["Emma saw a dog .", "Few dogs that ran wugged"]):
            assert (result.meaning is None) == (result.failure is not None)
        assert parser.composition.learned.inventory is not None
        found = command("lexicon", "--model", folder)
        return found or command("parse", "--model", folder, "Emma ran", "--format", "json")

    return check


def _unsealed(data: bytes) -> bytes:
    """A head of a model as somebody writes it who means harm: without checksums of its parts."""
    try:
        head = json.loads(data)
        del head["checksums"]
    except (ValueError, TypeError, LookupError, RecursionError):
        return data
    return dumped(head)


def bulk_parses(suffix: str) -> Check:
    """A file for `bulk`: however a run is damaged, the same command leaves the same bytes."""

    def check(data: bytes, folder: Path) -> str | None:
        path, out = folder / f"input{suffix}", folder / "out"
        path.write_bytes(data)
        dice = Random(hashlib.sha256(data).digest())
        rows = str(2 + len(data) // 1000)
        line = ("bulk", path, "--output", out, "--engine", "local", "--shard-rows", rows,
                "--model", bundled_model("monotonicity"))  # fmt: skip
        with mock.patch("amparser.api.load", _loaded):
            if found := command(*line):
                return found
            whole = _bytes_of(out)
            for file in dice.sample(sorted(whole), min(2, len(whole))):
                kept = whole[file][: dice.randint(0, len(whole[file]))]
                (out / file).write_bytes(kept if file != "bulk.json" else whole[file])
            found = command(*line)
        # A line of the ledger that was damaged stays in it, and another is added.
        now = _bytes_of(out)
        if {k: v for k, v in now.items() if k != LEDGER} != {
            k: v for k, v in whole.items() if k != LEDGER
        }:
            return f"other bytes after damage: {sorted(whole)} {sorted(now)}"
        return found

    return check


_load = api.load


@cache
def _loaded(source: Any, **options: Any) -> Any:
    return _load(source, **options)


def _bytes_of(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    return {p.name: p.read_bytes() for p in folder.iterdir()} if folder.is_dir() else {}


def writes(data: bytes, folder: Path) -> str | None:
    """Commands whose paths are drawn among few: none that is read is lost, nothing is left over."""
    dice = Random(hashlib.sha256(data).digest())
    (folder / "a.tsv").write_bytes(data)
    (folder / "b.tsv").write_bytes(_tsv("cogs"))
    (folder / "soft").symlink_to(folder / dice.choice(("a.tsv", "b.tsv")))
    (folder / "hard").hardlink_to(folder / "b.tsv")
    (folder / "inside").mkdir()
    (folder / "inside" / "c.tsv").symlink_to(folder / "b.tsv")
    names = ("a.tsv", "b.tsv", "soft", "hard", "inside", "inside/c.tsv", "new", "no/new", "")
    path = [folder / dice.choice(names) for _ in range(5)]
    read, line = dice.choice(
        [
            (path[:1], ["convert", "--from", "cogs", "--to", "json", path[0], "-o", path[1]]),
            (
                path[:2],
                ["evaluate", "--data", path[0], "--predictions", path[1], "--notation", "cogs",
                 "-o", path[2], "--errors", path[3], "--html", path[4]],
            ),
        ]
    )  # fmt: skip
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    resolved = {p.resolve() for p in read}
    if found := command(*line, left=folder):
        return found
    for one, content in before.items():
        if not one.exists() or (one.resolve() in resolved and one.read_bytes() != content):
            return f"{one.name} is lost: {[str(part) for part in line]}"
    parts = [p.name for p in folder.rglob(".*")]
    return f"left over: {parts}" if parts else None


def checks_config(data: bytes, folder: Path) -> str | None:
    """Settings of a corpus, which name files and sizes."""
    (folder / "train.tsv").write_bytes(_tsv("cogs") * 4)
    (folder / "some.toml").write_bytes(data)
    return command("check", folder, "--config", folder / "some.toml")


def loads_checkpoint(data: bytes, folder: Path) -> str | None:
    (folder / "checkpoint-0001.json").write_bytes(data)
    (folder / "checkpoint-0001.safetensors").write_bytes(_TENSORS)
    identity = TrainingIdentity("amparser", {"train": {"seed": 1}}, "x")
    try:
        state, _, _ = Checkpoints(folder, identity).restore()
        assert isinstance(state.step, int)
        assert state.best_epoch >= 1
        state.stopped(3)
    except AMParserError as error:
        return _one_line(error, str(folder))
    return None


def reads_weights(data: bytes, folder: Path) -> str | None:
    """Weights whose checksum fits, as in a folder that somebody made to do harm."""
    head = {
        "format": "amparser-checkpoint", "format_version": FORMAT_VERSION,
        "weights_sha256": hashlib.sha256(data).hexdigest(),
    }  # fmt: skip
    (folder / "checkpoint-0001.json").write_text(json.dumps(head), encoding="utf-8")
    (folder / "checkpoint-0001.safetensors").write_bytes(data)
    try:
        _, tensors = read_pair(folder, "checkpoint-0001")
        check_tensors({"a": next(iter(tensors.values()))} if tensors else {}, tensors, folder)
    except AMParserError as error:
        return _one_line(error, str(folder))
    return None


def reads_card(data: bytes, folder: Path) -> str | None:
    """The card of a generated corpus, which is whole or is generated anew."""
    (folder / "card.json").write_bytes(data)
    (folder / "train.tsv").write_bytes(_tsv("cogs"))
    return None if is_whole(folder) in (True, False) else "neither whole nor not"


@cache
def _page() -> Any:
    service = Service([bundled_model("slog")], "cpu")
    return create_app(Workers([service], Limits(seconds=PATIENCE * LIMIT)))


def asks(operation: str) -> Check:
    """A request to the page's interface."""

    def check(data: bytes, folder: Path) -> str | None:
        del folder
        received = [{"type": "http.request", "body": data, "more_body": False}]
        sent: list[Any] = []

        async def receive() -> Any:
            return received.pop() if received else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        path = f"/api/{operation}"
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST",
            "scheme": "http", "path": path, "raw_path": path.encode(), "query_string": b"",
            "root_path": "", "headers": headers, "client": ("127.0.0.1", 1), "server": None,
        }  # fmt: skip
        asyncio.run(_page()(scope, receive, send))
        status = sent[0]["status"]
        answer = json.loads(b"".join(message.get("body", b"") for message in sent[1:]))
        if status == 200:
            return None
        if status not in (400, 413):
            return f"status {status}: {answer}"[:300]
        return None if "\n" not in answer["error"] else f"not one line: {answer}"[:300]

    return check


def shows_record(data: bytes, folder: Path) -> str | None:
    (folder / "toy-a.json").write_bytes(data)
    outside = {p.name for p in folder.parent.iterdir()}
    for arguments in (
        ("results", "toy-a", "--results", folder),
        ("report", "toy-a", "--results", folder, "--format", "latex"),
        ("report", "toy-a", "--results", folder, "--format", "csv"),
        ("report", "toy-a", "--results", folder, "--plots", folder / "plots"),
    ):
        if found := command(*arguments):
            return f"{arguments[0]}: {found}"
    new = {p.name for p in folder.parent.iterdir()} - outside
    return f"written outside: {sorted(new)}" if new else None


def fills_tables(data: bytes, folder: Path) -> str | None:
    path = folder / "page.md"
    path.write_bytes(data)
    return command("results", "--renew", path)


def evaluates(data: bytes, folder: Path) -> str | None:
    gold, path = folder / "gold.tsv", folder / "predictions"
    gold.write_text(f"{' '.join(SENTENCES[0])}\t{FORMS['cogs']}\n", encoding="utf-8")
    path.write_bytes(data)
    arguments = ("evaluate", "--data", gold, "--predictions", path, "--notation", "cogs")
    return command(*arguments, "--output", folder / "figures.json", left=folder)


def checks_corpus(data: bytes, folder: Path) -> str | None:
    path = folder / "data.tsv"
    path.write_bytes(data)
    return command("check", path)


SENTENCES = (
    ("The", "cat", "saw", "a", "dog", "in", "the", "box", "."),
    ("two", "cats", "that", "ran", "did", "not", "kick", "bob"),
)
FORMS = {
    "cogs": "* cat ( x _ 1 ) ; * box ( x _ 7 ) ; see . agent ( x _ 2 , x _ 1 ) AND "
    "see . theme ( x _ 2 , x _ 4 ) AND dog ( x _ 4 ) AND dog . nmod . in ( x _ 4 , x _ 7 )",
    "varfree": "see ( agent = * cat , theme = dog ( nmod . in = * box ) )",
    "fol": "exists x1.(two(x1) & cat(x1) & run(x1) & -exists x2.(bob(x2) & kick(x1,x2)))",
    "vf": "TWO AND CAT RUN NOT EXIST BOB KICK",
    "quantified": "NOT FEW AND CAT SMALL AND RUN SLOWLY",
    "clf": "b1 REF x1 [SEP] b1 two x1 [SEP] b1 cat x1 [SEP] b1 run x1",
    "drs": "([x1],[two(x1), cat(x1), -([x2],[bob(x2), kick(x1,x2)])])",
    "penman": '(w / want-01 :polarity - :ARG0 (b / boy~e.1) :ARG1 (g / go-02 :ARG0 b :name "N Y"))',
    "sbn": "person.n.01 EQU speaker NEGATION <1 time.n.08 EQU now fry.v.02 Agent -2 Time -1 "
    "Patient +1 fish.n.02",
    "drs-graph": '(b / "box" :member (s / "person.n.01" :EQU "speaker") :NEGATION (c / "box" '
    ':member (t / "time.n.08" :EQU "now") :member (e / "fry.v.02" :Agent s :Time t)))',
    "term": "answer(city(loc_2('ab c'), 3, key = _), now())",
    "sexpr": '(answer (city "a b" _) \'x ((f a) b))',
}
_GRAPH = "(i1<root> / see :agent (i2 / cat :iota-of (i3 / the)) :theme (i4 / dog))"
_TREE_ROW = "{}\t{}\t_\t_\t_\t_\t{}\t{}\t{}\t{}\t{}\ttrue\n"


def _amconll() -> bytes:
    rows = (
        (1, "cats", "(i1<root> / --LEX--)", "cat", "()", 2, "APP_s"),
        (2, "ran", "(i1<root> / --LEX-- :agent (i2<s>))", "$LEMMA$", "(s())", 0, "ROOT"),
        (3, ".", "_", "_", "_", 0, "IGNORE"),
    )
    return f"#id:1\n{''.join(_TREE_ROW.format(*row) for row in rows)}\n".encode()


def _json() -> bytes:
    [tree] = AMCONLL.read([*enumerate(_amconll().decode().splitlines(), 1)], "x")
    lines = [
        JSON.write(tree),
        JSON.write(Example(SENTENCES[0], FORMS["cogs"], notation="cogs", tags=("a", "b"))),
        json.dumps({"sentence": "cat", "graph": _GRAPH, "alignments": [1, 1, 1, None]}) + "\n",
    ]
    return "".join(lines).encode()


def _penman() -> bytes:
    blocks = (
        f"# ::snt The cat saw a dog\n# ::alignments 3 2 1 5\n{_GRAPH}\n\n",
        f"# ::id 1\n# ::tok the boy wants to go\n{FORMS['penman']}\n\n",
    )
    return "".join(blocks).encode()


def _tsv(name: str) -> bytes:
    sentence = SENTENCES[1] if name in ("fol", "vf", "clf", "drs") else SENTENCES[0]
    return f"{' '.join(sentence)}\t{FORMS[name]}\tsome_tag\n".encode()


def _record() -> bytes:
    row = [1, 1.0, "gen", "", "astar", "exact", 3, 4]
    interval = [1.0, "gen", "", "astar", "exact", 75.0, 0.0, 70.0, None]
    return json.dumps(
        {
            "format": "amparser-record-1", "name": "toy-a", "about": "a toy", "benchmark": "toy",
            "system": "amparser", "dataset": "", "settings": {}, "data": {"sha256": {}},
            "package_version": "0.1.0", "evaluation_commit": None, "dirty": False,
            "machine": {"cores": 2}, "resamples": 10, "columns": {},
            "runs": [{"seed": 1, "fraction": 1.0, "seconds": 2.5, "resumed": False}],
            "rows": [row, [*row[:3], "depth_3", *row[4:]], [*row[:3], "depth_4", *row[4:]]],
            "intervals": [interval],
        }
    ).encode()  # fmt: skip


def _card() -> bytes:
    digest = hashlib.sha256(_tsv("cogs")).hexdigest()
    card = {
        "benchmark": "cogs", "variant": None, "grammar": {"version": "1", "sha256": "x"},
        "seed": 1, "rows": {"train": {"a": 1}}, "drawn_in_vain": {}, "files": {"train.tsv": digest},
    }  # fmt: skip
    return json.dumps(card).encode()


_REQUESTS = {
    "parse": {"sentence": "Emma gave a cake to the dog .", "model": "slog", "decoders": ["astar"]},
    "grammar": {"grammar": "slog", "sentence": "Emma gave a cake to the dog ."},
    "infer": {"premise": "Few dogs ran.", "hypothesis": "Few small dogs ran."},
    "about": {},
}


def _checkpoint() -> bytes:
    return json.dumps(
        {
            "format": "amparser-checkpoint", "format_version": FORMAT_VERSION,
            "package_version": "0.1.0", "commit": None,
            "weights_sha256": hashlib.sha256(_TENSORS).hexdigest(),
            "system": "amparser", "settings": {"train": {"seed": 1}}, "data": "x",
            "epochs": [{"epoch": 1, "step": 3, "loss": 0.5, "dev_figure": 0.25}],
        }
    ).encode()  # fmt: skip


def _tensors() -> bytes:
    import torch
    from safetensors.torch import save

    return save({"a": torch.zeros(2)})


_TENSORS = _tensors()


_GRAMMAR = b"""interpretation string: de.up.ling.irtg.algebra.StringAlgebra
S! -> s(NP, VP) [0.5]
  [string] *(?1, ?2)
// a comment /* no
NP -> emma
  [string] "Emma"
VP -> ran("x y")
  [string] 'ran'
"""
_TABLES = (
    b"# Page\n\n<!-- table: types slog-default -->\nold\n<!-- end -->\n\n"
    b"```\n<!-- table: x -->\n```\n"
)
_BULK = b'{"sentence": "few dogs ran", "id": 1}\n{"sentence": ["two", "cats"], "id": 2}\n{}\n'
_CONFIG = b"""[train]
epochs = 3
seed = 2
[data]
notation = "cogs"
held_out = 0.1
[encoder]
word_size = 8
"""
_OVERRIDES = (
    b"train.seed=3",
    b"encoder.type=bilstm",
    b"data.fraction=0.5",
    b'encoder.pretrained="x"',
)


def surfaces() -> list[Surface]:
    """All surfaces."""
    found = [
        Surface(
            "text", [b"Emma gave a cake to the dog .\nWho ran ?\n", b"The cat\n"], parses("slog")
        ),
        Surface(
            "text, forms",
            [b"Few small dogs ran slowly.\nNo cat which ran hit Bob\n"],
            parses("monotonicity"),
        ),
        Surface(
            "text, boxes", [b"Tom did not buy 3 books in Boston yesterday.\n"], parses("pmb"), 0.3
        ),
        Surface("text, spans", [b"The old man isn't here; he left at 6:30.\n"], parses("eds"), 0.3),
    ]
    for name in FORMS:
        found.append(Surface(f"notation {name}", [FORMS[name].encode()], reads(name)))
        found.append(Surface(f"tsv {name}", [_tsv(name)], converts(name, "json")))
    found += [
        Surface("tsv cogs to varfree", [_tsv("cogs")], converts("cogs", "varfree")),
        Surface("jsonl", [_json()], converts("json", "json")),
        Surface("jsonl to am-conll", [_json()], converts("json", "amconll")),
        Surface("jsonl to cogs", [_json()], converts("json", "cogs")),
        Surface("penman to json", [_penman()], converts("penman", "json")),
        Surface("penman to fol", [_penman()], converts("penman", "fol")),
        Surface("am-conll", [_amconll()], converts("amconll", "amconll")),
        Surface("am-conll to penman", [_amconll()], converts("amconll", "penman")),
        Surface("corpus", [_tsv("cogs") * 4, _tsv("term") * 3], checks_corpus),
        Surface("predictions", [FORMS["cogs"].encode() + b"\n", _json(), _tsv("cogs")], evaluates),
        Surface("irtg", [_GRAMMAR], reads_grammar),
        Surface(
            "settings",
            [b'[train]\nepochs = 3\n[encoder]\ntype = "bilstm"\ndropout = 0.5\n'],
            reads_settings,
        ),
        Surface("--set", _OVERRIDES, sets),
        Surface("config", [_CONFIG], checks_config, 0.3),
        Surface("outputs", [_tsv("cogs"), _tsv("cogs") * 3], writes),
        Surface("bulk txt", [b"few dogs ran\n\nall cats\ntwo dogs"], bulk_parses(".txt"), 0.2),
        Surface("bulk jsonl", [_BULK], bulk_parses(".jsonl"), 0.2),
        Surface("tables", [_TABLES], fills_tables),
        Surface("checkpoint", [_checkpoint()], loads_checkpoint),
        Surface("weights", [_TENSORS], reads_weights),
        Surface("card", [_card()], reads_card),
        Surface("tsv.gz", [gzip.compress(_tsv("cogs") * 3)], converts("cogs", "json")),
        Surface("record", [_record()], shows_record),
    ]
    for operation, request in _REQUESTS.items():
        body = json.dumps(request).encode()
        found.append(Surface(f"page {operation}", [body], asks(operation), 0.3))
    for name in ("slog", "monotonicity"):
        seed = (bundled_model(name) / "model.json").read_bytes()
        found.append(Surface(f"model {name}", [seed], loads_model(name), 0.1))
    return found


def clear(folder: Path) -> None:
    """Remove what an input has left."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


assert package_data("models").exists()
