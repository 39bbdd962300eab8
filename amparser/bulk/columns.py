"""Sentences in a column of a table: from a dictionary of columns to one with the answers added.

Engines for large tables expect such a function: `dataset.map_batches(ColumnParser("text"))` of Ray
Data, `map(parser, batched=True)` of Hugging Face datasets, `mapInPandas` of Spark.
A sentence without an answer is a row with a reason, and never an exception.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from amparser.corpora.tokens import Tokenizer, checked_sentence, checked_tokens, split_tokens
from amparser.errors import InputError
from amparser.hub import model_folder
from amparser.learn.streaming import Item, answered, chunks, length_of
from amparser.learn.system import CHUNK_SIZE, Model, tokenizer_of, with_options
from amparser.learn.systems import load
from amparser.misses import Log
from amparser.results import AnswerOptions, Result

RESULTS = ("meaning", "tree", "failure", "logp", "confidence", "alternatives", "reasons")
"""The columns of an answer: the meaning in the model's notation, the tree in AM-CoNLL and the
reason of a failure, texts or None; the natural logarithm of the answer's probability, up to a
constant, and the probability that it is right, numbers or None; other readings, and codes of
reasons for doubt (`amparser.doubts`), lists."""


@dataclass
class ColumnParser:
    """Adds the answers to the sentences of one column.

    The model is loaded at the first call, and is not part of a pickle: an engine may send the
    object to its workers.

    Attributes:
        column: the name of the column; a value is a raw text or a list of tokens.
        model: a model, its folder or its name (default: the default model of the package).
        decoder, notation: of answers (default: the model's).
        device: `auto`, `cpu` or `cuda`.
        tokenized: whether the tokens of a text stand between spaces already.
        k_best, min_confidence, allow_unknown: see `Parser.with_options`.
        log: a file to which doubtful answers are added (`amparser.misses`).
    """

    column: str = "sentence"
    model: Model | str | Path | None = None
    decoder: str | None = None
    notation: str | None = None
    device: str = "auto"
    tokenized: bool = False
    k_best: int = 1
    min_confidence: float = 0.0
    allow_unknown: bool = True
    log: Path | None = None
    _loaded: Model | None = field(default=None, init=False, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_loaded": None}

    def load(self) -> Model:
        """Return the model; raises AMParserError if it cannot be loaded or lacks the decoder."""
        if self._loaded is None:
            if self.log is not None:
                Log(self.log).checked()
            model = self.model
            if model is None or isinstance(model, str | Path):
                model = load(model_folder(model), self.device)
            if self.notation is not None:
                model = model.with_notation(self.notation)
            asked = AnswerOptions(self.k_best, self.min_confidence, self.allow_unknown)
            model = with_options(model, asked)
            model.answers([], () if self.decoder is None else (self.decoder,))
            self._loaded = model
        return self._loaded

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Return the columns of a batch (lists, arrays or series) and `RESULTS` (lists).

        Raises AMParserError if the columns do not fit, or the model cannot be loaded.
        """
        check_columns(batch.keys(), self.column)
        return {**batch, **self.answers(list(batch[self.column]))}

    def answers(self, values: Sequence[object]) -> dict[str, list[Any]]:
        """Return `RESULTS` of raw texts, of lists of tokens, or of failures in their place."""
        tokenizer = split_tokens if self.tokenized else tokenizer_of(self.load())
        items = [_item(value, tokenizer) for value in values]
        # A sentence that stands there twice is parsed once.
        texts = dict(zip(reversed(items), reversed(values), strict=True))
        distinct = list(dict.fromkeys(items))
        found: dict[Item, tuple[Any, ...]] = {}
        for part in chunks(distinct, CHUNK_SIZE, length_of):
            results = answered(self.load(), part, self.decoder)
            found.update(zip(part, map(_row, results), strict=True))
            if self.log is not None:
                raw = [texts[item] if isinstance(texts[item], str) else None for item in part]
                pairs = zip(results, raw, strict=True)
                Log(self.log).add(result.altered(text=text) for result, text in pairs)
        return {name: [found[item][i] for item in items] for i, name in enumerate(RESULTS)}


def check_columns(names: Collection[str], column: str) -> None:
    """Raise InputError if a table lacks the column of sentences, or has one of `RESULTS`."""
    if column not in names:
        known = ", ".join(map(repr, names))
        raise InputError(f"there is no column {column!r}, expected one of {known}")
    if taken := [name for name in RESULTS if name in names]:
        raise InputError(f"a result would replace {', '.join(map(repr, taken))}: rename the column")


def _item(value: object, tokenizer: Tokenizer) -> Item:
    try:
        if isinstance(value, Result):
            return value
        if isinstance(value, str):
            return checked_tokens(value, tokenizer)
        items = getattr(value, "tolist", lambda: value)()
        if isinstance(items, list | tuple) and all(isinstance(item, str) for item in items):
            return checked_sentence(items)
        raise InputError(f"expected a text or a list of tokens, got {type(value).__name__}")
    except InputError as error:
        return Result((), failure=str(error))


def _row(result: Result) -> tuple[Any, ...]:
    tree = None if result.derivation is None else result.to_amconll().strip("\n")
    failure = result.failure
    if failure is not None and result.output:
        failure = f"{failure}: {result.output}"
    others = [{"meaning": one.meaning, "logp": one.logp} for one in result.alternatives]
    reasons = list(result.reasons)
    return result.meaning, tree, failure, result.logp, result.confidence, others, reasons
