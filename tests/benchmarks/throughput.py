"""How many sentences a second each system answers, in one run on one machine.

    python tests/benchmarks/throughput.py DATA.tsv.gz [-n ROWS] MODEL_DIR ...

The AM parser goes from sentences to logical forms with each of its decoders; a
sequence-to-sequence model searches in batches, as its settings say. A row of every
type, in turn, makes up the rows that are asked.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from itertools import chain, zip_longest
from pathlib import Path

from amparser.corpora.reading import read_examples
from amparser.learn.systems import AMPARSER, load_seq2seq, system_of_model
from amparser.parser import DECODERS, Parser


def spread(path: Path, count: int) -> list[tuple[str, ...]]:
    """The tokens of rows, taken from each type in turn."""
    types: dict[str, list[tuple[str, ...]]] = {}
    for example in read_examples(path):
        types.setdefault(example.kind, []).append(example.tokens)
    rows = [tokens for tokens in chain(*zip_longest(*types.values())) if tokens is not None]
    return rows[:count]


def seconds(call: Callable[[], object]) -> float:
    """The better of two runs."""
    times = []
    for _ in range(2):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return min(times)


def throughputs(sentences: Sequence[tuple[str, ...]], folders: Sequence[Path]) -> dict[str, float]:
    """Sentences a second of the package's parser by decoder, and of the models in folders."""
    found: dict[str, float] = {}
    parsers = [(AMPARSER, Parser.load())]
    parsers += [(str(f), Parser.load(f)) for f in folders if system_of_model(f) == AMPARSER]
    for name, parser in parsers:
        for decoder in DECODERS:
            parser.parse(sentences[:1], decoder)  # compiles
            taken = seconds(lambda p=parser, d=decoder: p.parse(sentences, d))  # type: ignore[misc]
            found[f"{name}, {decoder}"] = len(sentences) / taken
    for folder in folders:
        if system_of_model(folder) != AMPARSER:
            seq2seq = load_seq2seq(folder)
            seq2seq.outputs(sentences[:1])
            taken = seconds(lambda s=seq2seq: s.outputs(sentences))  # type: ignore[misc]
            beam = seq2seq.config.decode.beam_size
            name = f"{folder}: {seq2seq.system}, {seq2seq.notation.name}, beam {beam}"
            found[name] = len(sentences) / taken
    return found


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("data", type=Path)
    arguments.add_argument("folders", type=Path, nargs="*")
    arguments.add_argument("-n", type=int, default=340)
    given = arguments.parse_intermixed_args()
    sentences = spread(given.data, given.n)
    print(f"{len(sentences)} sentences of {given.data.name}")
    for name, rate in throughputs(sentences, given.folders).items():
        print(f"{rate:10.1f} sentences/s  {name}")


if __name__ == "__main__":
    main()
