"""The training data of a system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from amparser.characters import is_private
from amparser.corpora.example import Example
from amparser.corpora.splitting import Splitting
from amparser.notations.json_schema import JsonSchema

SAMPLES = 3
"""Number of sentences of train that a model stores as examples."""


@dataclass(frozen=True, eq=False)
class Corpus:
    """Examples for training and validation.

    Attributes:
        train: the examples to learn from.
        dev: the examples by which the best epoch is selected; may be empty.
        notation: name of the meanings' notation; empty if examples have only trees or graphs.
        benchmark: name of the examples' benchmark; empty for a user's own data.
        files: name and SHA-256 of each split's file, as JSON values; stored in the model folder.
        places: path of each split's file, for messages.
        strict: True if it is an error when training cannot use an example; otherwise such examples
            are counted and listed.
        faults: rows of each split that were left out, as `FILE:LINE: REASON`.
        remarks: decisions made when reading, one per line, such as a recognised notation.
        splitting: tokenizer of the files' sentences, if they are raw text.
        unordered: functions whose arguments are unordered, in addition to those found in train.
        schema: schema of the meanings, if they are in JSON and the user has one.
    """

    train: Sequence[Example]
    dev: Sequence[Example]
    notation: str = ""
    benchmark: str = ""
    files: Mapping[str, Any] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    strict: bool = True
    faults: Mapping[str, Sequence[str]] = field(default_factory=dict)
    remarks: Sequence[str] = ()
    splitting: Splitting | None = None
    unordered: Sequence[str] = ()
    schema: JsonSchema | None = None

    def samples(self) -> list[str]:
        """Return up to three sentences of train, none of them private; none for a benchmark."""
        texts = dict.fromkeys(one.raw for one in self.train if not is_private(one.raw))
        return [] if self.benchmark else list(texts)[:: max(1, len(texts) // SAMPLES)][:SAMPLES]
