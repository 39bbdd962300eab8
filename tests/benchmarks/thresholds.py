"""How often one half of a training set breaks what the other half rules out.

    python tests/benchmarks/thresholds.py ../shared/data/slog/cogs_lf/train.tsv.gz

For random subsets of the rows and several thresholds: the share of sentences of
one half whose gold tree has something that a lexicon of the other half rules
out. Training reads the thresholds off in the same way (`amparser.lexicon.thresholds`).
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

from amparser.corpora.corpus import Corpus
from amparser.corpora.reading import read_examples
from amparser.learn.decomposition import Source, decomposed
from amparser.learn.parser_settings import RESTRICTIONS
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.restrictions import Restrictions
from amparser.lexicon.thresholds import broken

# Share of the rows, and how many random subsets of that size.
SUBSETS = ((0.01, 20), (0.03, 8), (0.1, 4), (1.0, 1))
THRESHOLDS = (5, 10, 20, 40)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("train", type=Path)
    path = parser.parse_args().train
    corpus = Corpus(read_examples(path), (), "cogs", places={"train": str(path)})
    found, _, _ = decomposed(corpus.train, Source.of(corpus, "train"))
    trees = [tree for tree in found if tree is not None]
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
