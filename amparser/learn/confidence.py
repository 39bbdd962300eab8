"""Confidence of a parser: an estimate of the probability that an answer is correct.

The probability is a logistic regression over features of the answer. It is fitted on answers to
sentences of dev and held-out sentences of train; if these are too few, any sentences of train are
used. It is also fitted on answers to out-of-domain sentences, which consist of shuffled, mostly
made-up words; such answers count as wrong unless their meaning happens to be correct.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from amparser.conditions import Range, Sized
from amparser.lexicon.local_shapes import KINDS

Float = NDArray[np.float64]

_LETTERS = ("bcdfghklmnprstvwz", "aeiou")


@dataclass(frozen=True)
class Confidence:
    """Logistic regression over the features of an answer (see `figures_of`).

    Attributes:
        penalties: penalty in nats for each kind of part (`amparser.lexicon.local_shapes.KINDS`). It
            is subtracted from the log-probability of an answer with parts of this kind that
            train lacks.
    """

    newer: ClassVar[frozenset[str]] = frozenset({"names", "penalties"})

    mean: Annotated[Sequence[float], Sized("figure")]
    scale: Annotated[Sequence[Annotated[float, Range(1e-9)]], Sized("figure")]
    weights: Annotated[Sequence[float], Sized("figure")]
    bias: float
    names: Sequence[str] = ("strange", "unknown")
    penalties: Mapping[str, Annotated[float, Range(0)]] = field(default_factory=dict)

    @classmethod
    def fitted(
        cls,
        rows: Sequence[Mapping[str, float]],
        right: Sequence[bool],
        weights: Float,
        penalties: Mapping[str, float] | None = None,
    ) -> Confidence:
        """Return the maximum-likelihood regression whose weights are at most 0.

        Features can therefore only decrease the probability.

        Args:
            rows: features of the answers.
            right: whether each answer is correct; there must be both correct and wrong answers.
            weights: `[answers]`, weight of each answer.
            penalties: penalty of each kind of new parts.
        """
        names = tuple(rows[0])
        figures = np.array([[row[name] for name in names] for row in rows])
        mean, scale = figures.mean(axis=0), figures.std(axis=0) + 1e-6
        inputs = np.hstack([(figures - mean) / scale, np.ones((len(figures), 1))])
        wanted = np.array(right, dtype=np.float64)
        counts = np.array([len(right) - sum(right), sum(right)], dtype=np.float64)
        # The targets are not exactly 0 and 1 (Platt 1999), because no answer is certain.
        target = np.where(wanted > 0, (counts[1] + 1) / (counts[1] + 2), 1 / (counts[0] + 2))
        # Ridge penalty of the weights; almost none for the bias.
        ridge = np.diag([0.1] * len(mean) + [1e-9])
        most = np.array([0.0] * len(mean) + [np.inf])
        chosen = np.zeros(inputs.shape[1])
        # Newton's method, with at most 100 steps.
        for _ in range(100):
            found = _logistic(inputs @ chosen)
            slope = inputs.T @ (weights * (found - target)) + ridge @ chosen
            curve = (inputs * (weights * found * (1 - found))[:, None]).T @ inputs + ridge
            # Weights at their maximum stay there if the gradient would increase them (Bertsekas
            # 1982).
            free = np.flatnonzero((chosen < most) | (slope > 0))
            step = np.linalg.solve(curve[np.ix_(free, free)], slope[free])
            chosen[free] -= np.clip(step, -1.0, 1.0)
            chosen = np.minimum(chosen, most)
        fitted = chosen[:-1].tolist(), float(chosen[-1])
        return cls(mean.tolist(), scale.tolist(), *fitted, names, penalties or {})

    def of(self, figures: Mapping[str, float]) -> float:
        """Return the probability that an answer is correct."""
        inputs = (np.array([figures[n] for n in self.names]) - self.mean) / np.array(self.scale)
        return float(_logistic(np.array(inputs @ np.array(self.weights) + self.bias)))

    def misfit(self) -> str | None:
        """Return why the fields are invalid, as the end of a message; None if they are valid."""
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
    new: Mapping[str, int] | None = None,
    loss: float = 0.0,
) -> dict[str, float]:
    """Return features of an answer that indicate errors.

    Args:
        certainty: `[n]`, the scorer's log-probability (natural log) of the choice for each token.
        logp: the search's log-probability (natural log) of the answer, which also scores
            combinations of choices.
        tokens: the sentence.
        unknown: tokens of the sentence that do not occur in train; see `oov_rate`.
        ignored: content words of the sentence that the answer ignores.
        new: number of parts of the answer that train lacks, by kind (see
            `amparser.lexicon.local_shapes`).
        loss: loss of the answer's parts in nats (see `Reranker.loss`).
    """
    lost = np.maximum(-certainty, 0.0)
    # Three losses in nats: mean per token, largest of a token, and loss by the search. Each is
    # divided by a value that is large for it.
    strange = (lost.mean() / 1.0, lost.max() / 5.0, (certainty.sum() - logp) / 8.0)
    return {
        "strange": float(sum(np.log(max(one, 1.0)) for one in strange)),
        "unknown": oov_rate(unknown, len(tokens)),
        "search": -logp / len(tokens),
        # On a log scale, relative differences count: small losses matter as much as large ones.
        "scorer": float(np.log(lost.sum() + 0.05)),
        "worst": float(np.log(lost.max() + 0.01)),
        "ignored": len(ignored) / len(tokens),
        "parts": loss,
        **{kind: float(np.log1p((new or {}).get(kind, 0))) for kind in KINDS},
    }


def oov_rate(unknown: Sequence[str], count: int) -> float:
    """Return the share of unknown words among `count` tokens; words with digits count as known."""
    return sum(not any(map(str.isdigit, word)) for word in unknown) / count


def penalty_of(
    rows: Sequence[Mapping[str, float]], right: Sequence[bool], name: str = "new"
) -> float:
    """Return log(P(new parts | wrong) / P(new parts | right)) (natural log), at least 0.

    Both probabilities are smoothed by two pseudo-answers, which have new parts as often as all
    answers together.

    Args:
        rows: features of answers to sentences that are not in train.
        right: whether each answer is correct.
        name: feature that counts the new parts.
    """
    new = np.array([row[name] > 0 for row in rows])
    if not new.any():
        return 0.0
    wanted = np.array(right)
    given_wrong, given_right = (
        (new[some].sum() + 2 * new.mean()) / (some.sum() + 2) for some in (~wanted, wanted)
    )
    return max(0.0, float(np.log(given_wrong / given_right)))


def foreign_to(sentences: Sequence[Sequence[str]], seed: int = 0) -> list[tuple[str, ...]]:
    """Return an out-of-domain sentence of the same length for each of the given sentences.

    A random share of the words is replaced by made-up words, and all words are shuffled. If the
    share is 0, the words are drawn from all sentences instead. The first word keeps its capital,
    and final punctuation its position.
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
    first = word[:1].upper() if like[:1].isupper() else word[:1].lower()
    return first + word[1:]


def _strange(word: str, random: Random) -> str:
    """Return a made-up word of similar length with the same ending; punctuation is unchanged."""
    if not word.isalpha():
        return word
    length = max(1, len(word) + random.randint(-3, 0))
    return "".join(random.choice(_LETTERS[i % 2]) for i in range(length)) + word[-2:]


def _logistic(values: Float) -> Float:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -40.0, 40.0))))
