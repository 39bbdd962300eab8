"""A notation, a corpus format, a decoder, a metric and an encoder from another package.

Registered objects work in settings, on the command line and in the API like the package's own.
"""

import gzip
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from pathlib import Path

import pytest
from command_line import ok, python, run
from tiny_model import SETTINGS
from toy_bank import examples
from toy_decoders import Narrow

import amparser
from amparser.corpora.example import Example
from amparser.corpora.formats import FORMATS
from amparser.decode.decoders import DECODERS
from amparser.errors import InputError, LogicError, TranslateError
from amparser.evaluation.metric import Count
from amparser.evaluation.metric_registry import METRICS
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS
from amparser.results import Result

CALL = re.compile(r"(\w+)\((\w+), (\w+)\)")


class Calls(Notation):
    name = "calls"
    family = "calls"

    def read(self, text: str) -> tuple[str, ...]:
        match = CALL.fullmatch(text)
        if match is None:
            raise LogicError(f"expected WORD(WORD, WORD), found {text!r}")
        return match.groups()

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        words = self.read(text)
        if any(word not in tokens for word in words):
            raise TranslateError(f"a word of {text!r} does not stand in the sentence")
        nodes = {i: Node(word, tokens.index(word) + 1) for i, word in enumerate(words)}
        return SGraph(nodes, (Edge(0, "first", 1), Edge(0, "second", 2)), 0)

    def write(self, graph: SGraph) -> str:
        places = {edge.label: graph.nodes[edge.child].label for edge in graph.edges}
        if places.keys() != {"first", "second"}:
            raise TranslateError("a call has two places")
        return f"{graph.nodes[graph.root].label}({places['first']}, {places['second']})"


class Arrows:
    name = "arrows"
    suffixes = (".arrows",)
    in_blocks = False

    def example(self, text: str) -> Example:
        sentence, arrow, meaning = text.partition(" => ")
        if not arrow:
            raise InputError("expected SENTENCE => MEANING")
        tag = "same" if sentence.split()[0] == sentence.split()[-1] else "other"
        return Example(tuple(sentence.split()), meaning, tags=(tag,))

    def write(self, example: Example) -> str:
        return f"{example.sentence} => {example.meaning or example.failure}\n"


class WordF:
    name = "words"
    measures = ("word_f",)

    def problem(self, notation: Notation | None) -> str | None:
        return None if notation is not None else "labels have no words"

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        wanted = set(re.findall(r"\w+", gold.meaning or ""))
        predicted = set(re.findall(r"\w+", result.meaning or ""))
        return {"word_f": Count(2 * len(wanted & predicted), len(wanted) + len(predicted))}


@pytest.fixture(scope="module")
def plugged() -> Iterator[None]:
    entries = ((NOTATIONS, Calls()), (FORMATS, Arrows()), (DECODERS, Narrow()), (METRICS, WordF()))
    for registry, value in entries:
        registry.register(value.name, value)  # type: ignore[attr-defined]
    yield
    for registry, value in entries:
        registry.unregister(value.name)


@pytest.fixture(scope="module")
def folder(plugged, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("plugins")
    nouns, verbs = ("dog", "cat", "fly", "boy"), ("saw", "bit")
    lines = [
        f"a {left} {verb} a {right} => {verb}({left}, {right})\n"
        for left, verb, right in product(nouns, verbs, nouns)
        if left != right
    ]
    (folder / "train.arrows").write_text("".join(lines), encoding="utf-8")
    (folder / "dev.arrows").write_text("".join(lines[::5]), encoding="utf-8")
    (folder / "settings.toml").write_text(SETTINGS, encoding="utf-8")
    amparser.train(
        folder,
        folder / "model",
        settings=folder / "settings.toml",
        notation="calls",
        overrides=["decode.decoder=narrow", "train.device=cpu"],
    )
    return folder


def test_model_uses_registered_decoder_and_notation(folder) -> None:
    assert ok("parse", "a dog saw a fly", "--model", folder / "model") == "saw(dog, fly)\n"
    printed = ok("parse", "a cat bit a dog", "-m", folder / "model", "--format", "arrows")
    assert printed == "a cat bit a dog => bit(cat, dog)\n"
    settings = json.loads((folder / "model" / "model.json").read_text(encoding="utf-8"))
    assert "narrow" in json.dumps(settings)


def test_registered_metric_is_counted_by_tag(folder) -> None:
    evaluation = amparser.evaluate(
        folder / "model", folder / "dev.arrows", metrics=["words"], decoders=["narrow", "astar"]
    )
    table = evaluation.table("narrow")
    assert table["other"]["word_f"].share == 1.0
    assert "word f" in ok(
        "evaluate", "--model", folder / "model", "--data", folder / "dev.arrows",
        "--metrics", "words", "--decoder", "narrow",
    )  # fmt: skip


def test_faulty_row_error_names_file_and_line(folder, tmp_path) -> None:
    data = tmp_path / "gold.arrows"
    data.write_text("a dog saw a cat => saw(dog, cat)\na dog saw a cat => saw(dog\n")
    result = run("evaluate", "--model", folder / "model", "--data", data)
    assert result.exit_code == 0
    assert f"{data}:2: expected WORD(WORD, WORD)" in result.stderr


ENTRY_POINTS = """
[amparser.encoders]
window = test_plugin_encoder:WindowEncoder

[amparser.decoders]
star = toy_decoders:STAR
"""
SERVED = """
import sys
from pathlib import Path

import amparser

folder, data, *overrides = sys.argv[1:]
amparser.train(data, folder, overrides=["train.device=cpu", "encoder.kind=window", *overrides])
model = amparser.load(folder, device="cpu")
assert "star" in model.decoders
assert type(model.model.network.encoder).__name__ == "WindowEncoder"
assert model.settings.decode.decoder == "star"
for result in model.parse([line.split() for line in sys.stdin]):
    print(result.meaning is not None)
"""


def served(tmp_path: Path, data: Path, sentences: Sequence[str], *overrides: str) -> list[str]:
    """Return for each sentence whether a process with an installed encoder and decoder answers."""
    package = tmp_path / "site" / "toys-1.0.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(ENTRY_POINTS)
    tests = Path(__file__).parent
    path = os.pathsep.join(map(str, (tmp_path / "site", tests, tests / "nn")))
    command = ("-c", SERVED, tmp_path / "model", data, *overrides)
    stdin = "".join(f"{sentence}\n" for sentence in sentences)
    return python(*command, stdin=stdin, PYTHONPATH=path).split()


def test_installed_encoder_and_decoder_work_on_slog(data_dir, tmp_path) -> None:
    with gzip.open(data_dir / "slog/cogs_lf/train.tsv.gz", "rt", encoding="utf-8") as file:
        rows = list(islice(file, 300))
    data = tmp_path / "train.tsv"
    data.write_text("".join(rows), encoding="utf-8")
    settings = ("train.epochs=2", "train.epoch_sentences=300", "decode.decoder=star")
    sentences = [row.partition("\t")[0] for row in rows[:20]]
    found = served(tmp_path, data, sentences, "preset=node", *settings)
    assert len(found) == 20
    assert "True" in found


def test_installed_encoder_and_decoder_work_on_boxes(tmp_path) -> None:
    bank = examples(60)
    data = tmp_path / "train.penman"
    data.write_text("".join(map(FORMATS["penman"].write, bank)), encoding="utf-8")
    settings = ("preset=graph", "train.epochs=2", "decode.decoder=star")
    assert served(tmp_path, data, [e.sentence for e in bank[:10]], *settings) == ["True"] * 10
