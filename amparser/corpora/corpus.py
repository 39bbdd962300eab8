"""The data that a system learns from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from amparser.corpora.example import Example
from amparser.corpora.splitting import Splitting


@dataclass(frozen=True, eq=False)
class Corpus:
    """Examples for training and for validation.

    Attributes:
        dev: the examples that select the epoch; may be empty.
        notation: the name of the notation of their meanings; empty if the examples have
            only trees or graphs.
        benchmark: the name of the benchmark of the examples; empty for a user's own data.
        files: for each split the name of its file and its SHA-256, as JSON values; kept in
            the model folder.
        places: for each split the path of its file, for messages.
        strict: whether an example without a meaning that can be learned from is an error; if
            not, it is counted and listed.
        faults: for each split the rows that were left out, as `FILE:LINE: REASON`.
        splitting: how the sentences of its files were split on reading, if they are raw text.
        remarks: what was decided on reading, a line each, such as a notation that was
            recognised.
        unordered: functions whose arguments have no order, beside those that train shows.
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
