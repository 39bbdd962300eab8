"""Alignments of nodes to tokens in the comments of AMR files.

    # ::alignments 0-2|0.0+0.0.0 3-4|0 ::annotator Aligner v.02        JAMR
    # ::alignments 1-1.1.1 3-1 7-1.2.1.r                               ISI
    # ::alignments [{"tokens": [0, 1], "nodes": ["1.1"]}]              LEAMR
    # ::node<TAB>1.1<TAB>boy<TAB>0-1                                   JAMR, LEAMR
    # ::alignments 3 2 -                                               this package

JAMR has spans of tokens and addresses of nodes: `0` is the root and `0.1` its second child,
where variables that were introduced elsewhere do not count as children. ISI has single tokens,
`1` is the root and `1.2` its second child, and all that stands behind a role counts; `.r`
aligns the role and is left out here. LEAMR uses the addresses of ISI. An address under `::node`
may also be a variable; its root (`0` or `1`) says which kind of address the file has.

Tokens count from 0 in all of them but this package's own. A node is aligned to the first
token of its first span; several nodes may be aligned to one token.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from amparser.errors import InputError
from amparser.notations.penman_reading import PenmanText

EXPECTED = (
    "expected in ::alignments a token number or '-' for each node, "
    "SPAN|NODE+NODE (JAMR), TOKEN-NODE (ISI) or a list of objects (LEAMR)"
)
_JAMR = re.compile(r"(\d{1,9})-(\d{1,9})\|(\d{1,9}(?:\.\d{1,9})*(?:\+\d{1,9}(?:\.\d{1,9})*)*)")
_ISI = re.compile(r"(\d{1,9})-(\d{1,9}(?:\.\d{1,9})*)(\.r)?")
_OWN = re.compile(r"-|\d{1,9}")
_SPAN = re.compile(r"(\d{1,9})-(\d{1,9})")

Addresses = Mapping[str, int]


def jamr_addresses(text: PenmanText) -> dict[str, int]:
    """The nodes by the addresses of JAMR."""
    return _addresses(text, first=0, count_all=False)


def isi_addresses(text: PenmanText) -> dict[str, int]:
    """The nodes by the addresses of ISI and LEAMR."""
    return _addresses(text, first=1, count_all=True)


def _addresses(text: PenmanText, *, first: int, count_all: bool) -> dict[str, int]:
    found = {str(first): text.graph.root}
    agenda = [(str(first), text.graph.root)]
    while agenda:
        address, node = agenda.pop()
        place = first
        for child, introduced in text.children[node]:
            if introduced:
                found[f"{address}.{place}"] = child
                agenda.append((f"{address}.{place}", child))
            place += introduced or count_all
    return found


def mentions(text: PenmanText) -> set[str]:
    """The addresses of ISI at which a node that is introduced elsewhere is mentioned again."""
    return {
        f"{address}.{place}"
        for address, node in isi_addresses(text).items()
        for place, (_, introduced) in enumerate(text.children[node], 1)
        if not introduced
    }


def alignment_words(value: str) -> list[str]:
    """The words of the value of `::alignments` before any further field on its line.

    >>> alignment_words("0-1|0 1-2|0.0 ::annotator nobody")
    ['0-1|0', '1-2|0.0']
    """
    return re.split(r"(?:^|\s)::", value, maxsplit=1)[0].split()


def is_own(value: str) -> bool:
    """Whether the value of `::alignments` is in this package's way: a token for each node.

    >>> is_own("3 2 -"), is_own("0-1|0"), is_own("0-1.1"), is_own("")
    (True, False, False, False)
    """
    words = alignment_words(value)
    return bool(words) and all(_OWN.fullmatch(word) for word in words)


def alignments_from_value(value: str, text: PenmanText, token_count: int) -> dict[int, int]:
    """The token (from 0) of nodes, as the value of `::alignments` has it; not for own ones.

    Raises:
        InputError: the value is in none of the ways above, or names a node or token that does
            not exist.
    """
    if value.lstrip().startswith("["):
        return _from_json(value, text, token_count)
    words = alignment_words(value)
    pairs: list[tuple[int, int]] = []
    if all(_JAMR.fullmatch(word) for word in words):
        addresses = jamr_addresses(text)
        for word in words:
            start, end, nodes = _JAMR.fullmatch(word).groups()  # type: ignore[union-attr]
            token = _token(start, end, token_count, word)
            pairs += [(_node(one, addresses, word), token) for one in nodes.split("+")]
    elif all(_ISI.fullmatch(word) for word in words):
        addresses, again = isi_addresses(text), mentions(text)
        for word in words:
            start, address, role = _ISI.fullmatch(word).groups()  # type: ignore[union-attr]
            token = _token(start, str(int(start) + 1), token_count, word)
            if not role and address not in again:
                pairs.append((_node(address, addresses, word), token))
    else:
        fits = _JAMR if _JAMR.fullmatch(words[0]) else _ISI if _ISI.fullmatch(words[0]) else _OWN
        wrong = next(word for word in words if not fits.fullmatch(word))
        raise InputError(f"{EXPECTED}; found {wrong!r}")
    return _first(pairs)


def _from_json(value: str, text: PenmanText, token_count: int) -> dict[int, int]:
    try:
        rows: Any = json.loads(value)
    except json.JSONDecodeError as error:
        raise InputError(f"::alignments is not JSON: {error.msg}") from None
    addresses, again = isi_addresses(text), mentions(text)
    pairs = []
    for row in rows:
        tokens = row.get("tokens") if isinstance(row, dict) else None
        nodes = row.get("nodes") if isinstance(row, dict) else None
        if (
            not isinstance(tokens, list)
            or not isinstance(nodes, list)
            or not all(type(token) is int and token >= 0 for token in tokens)
        ):
            raise InputError("expected in ::alignments objects with 'tokens' and 'nodes'")
        for token in sorted(tokens)[:1]:
            _token(str(token), str(token + 1), token_count, str(token))
            pairs += [
                (_node(str(one), addresses, str(one)), token)
                for one in nodes
                if str(one) not in again
            ]
    return _first(pairs)


def alignments_from_nodes(
    rows: Iterable[str], text: PenmanText, token_count: int
) -> dict[int, int]:
    """The token (from 0) of nodes, as the values of `::node` comments have them.

    Raises:
        InputError: a row does not have an address, a concept and perhaps a span, or names a
            node or token that does not exist.
    """
    parsed = [_row(row) for row in rows]
    roots = {address.split(".")[0] for address, _ in parsed}
    addresses = isi_addresses(text) if "0" not in roots else jamr_addresses(text)
    variables = {name: node for node, name in text.layout.variables.items()}
    pairs = []
    for address, span in parsed:
        node = _node(address, {**variables, **addresses}, address)
        if span:
            start, end = span.split("-")
            pairs.append((node, _token(start, end, token_count, span)))
    return _first(pairs)


def _row(row: str) -> tuple[str, str]:
    """The address and the span (or an empty text) of a `::node` comment."""
    parts = row.split("\t") if "\t" in row else row.split()
    parts = [part.strip() for part in parts if part.strip()]
    span = parts[-1] if len(parts) > 2 and _SPAN.fullmatch(parts[-1]) else ""
    if len(parts) < 2 or (len(parts) > 2 and not span):
        raise InputError(f"expected in ::node an address, a concept and START-END, found {row!r}")
    return parts[0], span


def _token(start: str, end: str, token_count: int, word: str) -> int:
    """The first token of a span, whose end is exclusive."""
    if int(end) <= int(start) or (token_count and int(end) > token_count):
        raise InputError(f"{word!r}: expected tokens from 0 to {token_count - 1}")
    return int(start)


def _node(address: str, addresses: Addresses, word: str) -> int:
    if address not in addresses:
        known: Sequence[str] = sorted(addresses)
        raise InputError(f"{word!r}: the graph has no node {address}, expected {known[0]} or below")
    return addresses[address]


def _first(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    tokens: dict[int, int] = {}
    for node, token in pairs:
        tokens.setdefault(node, token)
    return tokens
