"""Training data of a system."""

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
        train: the examples from which a system learns.
        dev: the examples on which the best epoch is selected; may be empty.
        notation: name of the notation of the meanings; empty if there are only trees or graphs.
        benchmark: name of the benchmark; empty for a user's own data.
        files: name and SHA-256 of the file of each split, as JSON values for the model folder.
        places: path of the file of each split, for messages.
        strict: whether an unusable example is an error; otherwise, it is skipped and reported.
        faults: malformed examples of each split, which are left out, as `FILE:LINE: REASON`.
        remarks: decisions about the corpus, such as a recognised notation, one line each.
        splitting: tokenizer of the sentences if they are raw text; otherwise None.
        unordered: functions with unordered arguments, in addition to those recognised in train.
        schema: JSON Schema of the meanings, if the user has given one.
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
        """Return up to three training sentences without personal data; none for a benchmark."""
        texts = dict.fromkeys(one.raw for one in self.train if not is_private(one.raw))
        return [] if self.benchmark else list(texts)[:: max(1, len(texts) // SAMPLES)][:SAMPLES]
