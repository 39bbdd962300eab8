"""Hints at a packaged model that knows words which the default model never saw."""

from __future__ import annotations

from collections.abc import Sequence

from amparser.benchmarks.registry import BENCHMARKS
from amparser.learn.model_folder import read_head
from amparser.learn.system import PARSER
from amparser.parser import Parser
from amparser.resources import bundled_model, bundled_models

_ENOUGH = 0.5
"""Minimum share of the words that a model must know to be named."""
_SHOWN = 5


def better_models(words: Sequence[str]) -> list[str]:
    """Return lines that name the packaged models which know most of some words.

    Args:
        words: those that the default model never saw.
    """
    folder = bundled_model()
    others = [path for path in bundled_models() if path != folder]
    if not words:
        return []
    known: dict[str, tuple[int, str]] = {}
    for path in others:
        if read_head(path).system == PARSER:
            parser = Parser.load(path, "cpu")
            about = BENCHMARKS[parser.benchmark].about if parser.benchmark in BENCHMARKS else ""
            known[path.name] = len(words) - len(parser.unknown(words)), about
    most = max((count for count, _ in known.values()), default=0)
    if most < _ENOUGH * len(words):
        return []
    shown = ", ".join(words[:_SHOWN]) + (", ..." if len(words) > _SHOWN else "")
    lines = [f"the model {folder.name} never saw {shown}"]
    for name, (count, about) in known.items():
        if count == most:
            share = "them" if count == len(words) else f"{count} of these {len(words)} words"
            reads = f" ({about})" if about else ""
            lines.append(
                f"the model {name}{reads} knows {share}: amparser parse --model {name} ..."
            )
    return lines
