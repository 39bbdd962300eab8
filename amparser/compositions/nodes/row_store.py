"""Trees and training examples on disk, for a corpus that is larger than memory.

    rows/train.json          what the rest belongs to, and the source inventory
    rows/train-00000.jsonl   a block: the trees of some thousand examples, one a line
    rows/train.npy           the examples as ids of the lexicon, mapped into memory

A file is written whole or not at all. A block begins with a checksum of the rest of it.
"""

from __future__ import annotations

import hashlib
import io
import json
from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from amparser.compositions.nodes.dataset import TrainingExample
from amparser.constants.supertag import Supertag
from amparser.constants.tree import AMTree, Entry
from amparser.constants.types import type_from_str, type_to_str
from amparser.corpora.example import Example
from amparser.errors import InputError, located
from amparser.files import replacing_file, write_atomically
from amparser.lexicon.lexicon import Lexicon

Item = TypeVar("Item")


class Row(NamedTuple):
    """An example and its tree: what the lexicon is read off, and what is learned from.

    Attributes:
        tokens: the sentence.
        tree: its tree; of each entry form, head, operation, supertag, label and lemma.
        file: the path of its file, or empty.
        line: its line there.
    """

    tokens: tuple[str, ...]
    tree: AMTree
    file: str
    line: int


class _Numbers(dict[Any, int]):
    """Numbers things in the order in which they are asked for."""

    def __missing__(self, key: Any) -> int:
        self[key] = len(self)
        return self[key]


class _Stored(Sequence[Item]):
    """A sequence that makes its items when they are asked for."""

    @abstractmethod
    def _item(self, number: int) -> Item:
        """One of them."""

    @overload
    def __getitem__(self, number: int) -> Item: ...

    @overload
    def __getitem__(self, number: slice) -> list[Item]: ...

    def __getitem__(self, number: Any) -> Any:
        numbers = range(len(self))[number]
        return self._item(numbers) if isinstance(numbers, int) else [*map(self._item, numbers)]


def write_block(
    path: Path, pairs: Iterable[tuple[Example, AMTree | None]], failures: list[str]
) -> None:
    """Write a block, whole or not at all.

    Args:
        path: of the block.
        pairs: examples with their trees; those without one are left out.
        failures: why they have none.
    """
    constants = _Numbers()
    lines = []
    token_count = 0
    for example, tree in pairs:
        if tree is None:
            continue
        entries = [
            (e.form, e.head, e.operation, constants[e.supertag, e.lexical_label], e.lemma)
            for e in tree.entries
        ]
        token_count += len(entries)
        row = (example.tokens, entries, example.file, example.line)
        lines.append(json.dumps(row, separators=(",", ":")) + "\n")
    texts = [(s and (s.penman, type_to_str(s.lexical_type)), label) for s, label in constants]
    head = {"tokens": token_count, "constants": texts, "failures": failures}
    content = (json.dumps(head) + "\n" + "".join(lines)).encode()
    write_atomically(path, f"{hashlib.sha256(content).hexdigest()}\n".encode() + content)


def _read_block(path: Path) -> bytes:
    """A block without its checksum; raises InputError if it is damaged."""
    try:
        digest, _, content = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise InputError(located(error.strerror or str(error), path=path)) from None
    if hashlib.sha256(content).hexdigest().encode() != digest:
        raise InputError(located("damaged rows of training", path=path))
    return content


def is_whole(path: Path) -> bool:
    """Whether a block is there and not damaged."""
    try:
        return bool(_read_block(path))
    except InputError:
        return False


class _Block(NamedTuple):
    """What is known of a block: where its lines begin, and its constants."""

    path: Path
    places: NDArray[np.int64]
    constants: Sequence[tuple[Supertag | None, str | None]]

    def row(self, line: bytes) -> Row:
        """A line as an example."""
        tokens, cells, file, number = json.loads(line)
        entries = []
        for form, head, operation, constant, lemma in cells:
            supertag, label = self.constants[constant]
            entries.append(Entry(form, head, operation, supertag, label, lemma=lemma))
        return Row(tuple(tokens), AMTree(tuple(entries)), file, number)


class StoredTrees(_Stored[AMTree]):
    """The trees of blocks, which are read from the disk each time.

    Args:
        paths: of the blocks, in order.

    Attributes:
        failures: why examples have no tree, as `FILE:LINE: REASON`.
        token_count: the number of tokens of all trees.

    Raises:
        InputError: a block is damaged.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self.failures: list[str] = []
        self.token_count = 0
        self._supertags: dict[tuple[str, str], Supertag] = {}
        self._blocks = [self._block(path) for path in paths]
        self._ends = list(accumulate(len(block.places) for block in self._blocks))

    def _block(self, path: Path) -> _Block:
        content = _read_block(path)
        head = json.loads(content[: content.index(b"\n")])
        self.failures += head["failures"]
        self.token_count += head["tokens"]
        after = np.flatnonzero(np.frombuffer(content, np.uint8) == ord("\n")) + 1
        places = after[:-1] + path.stat().st_size - len(content)
        constants = [(s and self._supertag(*s), label) for s, label in head["constants"]]
        return _Block(path, places, constants)

    def _supertag(self, penman: str, lexical_type: str) -> Supertag:
        key = (penman, lexical_type)
        if key not in self._supertags:
            self._supertags[key] = Supertag(penman, type_from_str(lexical_type))
        return self._supertags[key]

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def _item(self, number: int) -> AMTree:
        place = bisect_right(self._ends, number)
        block = self._blocks[place]
        with block.path.open("rb") as file:
            file.seek(block.places[number - self._ends[place]])
            return block.row(file.readline()).tree

    def rows(self) -> Iterator[Row]:
        """All examples with their trees, in order."""
        for block in self._blocks:
            with block.path.open("rb") as file:
                yield from map(block.row, islice(file, 2, None))

    def __iter__(self) -> Iterator[AMTree]:
        return (row.tree for row in self.rows())


class StoredExamples(_Stored[TrainingExample]):
    """Training examples in an array that is mapped into memory.

    Args:
        path: of what `write_examples` wrote.
    """

    def __init__(self, path: Path) -> None:
        self._cells: NDArray[np.int32] = np.asarray(np.load(path, mmap_mode="r"))
        self._ends: NDArray[np.int64] = np.load(path.with_suffix(".ends.npy"))
        self._words: list[str] = json.loads(path.with_suffix(".words.json").read_text("utf-8"))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each."""
        return np.diff(self._ends)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def _item(self, number: int) -> TrainingExample:
        start, end = self._ends[number : number + 2]
        words, supertags, heads, operations = self._cells[start:end].T.tolist()
        tokens = tuple([self._words[word] for word in words])
        return TrainingExample(tokens, tuple(supertags), tuple(heads), tuple(operations))


UNKNOWN_PART = "its tree has a supertag or an edge label that train does not have"
"""Why a tree of dev cannot be encoded."""


def write_examples(path: Path, trees: StoredTrees, lexicon: Lexicon, place: str) -> list[str]:
    """Write trees as ids of a lexicon.

    Args:
        path: of the array.
        trees: the trees.
        lexicon: has their supertags and edge labels.
        place: the path of their file, for messages, if it is one.

    Returns:
        For each tree with a part that the lexicon does not have file, line and reason.
    """
    words, ends, failures = _Numbers(), [0], []
    with replacing_file(path) as part:
        cells = np.lib.format.open_memmap(part, "w+", np.int32, (trees.token_count, 4))
        for row in trees.rows():
            ids = lexicon.encode(row.tree)
            if ids is None:
                message = located(UNKNOWN_PART, path=row.file or place, line=row.line)
                failures.append(message)
                continue
            end = ends[-1] + len(row.tokens)
            numbers = [words[token] for token in row.tokens]
            cells[ends[-1] : end] = np.array([numbers, *ids], np.int32).T
            ends.append(end)
        cells.flush()
    buffer = io.BytesIO()
    np.save(buffer, np.array(ends, np.int64))
    write_atomically(path.with_suffix(".ends.npy"), buffer.getvalue())
    write_atomically(path.with_suffix(".words.json"), json.dumps(list(words)).encode())
    return failures
