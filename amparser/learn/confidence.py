"""How sure a parser is of an answer: a probability, fitted on sentences that it has not learned.

The probability is that of a logistic regression over figures of the answer, whatever the constants
are. It is fitted on rows of dev or held out of train, as far as there are enough, else on those of
train; and on sentences that are foreign to train: words in no order, of which most are spelled as
none of train. Answers to these are wrong, unless they have the meaning all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from amparser.conditions import Range, Sized

Float = NDArray[np.float64]

_LETTERS = ("bcdfghklmnprstvwz", "aeiou")


@dataclass(frozen=True)
class Confidence:
    """A logistic regression over the figures of an answer (see `figures_of`).

    Attributes:
        names: of the figures.
        mean, scale: what is subtracted from each figure, and what the rest is divided by.
        weights: of the figures.
        bias: added to their sum.
    """

    newer: ClassVar[frozenset[str]] = frozenset({"names"})

    mean: Annotated[Sequence[float], Sized("figure")]
    scale: Annotated[Sequence[Annotated[float, Range(1e-9)]], Sized("figure")]
    weights: Annotated[Sequence[float], Sized("figure")]
    bias: float
    names: Sequence[str] = ("strange", "unknown")

    @classmethod
    def fitted(
        cls, rows: Sequence[Mapping[str, float]], right: Sequence[bool], weights: Float
    ) -> Confidence:
        """The regression that makes right and wrong answers likeliest.

        No figure may make an answer likelier: weights are 0 or less.

        Args:
            rows: the figures of each answer, by the same names.
            right: which of the answers are right; some are and some are not.
            weights: `[answers]`, as how many answers each of them counts.
        """
        names = tuple(rows[0])
        figures = np.array([[row[name] for name in names] for row in rows])
        mean, scale = figures.mean(axis=0), figures.std(axis=0) + 1e-6
        inputs = np.hstack([(figures - mean) / scale, np.ones((len(figures), 1))])
        wanted = np.array(right, dtype=np.float64)
        counts = np.array([len(right) - sum(right), sum(right)], dtype=np.float64)
        # Targets short of 0 and 1 (Platt 1999), as no answer is sure.
        target = np.where(wanted > 0, (counts[1] + 1) / (counts[1] + 2), 1 / (counts[0] + 2))
        # Ridge penalty; the bias has nearly none.
        ridge = np.diag([0.1] * len(mean) + [1e-9])
        most = np.array([0.0] * len(mean) + [np.inf])
        chosen = np.zeros(inputs.shape[1])
        # Most steps of Newton's method.
        for _ in range(100):
            found = _logistic(inputs @ chosen)
            slope = inputs.T @ (weights * (found - target)) + ridge @ chosen
            curve = (inputs * (weights * found * (1 - found))[:, None]).T @ inputs + ridge
            # Weights at their bound stay there if they would rise (Bertsekas 1982).
            free = np.flatnonzero((chosen < most) | (slope > 0))
            step = np.linalg.solve(curve[np.ix_(free, free)], slope[free])
            chosen[free] -= np.clip(step, -1.0, 1.0)
            chosen = np.minimum(chosen, most)
        found = chosen[:-1].tolist()
        return cls(mean.tolist(), scale.tolist(), found, float(chosen[-1]), names)

    def of(self, figures: Mapping[str, float]) -> float:
        """Return the probability that an answer is right."""
        inputs = (np.array([figures[n] for n in self.names]) - self.mean) / np.array(self.scale)
        return float(_logistic(np.array(inputs @ np.array(self.weights) + self.bias)))

    def misfit(self) -> str | None:
        """Return why there is no such figure."""
        known = figures_of(np.zeros(1), 0.0, ("",))
        if len(self.names) == len(self.mean) and set(self.names) <= known.keys():
            return None
        return f": expected names among {', '.join(known)}, one for each mean"


def figures_of(
    certainty: Float,
    logp: float,
    tokens: Sequence[str],
    unknown: Sequence[str] = (),
    ignored: Sequence[str] = (),
    new: int = 0,
) -> dict[str, float]:
    """Return what is strange in an answer: to scorer and search, in its words and in its parts.

    Args:
        certainty: `[n]`, for each token the natural log probability of what was chosen for it.
        logp: the natural log probability of the answer in the search, which knows of trees what
            scorers of tokens do not.
        tokens: the sentence.
        unknown: its tokens that train does not have; see `oov_rate`.
        ignored: its content words without a part in the answer.
        new: how many parts of the answer train lacks (see `amparser.lexicon.attested`).
    """
    lost = np.maximum(-certainty, 0.0)
    # Losses in nats up to which an answer is usual: the mean of all tokens, the largest one, and
    # what a search takes off for the tree.
    strange = (lost.mean() / 1.0, lost.max() / 5.0, (certainty.sum() - logp) / 8.0)
    return {
        "strange": float(sum(np.log(max(one, 1.0)) for one in strange)),
        "unknown": oov_rate(unknown, len(tokens)),
        "search": -logp / len(tokens),
        # Differences of small losses count as much as those of large ones.
        "scorer": float(np.log(lost.sum() + 0.05)),
        "worst": float(np.log(lost.max() + 0.01)),
        "ignored": len(ignored) / len(tokens),
        "new": float(np.log1p(new)),
    }


def oov_rate(unknown: Sequence[str], count: int) -> float:
    """The share of unknown words among so many; numbers are no such words."""
    return sum(not any(map(str.isdigit, word)) for word in unknown) / count


def foreign_to(sentences: Sequence[Sequence[str]], seed: int = 0) -> list[tuple[str, ...]]:
    """As many sentences of the same lengths which nobody would say in this language.

    In each, a share of words between none and all are of other letters, and all are in disorder;
    where no word is strange, they come from any sentences. Capitals and a last sign stay where they
    are.
    """
    random = Random(seed)
    words = [word for sentence in sentences for word in sentence]
    found = []
    for sentence in sentences:
        share = 0.0 if random.random() < 0.1 else random.uniform(0.3, 1.0)
        last = tuple(sentence[-1:]) if len(sentence) > 1 and not sentence[-1].isalnum() else ()
        given = sentence[: len(sentence) - len(last)]
        drawn = random.choices(words, k=len(given)) if share < 0.3 else list(given)
        random.shuffle(drawn)
        made = [_strange(w, random) if random.random() < share else w for w in drawn]
        pairs = zip(made, given, strict=True)
        found.append((*(_capital(word, like=other) for word, other in pairs), *last))
    return found


def _capital(word: str, like: str) -> str:
    """A word with a capital if another has one."""
    first = word[:1].upper() if like[:1].isupper() else word[:1].lower()
    return first + word[1:]


def _strange(word: str, random: Random) -> str:
    """A word of other letters and about the same length, but for its ending; a sign as it is."""
    if not word.isalpha():
        return word
    length = max(1, len(word) + random.randint(-3, 0))
    return "".join(random.choice(_LETTERS[i % 2]) for i in range(length)) + word[-2:]


def _logistic(values: Float) -> Float:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -40.0, 40.0))))
