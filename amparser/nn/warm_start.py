"""Weights to begin with from a network that learned from almost the same corpus.

Rows that stand for a word or for a tag come from the row of the same word or tag; a word or tag
that the other network does not know keeps its fresh row. Other weights are taken where they have
the same shape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from amparser.nn.scorer import Ensemble

_WORDS = "encoder.words.weight"
_TAGS = "heads.tags.out."


def begin_with(
    network: Ensemble, tags: Sequence[str], other: Ensemble, other_tags: Sequence[str]
) -> None:
    """Copy weights into a network with fresh ones.

    Args:
        network: whose trained weights change.
        tags: what each of its tags is called.
        other, other_tags: the same of the network to begin with; of several members the first
            ones are taken.
    """
    words, known = (one.encoder.vocabulary.words for one in (network, other))
    # Two rows before those of words are padding and the unknown word.
    rows_of_words = {0: 0, 1: 1} | {i + 2: j + 2 for i, j in _places(words, known).items()}
    rows_of_tags = _places(tags, other_tags)
    given = other.state_dict()
    with torch.no_grad():
        for name, weight in network.named_parameters():
            old = given.get(name)
            if old is None or not weight.requires_grad:
                continue
            if name.endswith(_WORDS):
                _take(weight, old, rows_of_words)
            elif _TAGS in name and (len(weight), len(old)) == (len(tags), len(other_tags)):
                _take(weight, old, rows_of_tags)
            elif weight.shape == old.shape:
                weight.copy_(old)


def _places(names: Sequence[str], known: Sequence[str]) -> Mapping[int, int]:
    """For the number of a name that is known the number that it has there."""
    number_of = {name: number for number, name in enumerate(known)}
    return {i: number_of[name] for i, name in enumerate(names) if name in number_of}


def _take(weight: Tensor, old: Tensor, rows: Mapping[int, int]) -> None:
    """Copy rows, if these have the same shape."""
    if weight.shape[1:] == old.shape[1:]:
        weight[list(rows)] = old[list(rows.values())].to(weight.device)
