"""The trees of a corpus that stays in its files, or is shared by processes: in blocks on disk.

    rows/train.json              what the rest belongs to, and the source inventory
    rows/train-00000.jsonl       the trees of some thousand examples
    rows/train-00000.ids.jsonl   the same as ids of the lexicon

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
from functools import cache, partial
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from amparser import __version__
from amparser.compositions.nodes.decomposition import decomposed, occurrences
from amparser.compositions.source import Source
from amparser.constants.supertag import Supertag
from amparser.constants.tree import AMTree, Entry
from amparser.constants.types import type_from_str, type_to_str
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.streamed import Streamed
from amparser.errors import AMParserError, InputError, located
from amparser.files import alone_in, checksum_of_json, checksum_of_rows, read_json, write_json
from amparser.induction.induce import Occurrence, SourceInventory, counted, induce_counted
from amparser.learn.processes import Processes
from amparser.learn.row_store import RowStore, is_whole, write_block
from amparser.lexicon.indexed_tree import IndexedTree
from amparser.lexicon.lexicon import Lexicon
from amparser.schema import from_json, to_json

ROWS = "rows"
"""The folder of the trees, in the model folder while it is trained."""
BLOCK = 4096
"""So many examples make a block."""
UNKNOWN_PART = "its tree has a supertag or an edge label that train does not have"
"""Why a tree of dev cannot be encoded."""
_COLUMNS = attrgetter("tokens", "supertags", "heads", "operations")


class Row(NamedTuple):
    """An example and its tree; file and line are where it comes from."""

    tokens: tuple[str, ...]
    tree: AMTree
    file: str
    line: int


class Examples(NamedTuple):
    """Training examples, and why there are no more: `FILE:LINE: REASON`."""

    examples: Sequence[IndexedTree]
    failures: list[str]


def encoded(
    rows: Iterable[Row], lexicon: Lexicon, place: str | None, failures: list[str]
) -> Iterator[IndexedTree]:
    """Trees as ids of a lexicon; those with a part that it does not have are added to failures."""
    for row in rows:
        ids = lexicon.encode(row.tree)
        if ids is not None:
            yield IndexedTree(row.tokens, *map(tuple, ids))
        else:
            failures.append(located(UNKNOWN_PART, path=row.file or place, line=row.line))


def write_trees(
    path: Path, pairs: Iterable[tuple[Example, AMTree | None]], failures: list[str]
) -> None:
    """Write a block of examples with their trees, and why others have none."""
    constants: dict[tuple[Supertag | None, str | None], int] = {}
    write_block(
        path,
        (
            (
                example.tokens,
                [
                    (
                        e.form,
                        e.head,
                        e.operation,
                        constants.setdefault((e.supertag, e.lexical_label), len(constants)),
                        e.lemma,
                    )
                    for e in tree.entries
                ],
                example.file,
                example.line,
            )
            for example, tree in pairs
            if tree is not None
        ),
        lambda: {
            "failures": failures,
            "constants": [
                (s and (s.penman, type_to_str(s.lexical_type)), label) for s, label in constants
            ],
        },
    )


def stored_trees(paths: Iterable[Path]) -> tuple[RowStore[Row], list[str]]:
    """The examples with trees of blocks, and why others have none; raises InputError."""
    failures: list[str] = []

    @cache
    def supertag(penman: str, lexical_type: str) -> Supertag:
        return Supertag(penman, type_from_str(lexical_type))

    def reader(head: Any) -> Callable[[Any], Row]:
        failures.extend(head["failures"])
        constants = [(s and supertag(*s), label) for s, label in head["constants"]]

        def read(value: Any) -> Row:
            tokens, cells, file, line = value
            entries = []
            for form, head, operation, constant, lemma in cells:
                own, label = constants[constant]
                entries.append(Entry(form, head, operation, own, label, lemma=lemma))
            return Row(tuple(tokens), AMTree(tuple(entries)), file, line)

        return read

    return RowStore(paths, reader), failures


class RowFolder:
    """The folder of the trees of a corpus.

    Args:
        folder: is made if it is not there.
        corpus: the corpus.
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
    ) -> tuple[RowStore[Row], list[str], SourceInventory]:
        """The examples with trees of a part of the corpus, and why others have none.

        Args:
            split: its name.
            inventory: how sources are named; induced from this part if there is none.

        Raises:
            CorpusError: see `decomposed`.
        """
        processes, own = self._processes, self._own(split)
        examples, source = _part(self._corpus, split), Source.of(self._corpus, split)
        paths = self._paths(split)

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
                        write_trees(paths[number], pairs, failures)
            processes.wait()
        return *stored_trees(paths), inventory

    def _paths(self, split: str, ending: str = ".jsonl") -> list[Path]:
        count = -(-len(_part(self._corpus, split)) // BLOCK)
        return [self._folder / f"{split}-{number:05d}{ending}" for number in range(count)]

    def _own(self, split: str) -> range:
        """The blocks of this process."""
        count, share = len(self._paths(split)), self._processes.share
        return range(count * share.index // share.count, count * (share.index + 1) // share.count)

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

    def examples(self, split: str, lexicon: Lexicon) -> Examples:
        """The trees of a part of the corpus, which are there, as ids of a lexicon."""
        place = self._corpus.places.get(split)
        paths, ids = self._paths(split), self._paths(split, ".ids.jsonl")
        for number in self._own(split):
            rows, failures = stored_trees([paths[number]])
            examples = encoded(rows, lexicon, place, failures)
            write_block(ids[number], map(_COLUMNS, examples), partial(list, failures))
        self._processes.wait()
        failures = []

        def reader(head: Any) -> Callable[[Any], IndexedTree]:
            failures.extend(head)
            return lambda value: IndexedTree(*map(tuple, value))

        return Examples(RowStore(ids, reader), failures)


def _part(corpus: Corpus, split: str) -> Sequence[Example]:
    return corpus.train if split == "train" else corpus.dev


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
        if isinstance(examples, Streamed)
        else checksum_of_rows(examples)
        for name, examples in (("train", corpus.train), ("dev", corpus.dev))
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
