"""Exchange of arguments with the same term type."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import inf
from random import Random

from amparser.algebra.derivation import bottom_up
from amparser.algebra.type_table import TypeTable
from amparser.induction.augmentation.exchange import Augmentation, Constituent, Splice, constituents
from amparser.lexicon.encoded import Targets
from amparser.lexicon.lexicon import Lexicon

WordClass = tuple[int, str]
"""Class of a word: its supertag, and the word itself if its constant has no lexical label."""

Context = tuple[int, bool, WordClass]
"""Operation of an argument, whether it precedes its head, and the head's class."""


class TypeAugmentation(Augmentation[Targets]):
    """Exchange of arguments with the same term type.

    In addition, the class of the new argument (`WordClass` of its head word) must occur in training
    in the same context: with the same operation, on the same side of a head of the same class. An
    ignored word before a constituent moves with it if this word precedes most training constituents
    that begin with the same supertag.
    """

    longest = inf

    def __init__(self, trees: Sequence[Targets], lexicon: Lexicon) -> None:
        super().__init__(trees)
        self._templates = lexicon.templates
        is_argument = (lexicon.table.rest.max(axis=0) >= 0).tolist()
        arguments = [list(_arguments(tree, is_argument)) for tree in trees]
        belonging = _belonging(trees, arguments)
        by_class = defaultdict[tuple[int, WordClass], list[tuple[Targets, Constituent]]](list)
        seen: dict[Context, set[WordClass]] = defaultdict(set)
        places: dict[tuple[int, Context], int] = {}
        self._places: dict[Targets, dict[Constituent, int]] = {}
        for tree, parts in zip(trees, arguments, strict=True):
            types = term_type_indices(tree, lexicon.table) if parts else []
            sites = self._places[tree] = {}
            for part in parts:
                if (term_type := types[part.head]) < 0:
                    continue
                own, above = self._class(tree, part.head), tree.heads[part.head] - 1
                context = tree.operations[part.head], part.head < above, self._class(tree, above)
                seen[context].add(own)
                part = part._replace(first=part.first - (_before(tree, part) in belonging))
                by_class[term_type, own].append((tree, part))
                sites[part] = places.setdefault((term_type, context), len(places))
        self._donors = [
            [by_class[part_type, k] for k in sorted(seen[context]) if (part_type, k) in by_class]
            for part_type, context in places
        ]

    def _class(self, tree: Targets, token: int) -> WordClass:
        k = tree.tags[token]
        return k, tree.tokens[token].lower() if self._templates[k] is None else ""

    def sites(self, sample: Targets) -> list[Constituent]:
        """Return the arguments whose tokens are contiguous."""
        return list(self._places[sample])

    def donor(
        self, sample: Targets, site: Constituent, random: Random
    ) -> tuple[Targets, Constituent]:
        """Draw an argument that may replace `site` (see the class's docstring)."""
        pools = self._donors[self._places[sample][site]]
        at = random.randrange(sum(map(len, pools)))
        for pool in pools:
            if at < len(pool):
                break
            at -= len(pool)
        return pool[at]

    def replaced(self, old: Targets, new: Targets, splice: Splice) -> Targets:
        """Implement `Augmentation.replaced`."""
        heads = splice.heads([h - 1 for h in old.heads], [h - 1 for h in new.heads])
        return Targets(
            splice.words(old.tokens, new.tokens, self._lower),
            splice.row(old.tags, new.tags),
            tuple(head + 1 for head in heads),
            splice.placed(old.operations, new.operations),
        )


def _arguments(tree: Targets, is_argument: Sequence[bool]) -> Iterator[Constituent]:
    owners = [token if o > 0 else -1 for token, o in enumerate(tree.operations)]
    for part in constituents([head - 1 for head in tree.heads], owners):
        if (o := tree.operations[part.head]) > 1 and is_argument[o]:
            yield part


def _belonging(
    trees: Sequence[Targets], arguments: Sequence[Sequence[Constituent]]
) -> set[tuple[int, str] | None]:
    """Return pairs (first supertag of a constituent, ignored word before it) that move together."""
    starts: Counter[int] = Counter()
    before: Counter[tuple[int, str]] = Counter()
    for tree, parts in zip(trees, arguments, strict=True):
        for part in {part.first: part for part in parts}.values():
            starts[tree.tags[part.first]] += 1
            if (pair := _before(tree, part)) is not None:
                before[pair] += 1
    return {pair for pair, count in before.items() if 2 * count > starts[pair[0]]}


def _before(tree: Targets, part: Constituent) -> tuple[int, str] | None:
    first = part.first
    if first == 0 or tree.tags[first - 1] != 0:
        return None
    return tree.tags[first], tree.tokens[first - 1].lower()


def term_type_indices(tree: Targets, table: TypeTable) -> list[int]:
    """Return the term type of each token's subtree as an index into the table; -1 if undefined."""
    types = [int(table.lexical_type[k]) for k in tree.tags]
    children: list[list[int]] = [[] for _ in types]
    for token, (head, operation) in enumerate(zip(tree.heads, tree.operations, strict=True)):
        if operation > 1:
            children[head - 1].append(token)
    for token in bottom_up(children, [t for t, o in enumerate(tree.operations) if o == 1]):
        waiting = list(children[token])
        while waiting and types[token] >= 0:
            # Apply one child that fits the current type; `combine` is -1 if a child does not fit.
            results = [table.combine[types[token], types[c], tree.operations[c]] for c in waiting]
            types[token] = int(max(results))
            waiting.pop(results.index(types[token]))
    return types
