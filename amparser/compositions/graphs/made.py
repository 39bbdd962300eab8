"""Rows that are made of those of train: texts of several sentences, and recombined sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from random import Random

from amparser.compositions.settings import GraphDataSettings
from amparser.induction.graph_recombination import Recombination
from amparser.induction.texts import Joint, drawn, final_words, joined, joint_of
from amparser.lexicon.analysis import Row


def made_of(rows: Sequence[Row], settings: GraphDataSettings) -> tuple[list[Row], list[str]]:
    """What is learned from besides, made of the rows of each language, and remarks on it."""
    texts: list[Row] = []
    recombined: list[Row] = []
    for language in sorted({row.language for row in rows}):
        of = [row for row in rows if row.language == language and not row.early]
        texts += _texts(of, round(settings.texts * len(of)))
        if count := round(settings.recombined * len(of)):
            recombined += Recombination(of).drawn(count, Random(0))
    remarks = [f"{len(texts)} texts made of sentences of train"] if texts else []
    if recombined:
        remarks.append(f"{len(recombined)} sentences made of constituents of train")
    return [*texts, *recombined], remarks


def _texts(rows: Sequence[Row], count: int) -> list[Row]:
    """So many texts of several sentences, if train shows how texts are joined."""
    sentences = [(row.tokens, row.analysis) for row in rows]
    final = final_words(row.tokens for row in rows)
    joint = joint_of(sentences, final)
    if joint is None:
        return []
    return [
        reduce(lambda text, row: _followed(text, row, joint), (rows[i] for i in text))
        for text in drawn(sentences, final, count)
    ]


def _followed(first: Row, second: Row, joint: Joint) -> Row:
    """A text of two rows."""
    shift = first.units[-1].token + 1
    behind = (replace(unit, token=unit.token + shift) for unit in second.units)
    both = zip(first.auxiliary, second.auxiliary, strict=True)
    return Row(
        (*first.units, *behind),
        joined(first.analysis, second.analysis, joint),
        tuple(a + b for a, b in both),
        first.language,
    )
