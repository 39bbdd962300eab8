"""Senses, roles and constants as names of first-order logic: letters, digits and `_`.

    fry.v.02            fry_v_02
    Co-Agent            Co_x2d_Agent
    "now"               now
    "New York"          New_x20_York
    "x1", "3", "all"    c_x1, c_3, c_all

A dot becomes `_`. Any other character has its code in hexadecimal between `_x` and `_`. A constant
that would be read as a variable, a quantifier or no name has `c_` before it. Two senses, or two
constants, never become one name. Names of SyGNS stay as they are.
"""

from __future__ import annotations

import re

from amparser.logic.concept_boxes import lemma_and_sense
from amparser.logic.fol import NAME, QUANTIFIERS, is_variable

_ODD = re.compile(r"_(?=x[0-9a-f]+_)|[^A-Za-z0-9_]")
_MARK = "c_"


def predicate_in_fol(name: str) -> str:
    """The name of a predicate.

    >>> predicate_in_fol("ping-pong.n.01"), predicate_in_fol("dog")
    ('ping_x2d_pong_n_01', 'dog')
    """
    parts = lemma_and_sense(name)
    if parts is None:
        return name if NAME.fullmatch(name) else _marked(_coded(name))
    return _marked(f"{_coded(parts[0])}_{parts[1].replace('.', '_')}")


def constant_in_fol(argument: str) -> str:
    """The name of a constant in quotes; a variable, or a constant without quotes, stays.

    >>> [constant_in_fol(argument) for argument in ("x1", '"x1"', '"now"', "emma")]
    ['x1', 'c_x1', 'now', 'emma']
    """
    if not argument.startswith('"'):
        return argument
    text = _coded(argument[1:-1])
    return _MARK + text if is_variable(text) or text in QUANTIFIERS else _marked(text)


def _coded(text: str) -> str:
    return _ODD.sub(lambda match: f"_x{ord(match[0]):x}_", text)


def _marked(text: str) -> str:
    return text if NAME.fullmatch(text) and not text.startswith(_MARK) else _MARK + text
