"""How time and memory of parsing grow, as pictures: with length, supertags and processes.

    python tests/benchmarks/scale.py [--output docs/pictures] [--json FILE] [--only PART ...]

- `length`: sentences of up to 400 tokens, one at a time, with each decoder: chains of clauses and
  of phrases, center embedding, unknown words, and words in random order.
- `supertags`: a synthetic lexicon of 12 to 3,000 supertags, whose sentences have a right tree that
  stands out: what each step costs.
- `processes`: sentences per second of `Parser.stream` with 1, 2, ... processes, up to the number of
  cores; and how fast as many processes run that only count, which is what the machine allows.

All processes have one thread. Seconds of `length` and `supertags` are those that a core works, so
that other work on the machine does not count; those of `processes` are seconds of the clock.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch

from amparser.algebra.operations import APP, IGNORE, ROOT
from amparser.algebra.supertag import Supertag
from amparser.algebra.types import type_of
from amparser.amtree.tree import AMTree, Entry
from amparser.corpora.tokens import MAX_TOKENS
from amparser.decode.decoders import DECODERS
from amparser.decode.parse import Parse
from amparser.decode.scores import Scores
from amparser.evaluation.plots import plain_svg
from amparser.files import write_atomically
from amparser.learn.network_model import build_network
from amparser.learn.parser_settings import ParserSettings
from amparser.learn.system import CHUNK_SIZE
from amparser.lexicon.denotation import Denotation
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.restrictions import Restrictions
from amparser.nn.encoders.encoder import encoder_of_train
from amparser.nn.tree_scores import tree_scores
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.parser import Parser
from amparser.processes import core_count

PICTURES = Path(__file__).resolve().parents[2] / "docs/pictures"
LENGTHS = (10, 25, 50, 100, 200, 300, MAX_TOKENS)
SUPERTAGS = (12, 30, 100, 300, 1000, 3000)
SENTENCES = 500
SENTENCE_LENGTHS = range(10, 21)
"""The number of sentences of each synthetic lexicon, and their lengths in tokens."""
SALADS = 3
"""How many random sentences there are of each length; the slowest one counts."""

Tokens = tuple[str, ...]


def chain_of_clauses(length: int) -> Tokens:
    """Emma said that Emma said that ... Emma slept ."""
    return ("Emma", "said", "that") * ((length - 3) // 3) + ("Emma", "slept", ".")


def chain_of_phrases(length: int) -> Tokens:
    """A cat on a table on a table ... slept ."""
    return ("A", "cat", *("on", "a", "table") * ((length - 4) // 3), "slept", ".")


def center_embedding(length: int) -> Tokens:
    """Emma saw a dog that a cat that a cat ... liked liked ."""
    depth = (length - 5) // 4
    return ("Emma", "saw", "a", "dog", *("that", "a", "cat") * depth, *("liked",) * depth, ".")


def unknown_words(length: int) -> Tokens:
    """The wug0 that wug1 wug2 ... : words that nobody knows, with some that everybody does."""
    known = ("The", "that", "a", "to", "was", "by", "on", "who")
    chance = Random(length)
    words = [
        chance.choice(known) if chance.random() < 0.3 else f"wug{chance.randrange(1000)}"
        for _ in range(length - 1)
    ]
    return (*words, ".")


def salad(words: Sequence[str], length: int, seed: int) -> Tokens:
    """Words of train in random order."""
    return tuple(Random(seed).choices(words, k=length))


def seconds_of(call: Callable[[], object]) -> float:
    """The time that this process works for a call."""
    started = time.process_time()
    call()
    return time.process_time() - started


def cost_of(call: Callable[[], str | None]) -> tuple[float, float, str | None]:
    """The seconds of a call, the most MiB that it takes beyond what is loaded, and its answer."""
    # In a process of its own: memory that an earlier call has left would be used again.
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()

    def work() -> None:
        torch.set_num_threads(1)
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        before = _status("VmRSS")
        answer = call()
        peak = (_status("VmHWM") - before) / 1024
        there.send((min(seconds_of(call) for _ in range(2)), peak, answer))

    process = context.Process(target=work)
    process.start()
    cost: tuple[float, float, str | None] = here.recv()
    process.join()
    return cost


def _status(field: str) -> int:
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return int(text.split(f"{field}:")[1].split()[0])


def measure_length() -> list[dict[str, Any]]:
    """Seconds and MiB of each kind of sentence with each decoder."""
    parser = Parser.load("slog", device="cpu")
    words = sorted({*parser.model.network.encoder.vocabulary.words})
    kinds: dict[str, Callable[[int], list[Tokens]]] = {
        "chain of clauses": lambda n: [chain_of_clauses(n)],
        "chain of phrases": lambda n: [chain_of_phrases(n)],
        "center embedding": lambda n: [center_embedding(n)],
        "unknown words": lambda n: [unknown_words(n)],
        "word salad": lambda n: [salad(words, n, seed) for seed in range(SALADS)],
    }
    rows = []
    parser.answers([("a",)], list(DECODERS))
    for decoder in DECODERS:
        for kind, sentences in kinds.items():
            for length in LENGTHS:
                found: list[dict[str, Any]] = []
                for tokens in sentences(length):

                    def parse(tokens: Tokens = tokens, decoder: str = decoder) -> str | None:
                        [result] = parser.parse([tokens], decoder)
                        return result.failure

                    seconds, peak, failure = cost_of(parse)
                    cost = {"seconds": seconds, "mib": peak, "failure": failure}
                    found.append({**cost, "tokens": len(tokens)})
                slowest = max(found, key=lambda one: float(one["seconds"]))
                slowest["mib"] = max(one["mib"] for one in found)
                rows.append({"decoder": decoder, "kind": kind, **slowest})
                print(rows[-1], flush=True)
    return rows


SOURCES = ("L1", "R1", "R2", "to", "by", "on", "at", "of")


def synthetic_lexicon(count: int, seed: int = 0) -> tuple[Lexicon, list[AMTree]]:
    """A lexicon of so many supertags, and trees over it.

    A supertag asks for up to three of eight sources; supertags with the same sources differ in
    their roles. Each has words of its own, and its arguments stand on the side of their source.
    """
    chance = Random(seed)
    frames: list[tuple[str, ...]] = [()]
    frames += [(a,) for a in SOURCES]
    frames += [(a, b) for i, a in enumerate(SOURCES) for b in SOURCES[i + 1 :]]
    frames += [
        (a, b, c)
        for i, a in enumerate(SOURCES)
        for j, b in enumerate(SOURCES[i + 1 :], i + 1)
        for c in SOURCES[j + 1 :]
    ]
    frames = frames[: max(3, min(len(frames), count // 3))]
    supertags = [_supertag(frames[k % len(frames)], k // len(frames)) for k in range(count)]
    nouns = [k for k in range(count) if k % len(frames) == 0]
    # Each supertag stands in some tree; then come sentences of the lengths of real ones.
    trees = [_tree(k, supertags, frames, nouns, chance) for k in range(count)]
    while len(trees) < count + SENTENCES:
        tree = _tree(chance.randrange(count), supertags, frames, nouns, chance, depth=6)
        if len(tree) in SENTENCE_LENGTHS:
            trees.append(tree)
    return Lexicon.from_trees(trees), trees


def _supertag(sources: Sequence[str], variant: int) -> Supertag:
    edges = " ".join(f":role{variant}-{s} (i{i}<{s}>)" for i, s in enumerate(sources, 2))
    penman = (
        f"(i1<root> / --LEX-- {edges})"
        if edges
        else f"(i1<root> / --LEX-- :kind{variant} (i2 / k))"
    )
    return Supertag(penman, type_of(sources))


def _tree(
    k: int,
    supertags: Sequence[Supertag],
    frames: Sequence[tuple[str, ...]],
    nouns: Sequence[int],
    chance: Random,
    depth: int = 2,
) -> AMTree:
    """A random tree whose root has supertag k."""
    entries: list[Entry] = []

    def add(k: int, operation: str, depth: int) -> int:
        """Append a constituent; its head's index. Heads are filled in by the caller."""
        sources = frames[k % len(frames)]
        below: list[int] = []
        for source in (s for s in sources if s.startswith("L")):
            below.append(add(_argument(depth), f"{APP}{source}", depth - 1))
        here = len(entries)
        if chance.random() < 0.3:
            entries.append(Entry("the"))
            here += 1
        word = f"w{k}-{chance.randrange(3)}"
        entries.append(Entry(word, 0, operation, supertags[k], "$LEMMA$", lemma=word))
        for source in (s for s in sources if not s.startswith("L")):
            below.append(add(_argument(depth), f"{APP}{source}", depth - 1))
        for child in below:
            e = entries[child]
            entries[child] = Entry(
                e.form, here + 1, e.operation, e.supertag, e.lexical_label, lemma=e.lemma
            )
        return here

    def _argument(depth: int) -> int:
        return (
            chance.randrange(len(supertags))
            if depth > 0 and chance.random() < 0.5
            else (chance.choice(nouns))
        )

    add(k, ROOT, depth)
    entries.append(Entry("."))
    assert all(entry.operation != IGNORE or entry.head == 0 for entry in entries)
    return AMTree(tuple(entries))


def right_scores(
    lexicon: Lexicon, tree: AMTree, random: np.random.Generator, margin: float = 10.0
) -> Scores:
    """Normalised scores in which a tree stands out from noise."""
    encoded = lexicon.encode(tree)
    assert encoded is not None
    supertags, heads, operations = map(np.array, encoded)
    n = len(tree)
    tags = random.normal(size=(n, len(lexicon.supertags)))
    edges = random.normal(size=(n, n + 1, len(lexicon.operations)))
    tags[range(n), supertags] += margin
    edges[range(n), heads, operations] += margin
    tags -= np.logaddexp.reduce(tags, axis=1, keepdims=True)
    edges -= np.logaddexp.reduce(np.logaddexp.reduce(edges, axis=2), axis=1)[:, None, None]
    return Scores(tags.astype(np.float32), edges.astype(np.float32))


def measure_supertags() -> list[dict[str, Any]]:
    """Milliseconds per sentence of each step, and seconds to prepare, by number of supertags."""
    rows = []
    for count in SUPERTAGS:
        rows.append(_steps_with(count))
        print(rows[-1], flush=True)
    return rows


def _steps_with(count: int) -> dict[str, Any]:
    settings = ParserSettings()
    lexicon, trees = synthetic_lexicon(count)
    trees = trees[-SENTENCES:]
    sentences = [tuple(entry.form for entry in tree.entries) for tree in trees]
    words = vocabulary_from_sentences(sentences)
    network = build_network(
        settings,
        lambda: encoder_of_train(settings.encoder, words),
        supertag_count=len(lexicon.supertags),
        operation_count=len(lexicon.operations),
    ).eval()
    rules, denotation = Restrictions(lexicon), Denotation(lexicon)
    random = np.random.default_rng(0)
    scores = [right_scores(lexicon, tree, random) for tree in trees]
    parses: list[Parse] = []

    def restrict_all() -> None:
        for start in range(0, SENTENCES, CHUNK_SIZE):
            rows = slice(start, start + CHUNK_SIZE)
            scores[rows] = rules.apply_all(sentences[rows], scores[rows])

    def decode_all() -> None:
        search = DECODERS["astar-gap"].search
        parses[:] = search(scores, rules.table, supertag_limit=6, open_root=True)

    def evaluate_all() -> None:
        for tokens, parse in zip(sentences, parses, strict=True):
            denotation.graph(tokens, parse.supertags, parse.heads, parse.operations)

    def prepare() -> None:
        tree_scores(network, sentences[:50])
        rules.apply_all(sentences[:1], [right_scores(lexicon, trees[0], random)])
        DECODERS["astar-gap"].search(scores[:1], rules.table, supertag_limit=6)

    prepared = seconds_of(prepare)
    steps = {
        "scoring": seconds_of(lambda: tree_scores(network, sentences)),
        "restricting": seconds_of(restrict_all),
        "decoding": seconds_of(decode_all),
        "evaluating": seconds_of(evaluate_all),
    }
    pairs = zip(parses, trees, strict=True)
    return {
        "supertags": count,
        "types": len({s.lexical_type for s in lexicon.supertags if s is not None}),
        "operations": len(lexicon.operations),
        "tokens": statistics.mean(map(len, sentences)),
        "prepare_seconds": prepared,
        "right": sum(parse.heads == tree.heads for parse, tree in pairs) / SENTENCES,
        **{name: 1000 * spent / SENTENCES for name, spent in steps.items()},
    }


def measure_processes(rounds: int = 3) -> list[dict[str, Any]]:
    """Sentences per second with several processes, and what the machine allows."""
    parser = Parser.load("slog", device="cpu")
    chance = Random(0)
    kinds = (chain_of_clauses, chain_of_phrases, center_embedding)
    sentences = [chance.choice(kinds)(chance.randrange(9, 24)) for _ in range(8000)]
    rates: dict[int, list[float]] = {}
    allowed: dict[int, list[float]] = {}
    counts = range(1, core_count() + 1)
    for _ in range(rounds + 1):  # the first one warms up
        for count in counts:
            started = time.perf_counter()
            for result in parser.stream(sentences, processes=count):
                assert result.parse is not None
            rates.setdefault(count, []).append(len(sentences) / (time.perf_counter() - started))
            allowed.setdefault(count, []).append(_counting(count))
    return [
        {
            "processes": count,
            "sentences_per_second": statistics.median(rates[count][1:]),
            "times": statistics.median(
                few / one for few, one in zip(rates[count][1:], rates[1][1:], strict=True)
            ),
            "allowed": statistics.median(
                few / one for few, one in zip(allowed[count][1:], allowed[1][1:], strict=True)
            ),
        }
        for count in counts
    ]


def _counting(count: int) -> float:
    """How often so many processes count to a number, per second."""
    context = multiprocessing.get_context("fork")
    started = time.perf_counter()
    workers = [context.Process(target=_count) for _ in range(count)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return count / (time.perf_counter() - started)


def _count() -> None:
    number = 0
    for i in range(20_000_000):
        number += i


def draw(measured: dict[str, Any], folder: Path) -> None:
    """Write a picture of each part that was measured."""
    folder.mkdir(parents=True, exist_ok=True)
    with plain_svg():
        if "length" in measured:
            _save(_draw_length(measured["length"]), folder / "scale-length.svg")
        if "supertags" in measured:
            _save(_draw_supertags(measured["supertags"]), folder / "scale-supertags.svg")
        if "processes" in measured:
            _save(_draw_processes(measured["processes"]), folder / "scale-processes.svg")


def _draw_length(rows: Sequence[dict[str, Any]]) -> Any:
    from matplotlib.figure import Figure

    decoders = list(dict.fromkeys(row["decoder"] for row in rows))
    figure = Figure(figsize=(3.2 * len(decoders), 5.4), layout="constrained")
    axes = figure.subplots(2, len(decoders), sharex=True, sharey="row", squeeze=False)
    for column, decoder in enumerate(decoders):
        for kind in dict.fromkeys(row["kind"] for row in rows):
            here = [row for row in rows if (row["decoder"], row["kind"]) == (decoder, kind)]
            lengths = [row["tokens"] for row in here]
            axes[0][column].plot(lengths, [row["seconds"] for row in here], "o-", ms=3, label=kind)
            axes[1][column].plot(lengths, [row["mib"] for row in here], "o-", ms=3)
        axes[0][column].set_title(decoder)
        axes[1][column].set_xlabel("tokens")
    axes[0][0].set_ylabel("seconds")
    axes[1][0].set_ylabel("MiB more")
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return figure


def _draw_supertags(rows: Sequence[dict[str, Any]]) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.subplots()
    for step in ("scoring", "restricting", "decoding", "evaluating"):
        axes.plot([r["supertags"] for r in rows], [r[step] for r in rows], "o-", label=step)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.minorticks_off()
    ticks = (0.01, 0.03, 0.1, 0.3, 1)
    axes.set_yticks(ticks, [str(tick) for tick in ticks])
    axes.set_xticks([r["supertags"] for r in rows], [f"{r['supertags']:,}" for r in rows])
    axes.set_xlabel("supertags")
    axes.set_ylabel("milliseconds per sentence")
    figure.legend(loc="outside upper center", ncols=4)
    return figure


def _draw_processes(rows: Sequence[dict[str, Any]]) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4, 3), layout="constrained")
    axes = figure.subplots()
    places = range(len(rows))
    axes.bar([p - 0.2 for p in places], [r["times"] for r in rows], 0.4, label="parsing")
    axes.bar(
        [p + 0.2 for p in places], [r["allowed"] for r in rows], 0.4, label="counting", hatch="//"
    )
    axes.set_xticks(places, [str(r["processes"]) for r in rows])
    axes.set_xlabel("processes")
    axes.set_ylabel("times the speed of one")
    figure.legend(loc="outside upper center", ncols=2)
    return figure


def _save(figure: Any, path: Path) -> None:
    import io

    content = io.BytesIO()
    figure.savefig(content, format="svg", metadata={"Date": None})
    write_atomically(path, content.getvalue())


PARTS: dict[str, Callable[[], list[dict[str, Any]]]] = {
    "length": measure_length,
    "supertags": measure_supertags,
    "processes": measure_processes,
}


def main() -> None:
    """Measure, print and draw."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--output", type=Path, default=PICTURES)
    arguments.add_argument("--json", type=Path)
    arguments.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    given = arguments.parse_args()
    torch.set_num_threads(1)
    measured: dict[str, Any] = {}
    if given.json is not None and given.json.exists():
        measured = json.loads(given.json.read_text(encoding="utf-8"))
    for part in given.only:
        measured[part] = PARTS[part]()
    for row in measured.get("processes", []):
        print(row)
    if given.json is not None:
        given.json.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    draw(measured, given.output)


if __name__ == "__main__":
    main()
