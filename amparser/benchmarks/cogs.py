"""COGS (Kim & Linzen 2020): 21 types of lexical and structural generalization."""

from __future__ import annotations

from amparser.benchmarks.generate import SETTINGS, GrammarCorpus
from amparser.evaluation.benchmark import Benchmark

CORPUS = GrammarCorpus("cogs", {"cogs": "{split}.tsv"})

COGS = Benchmark(
    name="cogs",
    about="lexical and structural generalization (Kim and Linzen 2020)",
    notations=("cogs", "varfree"),
    systems=("amparser", "transformer", "lstm", "bilstm", "gru", "t5", "llama"),
    settings=SETTINGS,
    generate=CORPUS.generate,
    generated=CORPUS.generated,
)
