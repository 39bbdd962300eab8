"""Reasons to doubt an answer, and features for its confidence. The reasons have codes:

    unknown_word     a word of the sentence is not in train (numbers are exempt)
    ignored_word     the answer ignores a word that train usually does not ignore
    no_reading       the parser found no meaning
    tie              the second best meaning is more than half as probable as the best one
    shape            the meaning has a combination of labels, or of edge and value, that train lacks
    other_language   the sentence seems to be in a language other than train's

Meanings can tie only if several meanings are requested.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from math import exp, log
from typing import TYPE_CHECKING, Any

from amparser.decode.parse import BUDGET, NO_TREE
from amparser.learn.confidence import figures_of, oov_rate
from amparser.lexicon.encoded import IGNORE_TAG
from amparser.lexicon.local_shapes import kind_of, parts_of
from amparser.nn.language import Language

if TYPE_CHECKING:
    from amparser.decode.parse import Decoded
    from amparser.graph.sgraph import SGraph
    from amparser.learn.model_folder import Head
    from amparser.notations.notation import Notation
    from amparser.presets.model import ParserModel
    from amparser.results import AnswerOptions, Result

REASONS = {
    "unknown_word": "The model never saw these words, so their meaning is a guess: {unknown}.",
    "ignored_word": "The meaning leaves out words that usually matter: {ignored}.",
    "no_reading": "There is no meaning: {failure}.",
    "tie": "Another meaning is more than half as probable.",
    "shape": "The meaning combines parts in a way that the model never saw.",
    "other_language": "The sentence seems to be in a language that the model does not know.",
}
"""Explanation of each code for the user."""
_OF_MEANINGS = ("ignored_word", "shape", "tie")
_FAILURES = {
    NO_TREE: "the model learned no way to combine these words",
    BUDGET: "the sentence is too complicated for the search",
}
"""Explanations of failures in plain words, by the beginning of the failure message."""
_TIE = log(2)
"""Difference of scores (nats) below which two meanings tie."""
_BY_TOKENS = ("tree", "node")
"""Presets with a supertag for each token; `graph` splits tokens into parts, such as `'s`."""


class Doubts:
    """Finder of reasons to doubt the answers of a parser."""

    def __init__(self, head: Head, model: ParserModel, notation: Notation | None) -> None:
        self._attested, self._shapes = head.attested, head.shapes
        self._model, self._notation = model, notation
        sections = (getattr(model.settings, name, None) for name in ("lexicon", "decode"))
        dictionary = next(filter(None, (getattr(s, "dictionary", "") for s in sections)), "")
        encoder = model.network.encoder
        pretrained = getattr(encoder, "pretrained", None)
        self._language = Language(encoder.vocabulary, dictionary, pretrained)
        known = head.confidence
        self._penalties = known.penalties if known else {}
        self._reranker = head.reranker

    def ignored(
        self, tokens: Sequence[str], unknown: Sequence[str], parse: Decoded
    ) -> tuple[str, ...]:
        """Return the words that an answer ignores although train usually does not ignore them."""
        known = self._attested
        if known is None or not parse.found or self._model.preset not in _BY_TOKENS:
            return ()
        return tuple(
            token
            for token, tag in zip(tokens, self._model.chosen(tokens, parse), strict=True)
            if tag == IGNORE_TAG and any(map(str.isalnum, token))
            if token.lower() not in known.ignored or token in unknown
        )

    def measured(self, result: Result, scores: Any, plain: SGraph | None = None) -> Result:
        """Return an answer with the features from which its confidence is computed.

        Args:
            result: the answer.
            scores: the network's scores of the sentence.
            plain: the answer's graph without chains (see `Notation.plain`); None without a meaning.
        """
        certainty = self._model.certainty(scores, result.parse)
        parts: Set[str] = frozenset()
        if plain is not None and self._shapes is not None:
            parts = parts_of(plain, self._shapes, result.tokens)
        new = self._attested.new_among(parts) if self._attested else ()
        figures = figures_of(
            certainty,
            result.logp or 0.0,
            result.tokens,
            result.unknown,
            result.ignored,
            Counter(map(kind_of, new)),
            self._reranker.loss(result.tokens, parts) if self._reranker and parts else 0.0,
        )
        by_token = tuple(map(exp, certainty)) if len(certainty) == len(result.tokens) else ()
        return result.altered(figures=figures, certainties=by_token)

    def judged(self, result: Result) -> Result:
        """Return a result with its reasons for doubt, except `tie`, which needs a second result."""
        holds = {
            "unknown_word": oov_rate(result.unknown, 1) > 0,
            "ignored_word": bool(result.ignored),
            "no_reading": result.meaning is None,
            "shape": any(result.figures.get(name, 0.0) > 0 for name in ("new", "values")),
            "other_language": self.stranger(result) is not None,
        }
        return _with(result, (code for code, it_holds in holds.items() if it_holds))

    def worth(self, result: Result) -> float:
        """Return the ranking score: logp minus reranker loss minus penalties for unseen parts."""
        factor = self._reranker.factor if self._reranker else 0.0
        loss = factor * result.figures.get("parts", 0.0)
        return (result.logp or 0.0) - loss - self._penalty(result)

    def _penalty(self, result: Result) -> float:
        figures = result.figures
        return sum(p for name, p in self._penalties.items() if figures.get(name, 0.0) > 0)

    def compared(self, result: Result, rest: Sequence[Result], asked: AnswerOptions) -> Result:
        """Return the best result with the others as alternatives.

        Return a failure instead if the confidence is below the requested minimum, or if
        `allow_unknown` is off and the sentence seems to be in another language.
        """
        if any(self.worth(result) - self.worth(other) < _TIE for other in rest[:1]):
            result = _with(result, ("tie",))
        withheld = None if asked.allow_unknown else self.stranger(result)
        sure, least = result.confidence, asked.min_confidence
        if withheld is None and sure is not None and sure < least:
            withheld = f"the confidence, {sure:.2f}, is below {least:g}"
        if withheld is not None:
            return result.altered(meaning=None, failure=withheld, alternatives=())
        return result.altered(alternatives=tuple(rest)) if rest else result

    def stranger(self, result: Result) -> str | None:
        """Return a message if a sentence seems to be in another language than train, or None."""
        return self._language.problem(result.tokens, result.unknown)


def reasons_in_words(result: Result) -> list[str]:
    """Return the failure and each reason for doubt as a sentence."""
    failure = result.failure
    first = ["no_reading"] if failure else []
    hidden = (*_OF_MEANINGS, "no_reading") if failure else ("no_reading",)
    plain = next((w for start, w in _FAILURES.items() if (failure or "").startswith(start)), "")
    named = {
        "failure": f"{plain} ({failure})" if plain else failure,
        "unknown": ", ".join(dict.fromkeys(result.unknown)),
        "ignored": ", ".join(dict.fromkeys(result.ignored)),
    }
    codes = [*first, *(code for code in result.reasons if code not in hidden)]
    return [REASONS[code].format(**named) for code in codes]


def _with(result: Result, codes: Iterable[str]) -> Result:
    held = {*result.reasons, *codes}
    return result.altered(reasons=tuple(code for code in REASONS if code in held))
