"""Node labels that distinguish AMR's constants from its concepts.

    written                     label
    :quant 3, :polarity -       3, -              numbers and signs are unchanged
    :op1 "Obama"                "Obama"           strings keep their quotes
    :mode imperative            'imperative       other constants get an apostrophe in front
    (b / boy)                   boy               concepts are unchanged
    (x / 3), (x / 's)           /3, /'s           but get a slash if they look like a constant

No constant has the same label as a concept, and the spelling can be recovered from the label.
"""

from __future__ import annotations

import re

from amparser.errors import TranslateError

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_LITERAL = re.compile(rf"{_STRING}|[+-]?\.?\d.*|[+-]")
# Pattern of a symbol in penman's lexer; a leading "#" starts a comment.
_SYMBOL = re.compile(r'(?!#)[^\s"()/:~]+')
_CONSTANT, _CONCEPT = "'", "/"


def label_of_constant(text: str) -> str:
    """Return the label of a constant's node.

    >>> [label_of_constant(text) for text in ("-", "3.5", '"New York"', "imperative")]
    ['-', '3.5', '"New York"', "'imperative"]
    """
    return text if _LITERAL.fullmatch(text) else _CONSTANT + text


def label_of_concept(text: str) -> str:
    """Return the label of a concept's node.

    >>> [label_of_concept(text) for text in ("boy", "3", "'s")]
    ['boy', '/3', "/'s"]
    """
    return _CONCEPT + text if is_constant(text) else text


def is_constant(label: str | None) -> bool:
    """Return True if a label is a constant's label.

    >>> [is_constant(label) for label in ("boy", "3", "/3", "'imperative", None)]
    [False, True, False, True, False]
    """
    if label is None:
        return False
    return label.startswith(_CONSTANT) or _LITERAL.fullmatch(label) is not None


def text_of_label(label: str) -> str:
    """Return the constant or concept of a label, as PENMAN writes it. Raises TranslateError."""
    marked = label[:1] in (_CONSTANT, _CONCEPT)
    text = label[1:] if marked else label
    if _SYMBOL.fullmatch(text) or re.fullmatch(_STRING, text):
        again = label_of_constant(text) if is_constant(label) else label_of_concept(text)
        if again == label:
            return text
    raise TranslateError(f"the label {label!r} is not a concept or constant of PENMAN")
