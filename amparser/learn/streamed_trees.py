"""The trees of a corpus that stays in its files: they are kept on disk, in blocks.

A first pass over train counts the occurrences of predicates, by which sources are named; a second
one decomposes each example. Each process does its stretch of both. What a killed training has left
behind is used again if the corpus is the same.
"""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from amparser import __version__
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.streamed import Streamed
from amparser.errors import AMParserError
from amparser.files import alone_in, checksum_of_json, read_json, write_json
from amparser.induction.induce import Occurrence, SourceInventory, counted, induce_counted
from amparser.induction.inventory_codec import inventory_from_dict, inventory_to_dict
from amparser.learn.dataset import TrainingExample
from amparser.learn.decomposition import Source, decomposed, occurrences
from amparser.learn.processes import Processes
from amparser.learn.row_store import (
    StoredExamples,
    StoredTrees,
    is_whole,
    write_block,
    write_examples,
)
from amparser.lexicon.lexicon import Lexicon

ROWS = "rows"
"""The folder of the trees, in the model folder while it is trained."""
BLOCK = 4096
"""So many examples make a block."""


def is_streamed(corpus: Corpus) -> bool:
    """Whether the examples of a corpus stay in their files."""
    return isinstance(corpus.train, Streamed)


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
        with alone_in(self._folder) if processes.first else nullcontext():
            work = _Work.of(self._folder, self._corpus, split, inventory, processes)
            inventory = work.inventory(inventory)
            work.write_blocks(inventory)
            processes.wait()
        return StoredTrees(work.paths), inventory

    def examples(self, split: str, trees: StoredTrees, lexicon: Lexicon) -> Examples:
        """Trees as ids of a lexicon."""
        if not len(trees):
            return Examples([], list(trees.failures))
        path = self._folder / f"{split}.npy"
        place = self._corpus.places.get(split, "")
        failures = self._processes.decided(lambda: write_examples(path, trees, lexicon, place))
        return Examples(StoredExamples(path), [*trees.failures, *failures])


class Examples(NamedTuple):
    """Training examples, and why there are no more: `FILE:LINE: REASON`."""

    examples: Sequence[TrainingExample]
    failures: list[str]


class _Work(NamedTuple):
    """What is to be done for a part of a corpus.

    Attributes:
        head: the path of the file that says what the blocks belong to.
        paths: those of the blocks.
        own: the numbers of the blocks of this process.
        examples: of the part.
        source: where they come from.
        identity: a checksum of all that the trees depend on.
        processes: share the work.
    """

    head: Path
    paths: Sequence[Path]
    own: range
    examples: Sequence[Example]
    source: Source
    identity: str
    processes: Processes

    @classmethod
    def of(
        cls,
        folder: Path,
        corpus: Corpus,
        split: str,
        inventory: SourceInventory | None,
        processes: Processes,
    ) -> _Work:
        examples = corpus.train if split == "train" else corpus.dev
        count = -(-len(examples) // BLOCK)
        index, of = processes.share.index, processes.share.count
        return cls(
            folder / f"{split}.json",
            [folder / f"{split}-{number:05d}.npz" for number in range(count)],
            range(count * index // of, count * (index + 1) // of),
            examples,
            Source.of(corpus, split),
            _identity(corpus, split, inventory),
            processes,
        )

    def inventory(self, given: SourceInventory | None) -> SourceInventory:
        """How sources are named. What is left of another corpus is removed."""
        stored = self.processes.decided(self._stored)
        if stored is None:
            content: dict[str, Any] = {"identity": self.identity}
            if given is None:
                given = self._induced()
                content["inventory"] = inventory_to_dict(given)
            if self.processes.first:
                write_json(self.head, content)
        elif given is None:
            given = inventory_from_dict(stored["inventory"])
        # The head is written before any block.
        self.processes.wait()
        return given

    def _stored(self) -> Any:
        """What the head says, if it is that of this work; if not, what is there is removed."""
        try:
            content = read_json(self.head)
        except AMParserError:
            content = None
        if isinstance(content, Mapping) and content.get("identity") == self.identity:
            return content
        for path in self.head.parent.glob(f"{self.head.stem}[-.]*"):
            path.unlink()
        return None

    def _induced(self) -> SourceInventory:
        # One stretch after the other: the order is that of the whole corpus.
        merged: Counter[Occurrence] = Counter()
        own = counted(occurrences(self._stretch(self.own), self.source))
        for part in self.processes.gathered(own):
            merged.update(part)
        return induce_counted(merged)

    def _stretch(self, blocks: range) -> Iterator[Example]:
        return islice(self.examples, blocks.start * BLOCK, blocks.stop * BLOCK)

    def write_blocks(self, inventory: SourceInventory) -> None:
        """Write the blocks of this process that are not there."""
        missing = [number for number in self.own if not is_whole(self.paths[number])]
        if not missing:
            return
        examples = self._stretch(range(missing[0], missing[-1] + 1))
        for number in range(missing[0], missing[-1] + 1):
            chunk = list(islice(examples, BLOCK))
            if number not in missing:
                continue
            trees, _, failures = decomposed(chunk, self.source, inventory)
            pairs = ((e, tree) for e, tree in zip(chunk, trees, strict=True) if tree is not None)
            write_block(self.paths[number], pairs, failures)


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
            "inventory": None if inventory is None else inventory_to_dict(inventory),
        }
    )


def remove_rows(folder: Path) -> None:
    """Remove the trees from a model folder."""
    shutil.rmtree(folder / ROWS, ignore_errors=True)
