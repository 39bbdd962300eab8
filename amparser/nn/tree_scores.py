"""Scores of supertags, heads and operations, as decoders read them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from amparser.decode.scores import Scores
from amparser.nn.scorer import Ensemble


@torch.inference_mode()
def tree_scores(network: Ensemble, sentences: Sequence[Sequence[str]]) -> list[Scores]:
    """Score tokenised sentences in batches of similar length; results in input order.

    The result of a sentence of n tokens takes O(n^2 O) memory. Dropout is off.

    Raises:
        InputError: the encoder cannot take a sentence.
    """
    tag_count, operation_count = network.needs.tags.count, network.needs.arcs.operations
    nothing = Scores(
        np.zeros((0, tag_count), np.float32), np.zeros((0, 1, operation_count), np.float32)
    )
    scores = [nothing] * len(sentences)
    was_training = network.training
    network.eval()
    try:
        for members in network.batches(map(len, sentences)):
            readings = network.read([sentences[i] for i in members])
            tags, edges = readings.tags(), readings.edges()
            for row, i in enumerate(members):
                n = len(sentences[i])
                scores[i] = Scores(
                    np.ascontiguousarray(tags[row, :n]),
                    np.ascontiguousarray(edges[row, :n, : n + 1]),
                )
    finally:
        network.train(was_training)
    return scores
