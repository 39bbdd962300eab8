"""Training data of the packaged monotonicity parser: sentences with variable-free formulas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from amparser.benchmarks.fragments import vf
from amparser.benchmarks.generate import OnRows, cached, corpus_files, write_card
from amparser.benchmarks.monotonicity.reading import fragment, joined
from amparser.grammar.generation import MAX_REPEATS, exhausted
from amparser.notations.quantified_graph import ordered

NAME = "monotonicity"
FILE = "train.quantified.tsv"
COUNT = 20_000
"""Number of sentences in the training data."""


class FormRow(NamedTuple):
    """Row of the parser's training data.

    Attributes:
        sentence: tokens with multi-word expressions joined.
        depth: depth of the sentence, D1 to D5.
    """

    sentence: str
    form: str
    depth: str


def drawn_sentences(depths: Sequence[int], count: int, seed: int) -> list[FormRow]:
    """Draw distinct sentences in random order, with equal numbers for each depth.

    Raises GrammarError if the grammar has too few sentences.
    """
    library = fragment()
    plan = library.plan()
    rows: dict[str, FormRow] = {}
    for number, depth in enumerate(depths, 1):
        sentence_type = plan.type_of(f"D{depth}")
        random = Random(f"{seed} forms {depth}")
        repeated = 0
        while len(rows) < count * number // len(depths):
            derivation = sentence_type.sample(random)
            words = " ".join(joined(library.tokens(derivation))[0])
            repeated = repeated + 1 if words in rows else 0
            if repeated > MAX_REPEATS:
                raise exhausted(sentence_type.name, count)
            if not repeated:
                rows[words] = FormRow(words, str(ordered(vf(derivation))), sentence_type.name)
    shuffled = list(rows.values())
    Random(f"{seed} forms").shuffle(shuffled)
    return shuffled


def generated_sentences(
    *,
    seed: int = 0,
    notice: Callable[[str], None] | None = None,
    on_progress: OnRows | None = None,
) -> Path:
    """Return the folder of the parser's training data; the first call generates it.

    The sentences are drawn from the whole grammar and have depth 1 or 2.
    """

    def make(folder: Path) -> None:
        with corpus_files(folder, [FILE], NAME) as write:
            for row in (rows := drawn_sentences((1, 2), COUNT, seed)):
                write(FILE, row)
        if on_progress is not None:
            on_progress(len(rows))
        depths = Counter(row.depth for row in rows)
        write_card(folder, [FILE], fragment(), NAME, None, seed, {"train": depths})

    return cached(f"monotonicity-forms-{seed}", fragment(), make, notice, title=NAME)
