"""SyGNS (Yanaka et al. 2021): systematicity and productivity with quantifiers and negation.

Each of its corpora (variants) has files for each notation: `train.fol.tsv`, `train.vf.tsv`,
`train.clf.tsv`.
"""

from __future__ import annotations

from amparser.benchmarks.generate import GrammarCorpus
from amparser.benchmarks.sygns.tags import phenomena, tags_of
from amparser.evaluation.benchmark import Benchmark
from amparser.grammar.generation import Row


def _tag(row: Row) -> str:
    return phenomena(row.derivation, depth="depth" in row.kind)


CORPUS = GrammarCorpus(
    "sygns", {notation: f"{{split}}.{notation}.tsv" for notation in ("fol", "vf", "clf")}, _tag
)

SYGNS = Benchmark(
    name="sygns",
    about="quantifiers, modifiers, negation and their nesting (Yanaka et al. 2021)",
    notations=("fol", "vf", "clf"),
    systems=("amparser", "transformer", "gru"),
    tags=tags_of,
    tables={"classes": "amparser.benchmarks.tables:classes_table"},
    generate=CORPUS.generate,
    generated=CORPUS.generated,
    variants=(
        "comp_all",
        "comp_every",
        "comp_one",
        "comp_two",
        "compneg_every",
        "compneg_one",
        "compneg_two",
        "depth",
        "embed",
    ),
)
