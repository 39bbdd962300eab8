"""Reading what `amparser.logic.tptp` writes, by way of NLTK's notation."""

from __future__ import annotations

import re

from amparser.logic.fol import Formula, fol_from_str

_NLTK = {"?": "exists", "!": "all", "~": "-", "=>": "->"}
_TOKEN = re.compile(r"=>|'[^']+'|[A-Za-z_][A-Za-z0-9_]*|\S")
_VARIABLE = re.compile(r"[A-Z][0-9]*")


def tptp_from_str(text: str) -> Formula:
    quantified = re.sub(r"([?!]) \[(\w+)\] : ", r"\1 \2.", text)
    tokens = (
        token.lower() if _VARIABLE.fullmatch(token) else _NLTK.get(token, token.strip("'"))
        for token in _TOKEN.findall(quantified)
    )
    return fol_from_str(" ".join(tokens))
