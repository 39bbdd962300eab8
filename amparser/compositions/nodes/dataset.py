"""Gold trees as ids of a lexicon, and as padded tensors."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from amparser.constants.tree import is_projective
from amparser.errors import AMTreeError
from amparser.induction.typed_exchange import IndexedTree
from amparser.nn.heads.head import IGNORED, Gold

_IGNORE = 0
_ROOT = 1


@dataclass(frozen=True, slots=True)
class TrainingExample(IndexedTree):
    """A tree that a parser learns from."""

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
    examples: Iterable[TrainingExample], supertag_count: int, operation_count: int, *, name: str
) -> None:
    """Raise AMTreeError for the first example that is not a tree, with its number (from 1)."""
    for number, example in enumerate(examples, 1):
        if problem := example.problem(supertag_count, operation_count):
            raise AMTreeError(f"{name} example {number}: {problem}")


def examples_checksum(*parts: Sequence[object]) -> str:
    """A checksum of lists of examples, for telling whether a training can go on with them."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)}\n".encode())
        for example in part:
            digest.update(repr(example).encode())
    return digest.hexdigest()


def gold_of(examples: Sequence[TrainingExample]) -> Gold:
    """The trees of examples, padded to the longest."""

    def padded(rows: Sequence[tuple[int, ...]]) -> Tensor:
        return pad_sequence(list(map(torch.tensor, rows)), True, IGNORED)

    return Gold(
        tags=padded([example.supertags for example in examples]),
        heads=padded([example.heads for example in examples]),
        operations=padded([example.operations for example in examples]),
        projective=torch.tensor([example.projective for example in examples]),
    )
