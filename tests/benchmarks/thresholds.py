"""How often one half of a training set breaks what the other half rules out.

    python tests/benchmarks/thresholds.py ../shared/data/slog/cogs_lf/train.tsv.gz

For random subsets of the rows and several thresholds: the share of sentences of
one half whose gold tree has something that a lexicon of the other half rules
out. What the settings say was read off here, on train alone: `lexicon.word_count`
is the least of these with less than 0.2 % at every size, and
`lexicon.supertag_count` twice as much as enough for all the rest.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
from rich.console import Console
from rich.table import Table

from amparser.amtree.tree import AMTree
from amparser.corpora.corpus import Corpus
from amparser.corpora.reading import read_examples
from amparser.learn.gold_trees import decomposed
from amparser.learn.parser_settings import RESTRICTIONS
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.restrictions import Restrictions

# Share of the rows, and how many random subsets of that size.
SUBSETS = ((0.01, 20), (0.03, 8), (0.1, 4), (1.0, 1))
THRESHOLDS = (5, 10, 20, 40)


def broken(rules: Restrictions, tree: AMTree) -> set[str]:
    """What a gold tree has that the restrictions rule out."""
    found: set[str] = set()
    encoded = rules.lexicon.encode(tree)
    if encoded is None:
        return found
    below: dict[tuple[int, int], list[int]] = {}
    before = None
    heads_allowed = rules.heads([entry.form for entry in tree.entries])
    for token, (entry, k, head, o) in enumerate(zip(tree.entries, *encoded, strict=True), 1):
        known_logp = rules.word(entry.form)
        if known_logp is not None and known_logp[k] == -np.inf:
            found.add("words")
        if not rules.allowed_after(before)[k]:
            found.add("followers")
        if not rules.fills[k, o]:
            found.add("markers")
        if head and heads_allowed is not None and not heads_allowed[token - 1, head - 1]:
            found.add("bare_forms")
        if head:
            side = int(token > head)
            if not rules.side_allowed[k, side, o]:
                found.add("sides")
            below.setdefault((head, side), []).append(o)
        before = entry.form
    for (_, side), operations in below.items():
        near_first = operations if side else operations[::-1]
        for i, near in enumerate(near_first):
            if any(rules.table.nearer[side, far, near] for far in near_first[i + 1 :]):
                found.add("orders")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("train", type=Path)
    path = parser.parse_args().train
    corpus = Corpus(read_examples(path), (), "cogs", places={"train": str(path)})
    trees = [tree for tree in decomposed(corpus.train, corpus)[0] if tree is not None]
    kinds = tuple(kind for kind in RESTRICTIONS if kind != "displaced")
    table = Table("train", "threshold", "sentences", *kinds, title="% of sentences")
    for share, repeats in SUBSETS:
        for threshold in THRESHOLDS:
            totals: Counter[str] = Counter()
            for repeat in range(repeats):
                chosen = Random(f"{share} {repeat}").sample(trees, math.ceil(share * len(trees)))
                half = len(chosen) // 2
                lexicon = Lexicon.from_trees(chosen[:half], polymorphic=True)
                rules = Restrictions(lexicon, threshold, threshold)
                for tree in chosen[half:]:
                    totals.update(broken(rules, tree))
                totals["sentences"] += len(chosen) - half
            count = totals["sentences"]
            row = (f"{100 * totals[kind] / count:.2f}" for kind in kinds)
            table.add_row(f"{100 * share:g} %", str(threshold), f"{count:,}", *row)
    Console().print(table)


if __name__ == "__main__":
    main()
