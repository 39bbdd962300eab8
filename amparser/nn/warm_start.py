"""Weights to begin with from a network that learned from almost the same corpus.

Rows that stand for a word or for a tag come from the row of the same word or tag; a word or tag
that the other network does not know keeps its fresh row. Other weights are taken where they have
the same shape.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from amparser.nn.scorer import Ensemble

_WORDS = "encoder.words.weight"
_TAGS = "heads.tags.out."


def begin_with(
    network: Ensemble, tags: Sequence[str], other: Ensemble, other_tags: Sequence[str]
) -> float:
    """Copy weights into a network with fresh ones; returns the share that is copied.

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
    trained = [(n, weight) for n, weight in network.named_parameters() if weight.requires_grad]
    copied = 0
    with torch.no_grad():
        for name, weight in trained:
            old = given.get(name)
            if old is None or weight.shape[1:] != old.shape[1:]:
                continue
            if name.endswith(_WORDS):
                rows = rows_of_words
            elif _TAGS in name and (len(weight), len(old)) == (len(tags), len(other_tags)):
                rows = rows_of_tags
            elif len(weight) == len(old):
                rows = {i: i for i in range(len(weight))}
            else:
                continue
            weight[list(rows)] = old[list(rows.values())].to(weight.device)
            copied += len(rows) * weight[0].numel()
    return copied / sum(weight.numel() for _, weight in trained)


def _places(names: Sequence[str], known: Sequence[str]) -> dict[int, int]:
    """For the number of a name that is known the number that it has there."""
    number_of = {name: number for number, name in enumerate(known)}
    return {i: number_of[name] for i, name in enumerate(names) if name in number_of}
