"""Compositional semantic parsing with AM dependency trees.

The whole chain is one class:

    from amparser import Parser
    [result] = Parser.load().parse(["Who did Emma give a cake to?"])
    print(result.logical_form)

Importing this package is cheap: `Parser`, and torch with it, is loaded when
it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from amparser.parser import ParsedSentence, Parser

__version__ = "0.1.0"
__all__ = ["ParsedSentence", "Parser", "__version__"]


def __getattr__(name: str) -> Any:
    if name in ("Parser", "ParsedSentence"):
        from amparser import parser

        return getattr(parser, name)
    raise AttributeError(f"module 'amparser' has no attribute {name!r}")
