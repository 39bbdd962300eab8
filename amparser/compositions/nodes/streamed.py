"""The trees of a corpus that stays in its files: they are kept on disk, in blocks.

A first pass over train counts the occurrences of predicates, by which sources are named; a second
one decomposes each example. Each process does its stretch of both. What a killed training has left
behind is used again if the corpus is the same.
"""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from amparser import __version__
from amparser.compositions.nodes.dataset import TrainingExample
from amparser.compositions.nodes.decomposition import decomposed, occurrences
from amparser.compositions.nodes.row_store import (
    StoredExamples,
    StoredTrees,
    is_whole,
    write_block,
    write_examples,
)
from amparser.compositions.source import Source
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.streamed import Streamed
from amparser.errors import AMParserError, InputError
from amparser.files import alone_in, checksum_of_json, read_json, write_json
from amparser.induction.induce import Occurrence, SourceInventory, counted, induce_counted
from amparser.learn.processes import Processes
from amparser.lexicon.lexicon import Lexicon
from amparser.schema import from_json, to_json

ROWS = "rows"
"""The folder of the trees, in the model folder while it is trained."""
BLOCK = 4096
"""So many examples make a block."""


def is_streamed(corpus: Corpus) -> bool:
    """Whether the examples of a corpus stay in their files."""
    return isinstance(corpus.train, Streamed)


class Examples(NamedTuple):
    """Training examples, and why there are no more: `FILE:LINE: REASON`."""

    examples: Sequence[TrainingExample]
    failures: list[str]


class RowFolder:
    """The folder of the trees of a corpus.

    Args:
        folder: is made if it is not there.
        corpus: the corpus, whose train is streamed.
        processes: share the work.

    Raises:
        InputError: another process is writing there.
    """

    def __init__(self, folder: Path, corpus: Corpus, processes: Processes) -> None:
        self._folder = folder
        self._corpus = corpus
        self._processes = processes
        folder.mkdir(parents=True, exist_ok=True)

    def trees(
        self, split: str, inventory: SourceInventory | None = None
    ) -> tuple[StoredTrees, SourceInventory]:
        """The trees of a part of the corpus.

        Args:
            split: its name.
            inventory: how sources are named; induced from this part if there is none.

        Raises:
            CorpusError: see `decomposed`.
        """
        processes = self._processes
        examples = self._corpus.train if split == "train" else self._corpus.dev
        source = Source.of(self._corpus, split)
        count = -(-len(examples) // BLOCK)
        index, of = processes.share.index, processes.share.count
        own = range(count * index // of, count * (index + 1) // of)
        paths = [self._folder / f"{split}-{number:05d}.jsonl" for number in range(count)]

        def stretch(blocks: range) -> Iterator[Example]:
            return islice(examples, blocks.start * BLOCK, blocks.stop * BLOCK)

        with alone_in(self._folder) if processes.first else nullcontext():
            inventory = self._inventory(split, inventory, lambda: occurrences(stretch(own), source))
            missing = [number for number in own if not is_whole(paths[number])]
            if missing:
                left = stretch(range(missing[0], own.stop))
                for number in range(missing[0], missing[-1] + 1):
                    chunk = list(islice(left, BLOCK))
                    if number in missing:
                        trees, _, failures = decomposed(chunk, source, inventory)
                        pairs = zip(chunk, trees, strict=True)
                        write_block(paths[number], pairs, failures)
            processes.wait()
        return StoredTrees(paths), inventory

    def _inventory(
        self,
        split: str,
        given: SourceInventory | None,
        seen: Callable[[], Iterable[Occurrence]],
    ) -> SourceInventory:
        """How sources are named. What is left of another corpus is removed.

        Args:
            split: the name of a part of the corpus.
            given: the inventory, if it is known.
            seen: the occurrences of predicates in the stretch of this process.
        """
        processes = self._processes
        head = self._folder / f"{split}.json"
        identity = _identity(self._corpus, split, given)
        stored = processes.decided(lambda: self._stored(head, identity))
        if stored is None:
            if given is None:
                given = induced_together(seen(), processes)
            if processes.first:
                write_json(
                    head, {"identity": identity, "inventory": to_json(given, SourceInventory)}
                )
        # The head is written before any block.
        processes.wait()
        if given is not None:
            return given
        return from_json(stored["inventory"], SourceInventory, head, "inventory", error=InputError)

    def _stored(self, head: Path, identity: str) -> Any:
        """What the head says, if it is that of this work; if not, what is there is removed."""
        with suppress(AMParserError):
            content = read_json(head)
            if isinstance(content, Mapping) and content.get("identity") == identity:
                return content
        for path in self._folder.glob(f"{head.stem}[-.]*"):
            path.unlink()
        return None

    def examples(self, split: str, trees: StoredTrees, lexicon: Lexicon) -> Examples:
        """Trees as ids of a lexicon."""
        if not len(trees):
            return Examples([], list(trees.failures))
        path = self._folder / f"{split}.npy"
        place = self._corpus.places.get(split, "")
        failures = self._processes.decided(lambda: write_examples(path, trees, lexicon, place))
        return Examples(StoredExamples(path), [*trees.failures, *failures])


def induced_together(seen: Iterable[Occurrence], processes: Processes) -> SourceInventory:
    """How sources are named, given the occurrences in the stretch of each process."""
    # One stretch after the other: the order is that of the whole corpus.
    merged: Counter[Occurrence] = Counter()
    for part in processes.gathered(counted(seen)):
        merged.update(part)
    return induce_counted(merged)


def _identity(corpus: Corpus, split: str, inventory: SourceInventory | None) -> str:
    """A checksum of all that the trees of a part of a corpus depend on."""
    kept = {
        name: hashlib.sha256(np.packbits(examples.kept).tobytes()).hexdigest()
        for name, examples in (("train", corpus.train), ("dev", corpus.dev))
        if isinstance(examples, Streamed)
    }
    return checksum_of_json(
        {
            "version": __version__,
            "block": BLOCK,
            "split": split,
            "files": corpus.files,
            "kept": kept,
            "notation": corpus.notation,
            "strict": corpus.strict,
            "inventory": None if inventory is None else to_json(inventory, SourceInventory),
        }
    )


def remove_rows(folder: Path) -> None:
    """Remove the trees from a model folder."""
    shutil.rmtree(folder / ROWS, ignore_errors=True)
