"""Answer a stream of sentences in order, with limited memory.

    sentences --checked--> items --batches--> lists of items --answered--> results

An *item* is a tokenised sentence or, for invalid input, its failed `Result`. Invalid input
therefore does not end the stream.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from typing import Any, TypeAlias, TypeVar

from amparser.corpora.tokens import Tokenizer, checked_sentence, checked_tokens, tokenize
from amparser.errors import AMParserError, InputError
from amparser.learn.system import Model
from amparser.processes import mapped
from amparser.results import Result

Sentence = str | Sequence[str]
"""Raw text, or tokens."""
Item: TypeAlias = tuple[str, ...] | Result
Read = TypeVar("Read")

CHUNK_SIZE = 256
"""Maximum number of sentences in a call of `Model.answers`, which limits memory."""
MOST_PAIRS = 1 << 20
"""Maximum sum of squared sentence lengths in a call, which also limits memory."""
_NULLS = ("None", "nan", "NaT", "<NA>")
EMPTY_LINE = "empty line"
"""Failure of a text without tokens."""


def checked(sentence: Sentence, tokenizer: Tokenizer = tokenize) -> Item:
    """Return the tokens of a sentence, or a failed result if it is invalid.

    Args:
        sentence: raw text, or tokens, which are used unchanged. For None and the null values of
            NumPy and pandas, the result is a failure.
        tokenizer: tokenizer of raw text.

    Raises:
        InputError: the sentence is neither text nor tokens.
    """
    if not isinstance(sentence, Iterable) and str(sentence) in _NULLS:
        return Result((), failure="missing, expected a sentence")
    if not isinstance(sentence, str):
        tokens = tuple(sentence) if isinstance(sentence, Iterable) else (sentence,)
        if not all(isinstance(token, str) for token in tokens):
            raise InputError(f"expected a text or a list of tokens, got {sentence!r:.80}")
    try:
        if not isinstance(sentence, str):
            return checked_sentence(tokens)
        if not sentence.strip():
            return Result((), failure=EMPTY_LINE)
        return checked_tokens(sentence, tokenizer)
    except InputError as error:
        return Result((), failure=str(error))


def length_of(item: Item) -> int:
    """Return the number of tokens of an item; `batches` uses it."""
    return 1 if isinstance(item, Result) else len(item)


def batches(
    items: Iterable[Read | None], length: Callable[[Read], int], processes: int = 1
) -> Iterator[list[Read]]:
    """Group items into lists; limit the number of items in a list and the sum of squared lengths.

    Args:
        items: a stream of items. If an item is None, the next item has not arrived yet: the list
            ends, and an empty list follows (see `amparser.processes.mapped`).
        length: function that returns the number of tokens of an item.
        processes: number of processes that parse the lists.
    """
    size = CHUNK_SIZE if processes == 1 else 128
    batch: list[Read] = []
    pairs = 0
    for item in items:
        more = 0 if item is None else length(item) ** 2
        if batch and (item is None or len(batch) == size or pairs + more > MOST_PAIRS):
            yield batch
            batch, pairs = [], 0
        if item is None:
            yield []
        else:
            batch.append(item)
            pairs += more
    if batch:
        yield batch


def answered(model: Model, items: Sequence[Item], decoder: str | None = None) -> list[Result]:
    """Return the result of each item; see `answered_by`."""
    [results] = answered_by(model, items, () if decoder is None else (decoder,)).values()
    return results


def answered_by(
    model: Model,
    items: Sequence[Item],
    decoders: Sequence[str] = (),
    seconds: MutableMapping[str, float] | None = None,
) -> dict[str, list[Result]]:
    """Return the results of each decoder, one per item.

    The result is a failure if the model refuses an item (`Model.problem`). If answering all items
    raises an error, they are answered one by one, and only items that raise the error fail. For
    `seconds` see `Model.answers`. Raises InputError if a decoder is unknown.
    """
    known = [_refused(model, item) for item in items]
    taken: list[Any] = [item for item, of in zip(items, known, strict=True) if of is None]
    try:
        answers = model.answers(taken, decoders, seconds=seconds)
    except AMParserError:
        names = decoders or model.decoders[:1]
        answers = {name: [_alone(model, tokens, name) for tokens in taken] for name in names}
        if not {*names} <= {*model.decoders} and all(
            result.failure is not None for results in answers.values() for result in results
        ):
            raise
    found = {}
    for name, results in answers.items():
        rest = iter(results)
        found[name] = [next(rest) if of is None else of for of in known]
    return found


def _refused(model: Model, item: Item) -> Result | None:
    if isinstance(item, Result):
        return item
    problem = model.problem(item)
    return None if problem is None else Result(item, notation=model.notation, failure=problem)


def streamed(
    model: Model,
    asked: Iterable[tuple[Sentence, Item]],
    decoder: str | None,
    processes: int,
    attached: Callable[[Result], Result],
) -> Iterator[Result]:
    """Yield the results of sentences in order.

    Args:
        model: the model.
        asked: pairs of a sentence and its item.
        decoder: name of the decoder, or None for the model's default.
        processes: number of processes that answer sentences.
        attached: function that is applied to each result.
    """
    parts = batches(asked, lambda pair: length_of(pair[1]), processes)

    def results_of(batch: Sequence[tuple[Sentence, Item]]) -> list[Result]:
        results = answered(model, [item for _, item in batch], decoder)
        return results if processes == 1 else [result.packed() for result in results]

    def warm() -> None:
        model.answers([("a",)])

    for batch, results in mapped(results_of, parts, processes, warm=warm):
        for (sentence, _), result in zip(batch, results, strict=True):
            whole = result if processes == 1 else attached(result)
            yield whole.altered(text=sentence) if isinstance(sentence, str) else whole


def _alone(model: Model, tokens: tuple[str, ...], decoder: str) -> Result:
    try:
        [[result]] = model.answers([tokens], (decoder,)).values()
    except AMParserError as error:
        return Result(tokens, notation=model.notation, failure=str(error))
    return result
