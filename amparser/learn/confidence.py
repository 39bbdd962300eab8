"""How sure a parser is of an answer: a probability, fitted on sentences that it has not learned.

The probability is that of a logistic regression over a few figures of the answer, whatever the
constants are. It is fitted on rows of dev, or held out of train, as far as there are enough, else
on those of train; and on sentences that are foreign to train: words in no order, of which most are
spelled as none of train. Answers to these are wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from amparser.conditions import Range, Sized

Float = NDArray[np.float64]

FIGURE_COUNT = 4
"""How many figures `figures_of` gives."""
_SURE = 4.0
"""Smaller losses in nats hardly count: those of new combinations are larger than those of rows
that are like train, and yet are right as often."""
_RIDGE = 0.1
_STEPS = 50
_UNLIKELY = np.log(0.5)


@dataclass(frozen=True)
class Confidence:
    """A logistic regression over the figures of an answer (see `figures_of`).

    Attributes:
        mean, scale: what is subtracted from each figure, and what the rest is divided by.
        weights: of the figures.
        bias: added to their sum.
    """

    mean: Annotated[Sequence[float], Sized("figure")]
    scale: Annotated[Sequence[Annotated[float, Range(1e-9)]], Sized("figure")]
    weights: Annotated[Sequence[float], Sized("figure")]
    bias: float

    @classmethod
    def fitted(cls, figures: Float, right: Sequence[bool]) -> Confidence:
        """The regression that makes right and wrong answers likeliest, each half of all.

        Args:
            figures: `[answers, figures]`.
            right: which of the answers are right; some are and some are not.
        """
        mean, scale = figures.mean(axis=0), figures.std(axis=0) + 1e-6
        inputs = np.hstack([(figures - mean) / scale, np.ones((len(figures), 1))])
        wanted = np.array(right, dtype=np.float64)
        counts = np.array([len(right) - sum(right), sum(right)], dtype=np.float64)
        share = 0.5 * len(right) / counts[wanted.astype(int)]
        # Targets short of 0 and 1 (Platt 1999), as no answer is sure.
        target = np.where(wanted > 0, (counts[1] + 1) / (counts[1] + 2), 1 / (counts[0] + 2))
        ridge = _RIDGE * np.diag([1.0] * len(mean) + [0.0])
        weights = np.zeros(inputs.shape[1])
        for _ in range(_STEPS):
            found = _logistic(inputs @ weights)
            slope = inputs.T @ (share * (found - target)) + ridge @ weights
            curve = (inputs * (share * found * (1 - found))[:, None]).T @ inputs
            step = np.linalg.solve(curve + ridge + 1e-9 * np.eye(len(weights)), slope)
            weights -= np.clip(step, -1.0, 1.0)
        return cls(mean.tolist(), scale.tolist(), weights[:-1].tolist(), float(weights[-1]))

    def of(self, figures: Float) -> float:
        """The probability that an answer with these figures is right."""
        inputs = (figures - np.array(self.mean)) / np.array(self.scale)
        return float(_logistic(np.array(inputs @ np.array(self.weights) + self.bias)))

    def misfit(self) -> str | None:
        """Another number of figures."""
        return None if len(self.mean) == FIGURE_COUNT else f": expected {FIGURE_COUNT} figures"


def figures_of(certainty: Float, unknown: float) -> Float:
    """What is known of an answer.

    Args:
        certainty: `[n]`, for each token the natural log probability of what was chosen for it.
        unknown: the share of tokens that train does not have.
    """
    losses = np.maximum(-certainty, 0.0)
    return np.array(
        [
            np.log(losses.mean() + _SURE),
            np.log(losses.max() + _SURE),
            (certainty < _UNLIKELY).mean(),
            unknown,
        ]
    )


def foreign_to(sentences: Sequence[Sequence[str]], seed: int = 0) -> list[tuple[str, ...]]:
    """As many sentences of the same lengths which nobody would say in this language.

    In each, a share of words between none and all is spelled as other words are, and all are in
    disorder; where no word is strange, they come from any sentences.
    """
    random = Random(seed)
    words = [word for sentence in sentences for word in sentence]
    found = []
    for sentence in sentences:
        share = random.choice((0.0, 0.4, 0.6, 0.8, 1.0))
        drawn = random.choices(words, k=len(sentence)) if share < 0.5 else list(sentence)
        random.shuffle(drawn)
        found.append(
            tuple(_strange(word, random) if random.random() < share else word for word in drawn)
        )
    return found


def _strange(word: str, random: Random) -> str:
    """A word of the same letters in another order, but for its ending."""
    letters = list(word[:-2] or word)
    random.shuffle(letters)
    return "".join(letters) + random.choice("aeiou") + word[-2:]


def _logistic(values: Float) -> Float:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -40.0, 40.0))))
