"""Monotonicity inference (Yanaka et al. 2020): does a hypothesis follow from a premise?

Pair classifiers label pairs of sentences directly. The parser parses both sentences of a pair, and
natural logic compares their forms.
"""

from __future__ import annotations

from amparser.evaluation.benchmark import Benchmark, late

_HERE = "amparser.benchmarks.monotonicity"
CLASSIFIERS = ("pair-lstm", "pair-treelstm", "pair-bert")
"""Names of the systems that label pairs directly."""


MONOTONICITY = Benchmark(
    name="monotonicity",
    examples=("Few small dogs ran.", "No cat that every dog chased escaped."),
    about="premises and hypotheses with quantifiers, such as few dogs ran (Yanaka et al. 2020)",
    notations=("quantified",),
    systems=("amparser", *CLASSIFIERS),
    measure="label",
    read=late(f"{_HERE}.pairs:read_rows"),
    tags=late(f"{_HERE}.pairs:tags_of"),
    answers=late(f"{_HERE}.inference:model_labels"),
    generated=late(f"{_HERE}.corpus:generated_sentences"),
)
