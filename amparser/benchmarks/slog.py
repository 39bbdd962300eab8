"""SLOG (Li et al. 2023): 17 types of structural generalization.

The files of each notation are in a folder: `cogs_lf/train.tsv`, `varfree_lf/train.tsv`.
"""

from __future__ import annotations

from pathlib import Path

from amparser.benchmarks.generate import SETTINGS, GrammarCorpus
from amparser.evaluation.benchmark import Benchmark

CORPUS = GrammarCorpus("slog", {"cogs": "cogs_lf/{split}.tsv", "varfree": "varfree_lf/{split}.tsv"})


def _files(folder: Path, notation: str) -> dict[str, Path]:
    from amparser.corpora.splits import split_files

    return split_files(folder, notation or SLOG.notations[0])


SLOG = Benchmark(
    name="slog",
    examples=(
        "Who did Emma give a cake to?",
        "A cat saw the dog that Liam said that Emma liked.",
        "The girl was sent a box.",
    ),
    about="people and animals that give, see and want things; questions (Li et al. 2023)",
    notations=("cogs", "varfree"),
    systems=("amparser", "transformer", "lstm", "bilstm", "gru", "t5", "llama"),
    settings=SETTINGS,
    measure="reformatted",
    files=_files,
    generate=CORPUS.generate,
    generated=CORPUS.generated,
)
