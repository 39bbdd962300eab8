"""Warm start: initial weights from a network trained on a similar corpus.

Words and tags that both networks have get the weights of the trained network. All other weights are
copied if their shapes are equal.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from amparser.nn.scorer import Ensemble
from amparser.nn.vocabulary import PADDING, UNKNOWN

_WORDS = "encoder.words.weight"
_TAGS = "heads.tags.out."


def begin_with(
    network: Ensemble, tags: Sequence[str], other: Ensemble, other_tags: Sequence[str]
) -> float:
    """Copy weights into an untrained network; return the share of its weights that were copied.

    Args:
        network: the untrained network.
        tags: tags of the untrained network.
        other: the trained network; members without a counterpart are ignored.
        other_tags: tags of the trained network.
    """
    words, known = network.encoder.vocabulary, other.encoder.vocabulary
    shared = [word for word in words.words if word in known]
    rows_of_words = {PADDING: PADDING, UNKNOWN: UNKNOWN}
    rows_of_words |= zip(words.ids(shared), known.ids(shared), strict=True)
    number_of = {tag: number for number, tag in enumerate(other_tags)}
    rows_of_tags = {i: number_of[tag] for i, tag in enumerate(tags) if tag in number_of}
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
            weight[list(rows)] = old[list(rows.values())]
            copied += len(rows) * weight[0].numel()
    return copied / sum(weight.numel() for _, weight in trained)
