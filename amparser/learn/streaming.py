"""A model's answers to a stream of sentences: in order, in bounded memory, whatever is in it.

    sentences --checked--> items --batches--> lists of items --answered--> results

An item is a tokenised sentence, or the result of what is no sentence: bad input ends nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from typing import Any, TypeAlias, TypeVar

from amparser.corpora.tokens import Tokenizer, checked_sentence, checked_tokens, tokenize
from amparser.errors import AMParserError, InputError
from amparser.learn.system import CHUNK_SIZE, Model
from amparser.processes import mapped
from amparser.results import Result

Sentence = str | Sequence[str]
"""A raw text, or tokens."""
Item: TypeAlias = tuple[str, ...] | Result
Read = TypeVar("Read")

MOST_PAIRS = 1 << 20
"""The sum of the squared lengths of the sentences in a chunk: memory grows with these."""
_NULLS = ("None", "nan", "NaT", "<NA>")
EMPTY_LINE = "empty line"
"""The failure of a text without tokens."""


def checked(sentence: Sentence, tokenizer: Tokenizer = tokenize) -> Item:
    """The tokens of a sentence, or the result that says why it is none.

    Args:
        sentence: a raw text, or tokens, which are taken as they are. The null values of Python,
            NumPy and pandas are no sentences.
        tokenizer: finds the tokens of raw texts.

    Raises:
        InputError: it is neither.
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
    """The number of tokens of an item, for `batches`."""
    return 1 if isinstance(item, Result) else len(item)


def chunks(
    items: Iterable[Read],
    size: int,
    length: Callable[[Read], int] = len,  # type: ignore[assignment]
) -> Iterator[list[Read]]:
    """Cut a stream of sentences into lists of at most `size`, fewer where these are long."""
    chunk: list[Read] = []
    pairs = 0
    for item in items:
        more = length(item) ** 2
        if chunk and (len(chunk) == size or pairs + more > MOST_PAIRS):
            yield chunk
            chunk, pairs = [], 0
        chunk.append(item)
        pairs += more
    if chunk:
        yield chunk


def batches(
    items: Iterable[Read | None], length: Callable[[Read], int], processes: int = 1
) -> Iterator[list[Read]]:
    """Lists of items of bounded size, measured in tokens.

    Args:
        items: what has been read; None where the next item is late: then a batch ends, and an
            empty one follows (see `amparser.processes.mapped`).
        length: the number of tokens of an item, such as `length_of`.
        processes: how many processes the batches are for.
    """
    source = iter(items)
    late = False

    def until_late() -> Iterator[Read]:
        nonlocal late
        for item in source:
            if item is None:
                late = True
                return
            yield item

    # The number of sentences that a process is given at a time.
    size = CHUNK_SIZE if processes == 1 else 128
    while True:
        yield from chunks(until_late(), size, length)
        if not late:
            return
        late = False
        yield []


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
    """Return the result of each item by each decoder; an item that the model refuses is a failure.

    If a batch cannot be answered as a whole, its sentences are answered one by one, and those
    that cannot be have a failure. For `seconds` see `Model.answers`.

    Raises:
        InputError: there is no such decoder.
    """
    known: dict[int, Result] = {}
    for i, item in enumerate(items):
        if isinstance(item, Result):
            known[i] = item
        elif (problem := model.problem(item)) is not None:
            known[i] = Result(item, notation=model.notation, failure=problem)
    taken: list[Any] = [item for i, item in enumerate(items) if i not in known]
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
        found[name] = [known[i] if i in known else next(rest) for i in range(len(items))]
    return found


def streamed(
    model: Model,
    asked: Iterable[tuple[Sentence, Item]],
    decoder: str | None,
    processes: int,
    attached: Callable[[Result], Result],
) -> Iterator[Result]:
    """The results of sentences in order, each with its raw text if that is known.

    Args:
        asked: sentences, and what `checked` says of each.
        processes: so many processes answer.
        attached: completes a result that another process has packed.
    """
    parts = batches(asked, lambda pair: length_of(pair[1]), processes)

    def results_of(batch: Sequence[tuple[Sentence, Item]]) -> list[Result]:
        return answered(model, [item for _, item in batch], decoder)

    def packed(batch: Sequence[tuple[Sentence, Item]]) -> list[Result]:
        return [result.packed() for result in results_of(batch)]

    def warm() -> None:
        model.answers([("a",)])

    if processes == 1:
        found = ((batch, results_of(batch)) for batch in parts)
    else:
        found = (
            (batch, [attached(result) for result in results])
            for batch, results in mapped(packed, parts, processes, warm=warm)
        )
    for batch, results in found:
        for (sentence, _), result in zip(batch, results, strict=True):
            yield result.altered(text=sentence) if isinstance(sentence, str) else result


def _alone(model: Model, tokens: tuple[str, ...], decoder: str) -> Result:
    try:
        [[result]] = model.answers([tokens], (decoder,)).values()
    except AMParserError as error:
        return Result(tokens, notation=model.notation, failure=str(error))
    return result
