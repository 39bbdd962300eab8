"""Sentences in a column of a table: from a dictionary of columns to one with the answers added.

This is the form that engines for large tables expect of a function:

    parser = ColumnParser("sentence")
    dataset.map_batches(parser, batch_size=1024)                       # Ray Data
    dataset.map(parser, batched=True, batch_size=1024)                 # Hugging Face datasets
    frames = (pd.DataFrame(parser(dict(frame))) for frame in frames)   # inside Spark's mapInPandas

A sentence without an answer is a row with a reason, and never an exception.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amparser.corpora.splits import chunks
from amparser.corpora.tokens import Tokenizer, checked_sentence, checked_tokens, split_tokens
from amparser.errors import InputError
from amparser.results import Asked, Result

if TYPE_CHECKING:
    from amparser.learn.streaming import Item
    from amparser.learn.system import Model

RESULTS = ("meaning", "tree", "failure", "logp", "confidence", "alternatives")
"""The columns of an answer: three of texts or None, two of numbers or None, two of lists."""


class Unreadable(str):
    """In place of a sentence: the reason why its row could not be read."""

    __slots__ = ()


class ColumnParser:
    """Adds the answers to the sentences of one column.

    The model is loaded at the first call, and is not part of a pickle: an engine may send the
    object to its workers.

    Args:
        column: the name of the column with the sentences. A value is a raw text or a list of
            tokens.
        model: a model, its folder or its name (default: the default model of the package).
        decoder, notation: of answers (default: the model's).
        device: where the network computes: `auto`, `cpu` or `cuda`.
        tokenized: whether the tokens of a text stand between spaces already.
        k_best, min_confidence: what is asked of answers (see `Parser.asking`).
        prefix: precedes the names of the result columns.
    """

    def __init__(
        self,
        column: str = "sentence",
        *,
        model: Model | str | Path | None = None,
        decoder: str | None = None,
        notation: str | None = None,
        device: str = "auto",
        tokenized: bool = False,
        k_best: int = 1,
        min_confidence: float = 0.0,
        prefix: str = "",
    ) -> None:
        self.column = column
        self.prefix = prefix
        self._source = model
        self._decoder = decoder
        self._notation = notation
        self.device = device
        self._tokenized = tokenized
        self._asked = Asked(k_best, min_confidence)
        self._loaded: Model | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_loaded": None}

    @property
    def results(self) -> tuple[str, ...]:
        """The names of the result columns."""
        return tuple(self.prefix + name for name in RESULTS)

    def load(self) -> Model:
        """The model; the first call loads it.

        Raises:
            AMParserError: it cannot be loaded, or there is no such decoder.
        """
        if self._loaded is None:
            self._loaded = self._load()
        return self._loaded

    def on(self, device: str) -> ColumnParser:
        """The same with its network on another device; nothing is loaded."""
        other = copy(self)
        other.device, other._loaded = device, None
        return other

    def _load(self) -> Model:
        from amparser.api import load
        from amparser.learn.system import asking
        from amparser.learn.system_registry import SYSTEMS

        source = self._source
        if source is None or isinstance(source, str | Path):
            model = load(source, device=self.device, notation=self._notation)
        else:
            model = source if self._notation is None else source.with_notation(self._notation)
        check_decoders = getattr(SYSTEMS[model.system], "check_decoders", None)
        if self._decoder is not None and check_decoders is not None:
            check_decoders(model.settings, (self._decoder,))
        return asking(model, self._asked)

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """All columns of a batch of rows, and after them those of the answers as lists.

        Args:
            batch: lists, arrays or series of equal length, by the name of the column.

        Raises:
            InputError: the column of sentences is missing, or a result would replace a column.
            AMParserError: the model cannot be loaded.
        """
        check_columns(list(batch), self.column, self.results)
        return {**batch, **self.answers(list(batch[self.column]))}

    def answers(self, values: Sequence[object]) -> dict[str, list[Any]]:
        """The result columns of some sentences.

        Args:
            values: raw texts, or lists of tokens. Anything else has a failure.

        Returns:
            Under `prefix` and each name of `RESULTS` a list with an item for each value:
            `meaning`, in the model's notation; `tree`, the AM dependency tree in AM-CoNLL;
            `failure`, the reason why there is no meaning; `logp`, the natural logarithm of the
            answer's probability, up to a constant; `confidence`, the probability that it is right,
            or None; `alternatives`, dictionaries with `meaning` and `logp`; `read`, dictionaries
            with a mistyped `word` and the one that it is `read` as. All but `failure` and the lists
            may be None together.
        """
        from amparser.learn.streaming import answered, length_of
        from amparser.learn.system import CHUNK_SIZE, tokenizer_of

        tokenizer = split_tokens if self._tokenized else tokenizer_of(self.load())
        items = [_item(value, tokenizer) for value in values]
        distinct = list(dict.fromkeys(items))  # a sentence that stands there twice is parsed once
        parts = chunks(distinct, CHUNK_SIZE, length_of)
        results = (answered(self.load(), part, self._decoder) for part in parts)
        found = dict(zip(distinct, (_row(r) for part in results for r in part), strict=True))
        columns = (
            zip(*map(found.__getitem__, items), strict=True) if items else ((),) * len(RESULTS)
        )
        return dict(zip(self.results, map(list, columns), strict=True))


def _item(value: object, tokenizer: Tokenizer) -> Item:
    """The tokens of a value, or a result with the reason why there are none."""
    try:
        if isinstance(value, Unreadable):
            raise InputError(value)
        if isinstance(value, str):
            return checked_tokens(value, tokenizer)
        return checked_sentence(_listed(value))
    except InputError as error:
        return Result((), failure=str(error))


def check_columns(names: Sequence[str], column: str, results: Sequence[str]) -> None:
    """Check the names of a table's columns.

    Raises:
        InputError: the column of sentences is missing, or a result would replace a column.
    """
    if column not in names:
        known = ", ".join(map(repr, names))
        raise InputError(f"there is no column {column!r}, expected one of {known}")
    if taken := [name for name in results if name in names]:
        raise InputError(
            f"the columns {', '.join(map(repr, taken))} are there already; "
            "choose a prefix for those of the results"
        )


def _row(result: Result) -> tuple[Any, ...]:
    """The values of `RESULTS`."""
    tree = None if result.tree is None else result.to_amconll().strip("\n")
    failure = result.failure
    if failure is not None and result.output:
        failure = f"{failure}: {result.output}"
    others = [{"meaning": one.meaning, "logp": one.logp} for one in result.alternatives]
    return result.meaning, tree, failure, result.logp, result.confidence, others


def _listed(value: object) -> list[str]:
    """The tokens of a list or an array; raises InputError if it is neither."""
    items = getattr(value, "tolist", lambda: value)()
    if isinstance(items, list | tuple) and all(isinstance(item, str) for item in items):
        return list(items)
    raise InputError(f"expected a text or a list of tokens, got {type(value).__name__}")
