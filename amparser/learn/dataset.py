"""Gold trees as ids of a lexicon, and as padded arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from amparser.amtree.tree import is_projective
from amparser.errors import AMTreeError
from amparser.learn.batches import IntArray
from amparser.nn.losses import GoldBatch
from amparser.nn.vocabulary import TokenBatch, Vocabulary, capital_bits

_IGNORE = 0
_ROOT = 1


@dataclass(frozen=True, slots=True)
class TrainingExample:
    """A sentence with its AM dependency tree, as ids of a lexicon.

    Attributes:
        tokens: n words.
        supertags: n ids; 0 is the empty supertag of an ignored token.
        heads: n positions (1-based); 0 is the artificial root.
        operations: n ids; 0 is IGNORE and 1 is ROOT, both with head 0.
    """

    tokens: tuple[str, ...]
    supertags: tuple[int, ...]
    heads: tuple[int, ...]
    operations: tuple[int, ...]

    @property
    def projective(self) -> bool:
        """Whether no two edges cross, without ignored tokens."""
        pairs = zip(self.heads, self.operations, strict=True)
        return is_projective([-1 if operation == _IGNORE else head for head, operation in pairs])

    def problem(self, supertag_count: int, operation_count: int) -> str | None:
        """The reason why this is not a tree over such a lexicon, or None."""
        n = len(self.tokens)
        if not n:
            return "no tokens"
        if not n == len(self.supertags) == len(self.heads) == len(self.operations):
            return "supertags, heads and operations are not as many as tokens"
        if self.operations.count(_ROOT) != 1:
            return f"expected one ROOT, found {self.operations.count(_ROOT)}"
        rows = zip(self.supertags, self.heads, self.operations, strict=True)
        for token, (supertag, head, operation) in enumerate(rows, 1):
            where = f"token {token} ({self.tokens[token - 1]})"
            if not 0 <= supertag < supertag_count:
                return f"{where}: supertag {supertag} is not below {supertag_count}"
            if not 0 <= operation < operation_count:
                return f"{where}: operation {operation} is not below {operation_count}"
            if not 0 <= head <= n or head == token:
                return f"{where}: head {head}"
            if (head == 0) != (operation in (_IGNORE, _ROOT)):
                return f"{where}: operation {operation} from head {head}"
            if (supertag == 0) != (operation == _IGNORE):
                return f"{where}: supertag {supertag} with operation {operation}"
            if head and self.operations[head - 1] == _IGNORE:
                return f"{where}: its head {head} is ignored"
        return self._cycle()

    def _cycle(self) -> str | None:
        rooted = {0}
        for token in range(1, len(self.heads) + 1):
            path: list[int] = []
            while token not in rooted:
                if token in path:
                    return f"token {token} ({self.tokens[token - 1]}): its head depends on it"
                path.append(token)
                token = self.heads[token - 1]
            rooted.update(path)
        return None


def check_examples(
    examples: Iterable[TrainingExample], *, supertag_count: int, operation_count: int, name: str
) -> None:
    """Raise AMTreeError for the first example that is not a tree, with its number (from 1)."""
    for number, example in enumerate(examples, 1):
        if problem := example.problem(supertag_count, operation_count):
            raise AMTreeError(f"{name} example {number}: {problem}")


def examples_checksum(*parts: Sequence[TrainingExample]) -> str:
    """A checksum of lists of examples, for telling whether a training can go on with them."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)}\n".encode())
        for e in part:
            digest.update(repr((e.tokens, e.supertags, e.heads, e.operations)).encode())
    return digest.hexdigest()


class Dataset:
    """Examples as flat arrays, from which any batch is padded in a few array operations."""

    def __init__(self, examples: Sequence[TrainingExample], vocabulary: Vocabulary) -> None:
        self.lengths: IntArray = np.array([len(e.tokens) for e in examples], dtype=np.int64)
        self._starts = np.cumsum(self.lengths) - self.lengths
        columns = (
            [i for e in examples for i in vocabulary.ids(e.tokens)],
            [i for e in examples for i in capital_bits(e.tokens)],
            [i for e in examples for i in e.supertags],
            [i for e in examples for i in e.heads],
            [i for e in examples for i in e.operations],
        )
        self._flat: IntArray = np.array(columns, dtype=np.int64).reshape(len(columns), -1)
        self._projective = np.array([e.projective for e in examples], dtype=np.bool_)
        self._sentences = [e.tokens for e in examples]

    def __len__(self) -> int:
        return len(self.lengths)

    def sentences(self, members: IntArray) -> list[tuple[str, ...]]:
        """The tokens of some examples."""
        return [self._sentences[i] for i in members]

    def batch(self, members: IntArray) -> tuple[TokenBatch, GoldBatch]:
        """The sentences and trees of some examples, padded with 0 to the longest."""
        lengths = self.lengths[members]
        positions = np.arange(lengths.max())
        inside = positions < lengths[:, None]
        cells = np.where(inside, self._starts[members, None] + positions, 0)
        padded = torch.from_numpy(np.where(inside, self._flat[:, cells], 0))
        words, capitals, supertags, heads, operations = padded.unbind(0)
        return (
            TokenBatch(words, capitals, torch.from_numpy(lengths)),
            GoldBatch(supertags, heads, operations, torch.from_numpy(self._projective[members])),
        )
