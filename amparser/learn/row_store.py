"""Trees and training examples on disk, for a corpus that is larger than memory.

    rows/train.json          what the rest belongs to, and the source inventory
    rows/train-00000.npz     a block: the trees of some thousand examples, in columns
    rows/train.npy           the examples as ids of the lexicon, mapped into memory

A file is written whole or not at all. A block is checked when it is read (zip's CRC-32).
"""

from __future__ import annotations

import io
import json
import zipfile
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.supertag import Supertag
from amparser.algebra.types import type_from_str, type_to_str
from amparser.amtree.tree import AMTree, Entry
from amparser.corpora.example import Example
from amparser.errors import InputError, located
from amparser.files import replacing_file, write_atomically
from amparser.learn.dataset import TrainingExample
from amparser.lexicon.lexicon import Lexicon

_NONE = -1
_KEPT = 8
"""So many blocks are in memory at a time."""
_AT_ONCE = 1 << 16


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


class Block(NamedTuple):
    """Examples that stand one after the other: those that have a tree, and why others have none."""

    rows: Sequence[Row]
    failures: Sequence[str]


class _Numbers(dict[Any, int]):
    """Numbers things in the order in which they are asked for."""

    def __missing__(self, key: Any) -> int:
        self[key] = len(self)
        return self[key]


def write_block(path: Path, pairs: Iterable[tuple[Example, AMTree]], failures: list[str]) -> None:
    """Write a block, whole or not at all."""
    texts, constants = _Numbers(), _Numbers()
    cells: list[tuple[int, ...]] = []
    lengths: list[int] = []
    places: list[tuple[int, int]] = []

    def text_of(text: str | None) -> int:
        return _NONE if text is None else texts[text]

    for example, tree in pairs:
        for token, e in zip(example.tokens, tree.entries, strict=True):
            constant = _NONE if e.supertag is None else constants[e.supertag, e.lexical_label]
            told = texts[token], texts[e.form], e.head, texts[e.operation], constant
            cells.append((*told, text_of(e.lemma)))
        lengths.append(len(tree))
        places.append((texts[example.file], example.line))
    tables = {
        "texts": list(texts),
        "constants": [(s.penman, type_to_str(s.lexical_type), t) for s, t in constants],
        "failures": failures,
    }
    buffer = io.BytesIO()
    np.savez(
        buffer,
        cells=np.array(cells, np.int32).reshape(-1, 6),
        lengths=np.array(lengths, np.int32),
        places=np.array(places, np.int64).reshape(-1, 2),
        tables=np.frombuffer(json.dumps(tables).encode(), np.uint8),
    )
    write_atomically(path, buffer.getvalue())


class _Columns(NamedTuple):
    """What `write_block` wrote."""

    cells: NDArray[np.int32]
    starts: Sequence[int]
    places: Sequence[Sequence[int]]
    texts: Sequence[str]
    constants: Sequence[tuple[Supertag, str | None]]

    def row(self, number: int) -> Row:
        """An example."""
        texts = self.texts
        tokens, entries = [], []
        cells = self.cells[self.starts[number] : self.starts[number + 1]].tolist()
        for token, form, head, operation, constant, lemma in cells:
            tokens.append(texts[token])
            supertag, label = (None, None) if constant < 0 else self.constants[constant]
            word = None if lemma < 0 else texts[lemma]
            entries.append(Entry(texts[form], head, texts[operation], supertag, label, lemma=word))
        file, line = self.places[number]
        return Row(tuple(tokens), AMTree(tuple(entries)), texts[file], line)


class StoredTrees(Sequence[AMTree]):
    """The trees of blocks; some of the blocks are in memory, those that were asked for last.

    Args:
        paths: of the blocks, in order.

    Attributes:
        failures: why examples have no tree, as `FILE:LINE: REASON`.
        token_count: the number of tokens of all trees.

    Raises:
        InputError: a block is damaged.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self._cache: OrderedDict[int, _Columns] = OrderedDict()
        self._supertags: dict[tuple[str, str], Supertag] = {}
        self.failures: list[str] = []
        counts = []
        self.token_count = 0
        for path in paths:
            with _opened(path) as arrays:
                counts.append(len(arrays["lengths"]))
                self.token_count += int(arrays["lengths"].sum())
                self.failures += _tables(arrays)["failures"]
        self._ends = list(accumulate(counts))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def _columns(self, block: int) -> _Columns:
        found = self._cache.pop(block, None)
        if found is None:
            with _opened(self._paths[block]) as arrays:
                tables = _tables(arrays)
                found = _Columns(
                    arrays["cells"],
                    [0, *np.cumsum(arrays["lengths"]).tolist()],
                    arrays["places"].tolist(),
                    tables["texts"],
                    [(self._supertag(p, t), label) for p, t, label in tables["constants"]],
                )
            while len(self._cache) >= _KEPT:
                self._cache.popitem(last=False)
        self._cache[block] = found
        return found

    def _supertag(self, penman: str, lexical_type: str) -> Supertag:
        key = (penman, lexical_type)
        if key not in self._supertags:
            self._supertags[key] = Supertag(penman, type_from_str(lexical_type))
        return self._supertags[key]

    def rows(self) -> Iterator[Row]:
        """All examples with their trees, in order."""
        for block, _ in enumerate(self._paths):
            columns = self._columns(block)
            yield from map(columns.row, range(len(columns.places)))

    def __iter__(self) -> Iterator[AMTree]:
        return (row.tree for row in self.rows())

    @overload
    def __getitem__(self, number: int) -> AMTree: ...

    @overload
    def __getitem__(self, number: slice) -> list[AMTree]: ...

    def __getitem__(self, number: Any) -> Any:
        numbers = range(len(self))[number]
        if isinstance(numbers, range):
            return [self[i] for i in numbers]
        block = bisect_right(self._ends, numbers)
        before = self._ends[block - 1] if block else 0
        return self._columns(block).row(numbers - before).tree


def is_whole(path: Path) -> bool:
    """Whether a block is there and not damaged."""
    try:
        with _opened(path) as arrays:
            return all(len(arrays[name]) >= 0 for name in arrays.files)
    except InputError:
        return False


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """The arrays of a block, which are checked as they are read."""
    try:
        with path.open("rb") as file, np.load(file) as arrays:
            yield arrays
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(located(f"damaged rows of training ({error})", path=path)) from None


def _tables(arrays: Any) -> Any:
    return json.loads(arrays["tables"].tobytes())


class StoredExamples(Sequence[TrainingExample]):
    """Training examples in an array that is mapped into memory.

    Args:
        path: of what `write_examples` wrote.
    """

    def __init__(self, path: Path) -> None:
        self._cells: NDArray[np.int32] = np.asarray(np.load(path, mmap_mode="r"))
        told = np.load(path.with_suffix(".ends.npy"))
        self._ends: NDArray[np.int64] = told
        self._words: list[str] = json.loads(path.with_suffix(".words.json").read_text("utf-8"))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each."""
        return np.diff(self._ends)

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, number: int) -> TrainingExample: ...

    @overload
    def __getitem__(self, number: slice) -> list[TrainingExample]: ...

    def __getitem__(self, number: Any) -> Any:
        numbers = range(len(self))[number]
        if isinstance(numbers, range):
            return [self[i] for i in numbers]
        return self._of(self._cells[self._ends[numbers] : self._ends[numbers + 1]])

    def __iter__(self) -> Iterator[TrainingExample]:
        for first in range(0, len(self), _AT_ONCE):
            ends = self._ends[first : first + _AT_ONCE + 1].tolist()
            for start, end in pairwise(ends):
                yield self._of(self._cells[start:end])

    def _of(self, cells: NDArray[np.int32]) -> TrainingExample:
        words, supertags, heads, operations = cells.T.tolist()
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
