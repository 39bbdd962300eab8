"""Parse the sentences in one column of a table and add the answers as columns.

`ColumnParser` maps a dictionary of columns to another one, as batch engines expect: Ray Data
(`dataset.map_batches(ColumnParser("text"))`), Hugging Face datasets (`map(parser, batched=True)`)
and Spark (`mapInPandas`). If a sentence has no answer, no exception is raised; the column `failure`
has the reason.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from amparser.corpora.tokens import Tokenizer, checked_sentence, checked_tokens, split_tokens
from amparser.errors import InputError
from amparser.hub import model_folder
from amparser.learn.streaming import Item, answered, batches, length_of
from amparser.learn.system import Model, tokenizer_of, with_options
from amparser.learn.systems import load
from amparser.misses import Log
from amparser.results import AnswerOptions, Result

RESULTS = ("meaning", "tree", "failure", "logp", "confidence", "alternatives", "reasons")
"""Names of the added columns.

    meaning       the meaning in the model's notation, or None
    tree          the AM dependency tree in AM-CoNLL, or None
    failure       reason why the answer is missing, or None
    logp          natural log of the answer's probability, up to a constant, or None
    confidence    probability that the answer is right, or None
    alternatives  list of the next best meanings, if requested
    reasons       list of codes of reasons for doubt (see `amparser.doubts`)
"""


@dataclass
class ColumnParser:
    """A callable that parses one column of a table.

    The first call loads the model. Pickling omits the model, so engines can send the object to
    workers.

    Attributes:
        column: name of the column; its values are raw texts or lists of tokens.
        model: a model, its folder or its name (default: the package's default model).
        decoder, notation: decoder and notation of the answers (default: the model's).
        device: `auto`, `cpu` or `cuda`.
        tokenized: whether texts are already tokenized and are split at spaces only.
        k_best, min_confidence, allow_unknown: see `Parser.with_options`.
        log: file that collects doubtful answers (see `amparser.misses`).
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
        """Return the model. Raises AMParserError if it cannot be loaded or lacks the decoder."""
        if self._loaded is None:
            if self.log is not None:
                Log(self.log).checked()
            model = self.model
            if model is None or isinstance(model, str | Path):
                model = load(model_folder(model), self.device)
            if self.notation is not None:
                model = model.with_notation(self.notation)
            options = AnswerOptions(self.k_best, self.min_confidence, self.allow_unknown)
            model = with_options(model, options)
            model.answers([], () if self.decoder is None else (self.decoder,))
            self._loaded = model
        return self._loaded

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Return the batch (lists, arrays or series) with the added columns `RESULTS` (lists).

        Raises:
            AMParserError: the sentence column is missing, a column has a name of `RESULTS`, or the
                model cannot be loaded.
        """
        check_columns(batch.keys(), self.column)
        return {**batch, **self.answers(list(batch[self.column]))}

    def answers(self, values: Sequence[object]) -> dict[str, list[Any]]:
        """Return the columns `RESULTS` for raw texts, lists of tokens, or finished `Result`s."""
        tokenizer = split_tokens if self.tokenized else tokenizer_of(self.load())
        items = [_item(value, tokenizer) for value in values]
        # Repeated sentences are parsed once.
        texts = dict(zip(reversed(items), reversed(values), strict=True))
        distinct = list(dict.fromkeys(items))
        rows: dict[Item, tuple[Any, ...]] = {}
        parts: Iterator[list[Item]] = batches(distinct, length_of)
        for part in parts:
            results = answered(self.load(), part, self.decoder)
            rows.update(zip(part, map(_row, results), strict=True))
            if self.log is not None:
                raw = [texts[item] if isinstance(texts[item], str) else None for item in part]
                pairs = zip(results, raw, strict=True)
                Log(self.log).add(result.altered(text=text) for result, text in pairs)
        return {name: [rows[item][i] for item in items] for i, name in enumerate(RESULTS)}


def check_columns(names: Collection[str], column: str) -> None:
    """Raise InputError if a table lacks the sentence column or already has one of `RESULTS`."""
    if column not in names:
        known = ", ".join(map(repr, names))
        raise InputError(f"unknown column {column!r}, expected one of {known}")
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
    others = [
        {"meaning": alternative.meaning, "logp": alternative.logp}
        for alternative in result.alternatives
    ]
    reasons = list(result.reasons)
    return result.meaning, tree, failure, result.logp, result.confidence, others, reasons
