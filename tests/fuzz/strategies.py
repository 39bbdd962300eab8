"""Inputs of any surface for Hypothesis, which shrinks what fails.

One design for all surfaces. The mutator damages bytes; `retold` works on words, signs and what
stands between brackets, so that more of its inputs get past the first character; `altered_json`
works on the values of JSON and of JSON lines.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Sequence
from functools import reduce
from operator import getitem
from typing import Any

from hypothesis import strategies as st
from mutation import TOKENS, VALUES, altered, dumped, mutated, places, variants, without
from surfaces import Surface

_LARGE = 20_000
"""Of a larger input, such as the head of a whole model, only bytes and values are altered."""
_PARTS = re.compile(rb"\w+|\s|[^\w\s]")
_CLOSING = {b"(": b")", b"[": b"]", b"{": b"}", b'"': b'"', b"'": b"'"}

Words = tuple[bytes, ...]


def inputs(surface: Surface) -> st.SearchStrategy[bytes]:
    """Inputs that are near to the valid ones of a surface."""
    chosen, dice = st.sampled_from(surface.seeds), st.randoms(use_true_random=False)
    damaged = st.builds(mutated, chosen, st.just(surface.seeds), dice)
    return damaged | st.one_of([_near(seed, surface.seeds) for seed in surface.seeds])


def _near(seed: bytes, seeds: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    if seed.startswith(b"\x1f\x8b"):
        return _near(gzip.decompress(seed), ()).map(gzip.compress)
    try:
        values = [json.loads(line) for line in (seed.splitlines() if b"\n{" in seed else [seed])]
    except ValueError:
        if len(seed) > _LARGE:
            return st.nothing()
        return retold(_words(seed), [_words(other) for other in (seed, *seeds)])
    lines = [altered_json(value) | st.just(dumped(value)) for value in values]
    return st.tuples(*lines).map(b"\n".join)


def _words(data: bytes) -> Words:
    return tuple(_PARTS.findall(data))


@st.composite
def altered_json(draw: Callable[..., Any], value: Any) -> bytes:
    """A JSON value in which one to three values are others, or are missing."""
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.sampled_from(places(value)))
        if place and draw(st.booleans()):
            value = without(value, place)
        else:
            inner = reduce(getitem, place, value)
            value = altered(value, place, draw(st.sampled_from(variants(inner)) | _ANY_JSON))
    return dumped(value)


_LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(VALUES)
)
_ANY_JSON: st.SearchStrategy[Any] = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def retold(draw: Callable[..., Any], words: Words, others: Sequence[Words]) -> bytes:
    """A text in which one to four pieces are replaced by others, each once or many times."""
    for _ in range(draw(st.integers(1, 4))):
        start, end = draw(_piece(words))
        other = draw(st.sampled_from(others))
        from_, to = draw(_piece(other))
        alphabet = sorted({*other, *TOKENS})
        new = draw(
            st.just(other[from_:to])
            | st.lists(st.sampled_from(alphabet), max_size=6).map(tuple)
            | st.text(max_size=4).map(lambda text: (text.encode("utf-8", "surrogatepass"),))
        )
        times = draw(st.sampled_from((1, 1, 1, 2, 40)))
        words = (*words[:start], *new * times, *words[end:])
    return b"".join(words)


@st.composite
def _piece(draw: Callable[..., Any], words: Words) -> tuple[int, int]:
    """The start and end of some words, often of what is between a bracket and its partner."""
    opening = [i for i, word in enumerate(words) if word in _CLOSING]
    if opening and draw(st.booleans()):
        start = draw(st.sampled_from(opening))
        depth = 0
        for end in range(start, len(words)):
            if words[end] == _CLOSING[words[start]] and end > start:
                depth -= 1
            elif words[end] == words[start]:
                depth += 1
            if depth == 0:
                return draw(st.sampled_from([(start, end + 1), (start + 1, end), (start, start)]))
    start = draw(st.integers(0, len(words)))
    return start, min(len(words), start + draw(st.integers(0, 8)))
