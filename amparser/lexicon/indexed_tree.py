"""AM dependency trees as ids of a lexicon."""

from __future__ import annotations

from dataclasses import dataclass

from amparser.algebra.derivation import is_projective

_IGNORE, _ROOT = range(2)


@dataclass(frozen=True, slots=True)
class IndexedTree:
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
