"""Natural logic with the polarity of each word: sentences are read by grammar or parser."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from amparser.benchmarks.inference import Inference, PolarWord
from amparser.benchmarks.monotonicity.fragment import Fragment
from amparser.benchmarks.monotonicity.judge import Sentence, method_of, read_sentences
from amparser.benchmarks.monotonicity.reading import model_reading
from amparser.corpora.tokens import checked_tokens
from amparser.errors import InputError
from amparser.logic.form import Reading
from amparser.logic.polarity import form_polarities


def by_grammar(premise: str, hypothesis: str) -> Inference:
    """Whether a sentence of the fragment follows from another one; raises InputError."""
    return _inferred(_grammar_reading(), premise, hypothesis)


def by_parser(premise: str, hypothesis: str) -> Inference:
    """The same, by the readings of the parser that comes with the package; raises InputError."""
    return _inferred(_parser_reading(), premise, hypothesis)


def _inferred(reading: Reading, premise: str, hypothesis: str) -> Inference:
    left, right = (
        _read(reading, name, text)
        for name, text in (("premise", premise), ("hypothesis", hypothesis))
    )
    answer = method_of()(left, right)
    steps = tuple(answer.explanation.split("; "))
    return Inference(answer.label, steps, _polar_words(left), _polar_words(right))


def _read(reading: Reading, name: str, text: str) -> Sentence:
    try:
        [sentence] = read_sentences(reading, [checked_tokens(text)])
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    if isinstance(sentence, InputError):
        raise InputError(f"{name}: {sentence}")
    return sentence


def _polar_words(sentence: Sentence) -> tuple[PolarWord, ...]:
    polarities = form_polarities(sentence.form)
    return tuple(
        PolarWord(word, polarities[i].value if i in polarities else "")
        for i, word in enumerate(sentence.tokens)
    )


def _once(make: Callable[[], Reading]) -> Callable[[], Reading]:
    return lru_cache(maxsize=1)(make)


_grammar_reading = _once(lambda: Fragment().read)
_parser_reading = _once(model_reading)
