"""Inference between two sentences, as the page of `amparser serve` shows it.

A benchmark that can answer registers a function in `amparser.benchmarks.registry.INFERENCES`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class PolarWord:
    """A word and the polarity of its position.

    Attributes:
        polarity: `upward`, `downward` or `none`; empty if the word has no position of its own.
    """

    word: str
    polarity: str


@dataclass(frozen=True, slots=True)
class Inference:
    """Whether a hypothesis follows from a premise (such as `entailment`), and why, in words."""

    label: str
    steps: tuple[str, ...]
    premise: tuple[PolarWord, ...]
    hypothesis: tuple[PolarWord, ...]


Infer: TypeAlias = Callable[[str, str], Inference]
"""From a premise and a hypothesis to an answer; raises AMParserError if one cannot be read."""
