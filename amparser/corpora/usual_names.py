"""Rows whose columns have common names, such as `text` and `label`, or `intent` and `slots`.

    {"text": "weather in Paris", "intent": "weather", "slots": {"city": "Paris"}}
    {"text": "weather in Paris", "intent": "weather",
     "entities": [{"entity": "city", "start": 11, "end": 16}]}
    {"text": "weather in Paris", "intent": "weather", "slots": "O O B-city"}
    {"intent": "weather", "data": [{"text": "weather in "}, {"text": "Paris", "entity": "city"}]}

The meaning of all four is `{"intent": "weather", "city": "Paris"}`. The value of a slot that occurs
several times is a list.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from amparser.errors import InputError, shown

SENTENCES = (
    *("sentence", "text", "utterance", "question", "query", "tokens", "input", "source"),
    *("utt", "command", "phrase", "prompt", "instruction"),
)
MEANINGS = (
    *("meaning", "logical_form", "label", "lf", "mr", "semantic_parse", "parse", "program"),
    *("semantics", "form", "target", "output", "completion", "graph", "mrl", "sql"),
)
INTENTS = ("intent", "intents", "intent_name")
SLOTS = ("slots", "entities", "slot", "slot_tags")
TAGS = ("tags", "tag", "type")
SAMPLE = '{"text": "turn on the lamp", "meaning": {"device": "lamp", "state": "on"}}'
_SLOT_NAMES = ("role", "slot_name", "slot", "entity", "name", "type", "label")
_PIECES = "data"
_IDENTIFIER = re.compile(r"[a-z_]\w*")


def normal(name: str) -> str:
    """Return a name in lower case with underscores.

    >>> normal(" Logical Form")
    'logical_form'
    """
    return name.strip().lower().replace(" ", "_")


def is_heading(names: Iterable[str]) -> bool:
    """Return True if names include a common name for sentences and one for meanings."""
    known = {normal(name) for name in names}
    return bool(known & {*SENTENCES}) and bool(known & {*MEANINGS, *INTENTS, *SLOTS})


def check_no_heading(cells: Sequence[str]) -> None:
    """Raise InputError if cells are a heading without a column of sentences or of meanings.

    >>> check_no_heading(["text", "cost"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    amparser.errors.InputError: a heading without the column of the meanings, such as 'meaning': ...
    """
    names = [normal(cell) for cell in cells]
    if len(cells) > 1 and all(map(_IDENTIFIER.fullmatch, names)):
        for what, known, others in (
            ("meanings, such as 'meaning'", SENTENCES, MEANINGS),
            ("sentences, such as 'text'", (*MEANINGS, *INTENTS, *SLOTS), SENTENCES),
        ):
            if {*known}.intersection(names) and not {*others}.intersection(names):
                expected = f"expected one of {', '.join(others)}"
                raise InputError(f"a heading without the column of the {what}: {expected}")


def is_row(value: object) -> bool:
    """Return True if a JSON value is an object with a sentence."""
    if not isinstance(value, dict):
        return False
    row = {normal(name): item for name, item in value.items()}
    known = any(isinstance(row.get(name), str) for name in SENTENCES)
    return known or isinstance(row.get("tokens"), list) or _are_pieces(row.get(_PIECES))


def with_usual_names(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its sentence and meaning under the keys `sentence` and `meaning`.

    A meaning that is an object or a list becomes JSON text. Raises InputError if slots are
    malformed; the message names the key.
    """
    normalized = {normal(name): value for name, value in row.items()}
    pieces = normalized.get(_PIECES)
    if pieces is not None and _are_pieces(pieces):
        normalized["sentence"] = "".join(piece["text"] for piece in pieces)
        normalized["entities"] = [piece for piece in pieces if len(piece) > 1]
    has_sentence = normalized.get("sentence") is not None or isinstance(
        normalized.get("tokens"), list
    )
    if not has_sentence and (name := _first(normalized, SENTENCES)) is not None:
        normalized["sentence"] = normalized.pop(name)
    if (
        normalized.get("meaning") is None
        and _first(normalized, ("graph", "tree", "failure")) is None
    ):
        if (name := _first(normalized, MEANINGS)) is not None:
            normalized["meaning"] = normalized.pop(name)
        elif (intent := _first(normalized, INTENTS)) or _first(normalized, SLOTS):
            normalized["meaning"] = _frame(normalized, intent)
    if isinstance(sentence := normalized.get("sentence"), str):
        normalized["sentence"] = re.sub(r"[\t\r\n]", " ", sentence).strip()
    if isinstance(meaning := normalized.get("meaning"), dict | list):
        normalized["meaning"] = json.dumps(meaning, ensure_ascii=False)
        normalized["notation"] = normalized.get("notation") or "json"
    return normalized


def _first(row: Mapping[str, Any], names: Sequence[str]) -> str | None:
    return next((name for name in names if row.get(name) is not None), None)


def _are_pieces(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(piece, dict) and isinstance(piece.get("text"), str) for piece in value
    )


def _frame(row: Mapping[str, Any], intent: str | None) -> dict[str, Any]:
    meaning: dict[str, Any] = {}
    if intent is not None:
        if not isinstance(row[intent], str):
            raise InputError(f"{intent!r}: expected a text, found {shown(row[intent])}")
        meaning["intent"] = row[intent]
    slots = _first(row, SLOTS)
    if slots is None:
        return meaning
    words = row.get("tokens") if row.get("sentence") is None else row["sentence"]
    try:
        pairs = list(_pairs(row[slots], words))
    except InputError as error:
        raise InputError(f"{slots!r}: {error}") from None
    values: dict[str, list[Any]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    if "intent" in values and meaning:
        raise InputError(f"{slots!r}: expected a name other than 'intent'")
    return meaning | {name: some[0] if len(some) == 1 else some for name, some in values.items()}


def _pairs(slots: Any, words: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(slots, str) and slots.lstrip()[:1] in ("{", "["):
        slots = _value(slots)
    elif isinstance(slots, str):
        slots = slots.split()
    if isinstance(slots, dict):
        yield from slots.items()
    elif isinstance(slots, list) and slots and all(isinstance(tag, str) for tag in slots):
        yield from _spans(slots, words.split() if isinstance(words, str) else words)
    elif isinstance(slots, list):
        yield from (_entity(entity, words) for entity in slots)
    else:
        raise InputError(f"expected an object or a list, found {shown(slots)}")


def _value(text: str) -> Any:
    """Return the value of a cell with JSON, or with a Python literal, which pandas may write."""
    try:
        return json.loads(text)
    except ValueError:
        try:
            return ast.literal_eval(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise InputError(f"not JSON: {shown(text)}") from None


def _entity(entity: Any, sentence: Any) -> tuple[str, Any]:
    name = _first(entity, _SLOT_NAMES) if isinstance(entity, dict) else None
    if name is None or not isinstance(entity[name], str):
        raise InputError(f"expected an object with 'entity' and 'value', found {shown(entity)}")
    if (key := _first(entity, ("value", "text"))) is not None:
        return entity[name], entity[key]
    start, end = entity.get("start"), entity.get("end")
    if not (isinstance(sentence, str) and type(start) is type(end) is int):
        raise InputError(f"expected 'value', or 'start' and 'end', in {shown(entity)}")
    if not 0 <= start < end <= len(sentence):
        raise InputError(f"{start} to {end} is outside the text of {len(sentence)} characters")
    return entity[name], sentence[start:end]


def _spans(tags: Sequence[str], words: Any) -> Iterator[tuple[str, str]]:
    """Yield the name and the words of each span in the tags `O`, `B-name` and `I-name`."""
    if not isinstance(words, list) or len(words) != len(tags):
        count = len(words) if isinstance(words, list) else "no"
        raise InputError(f"{len(tags)} tags for {count} words")
    spans: list[tuple[str, list[str]]] = []
    inside = ""
    for word, tag in zip(words, tags, strict=True):
        begin, _, name = tag.partition("-")
        if begin not in ("B", "I", "O") or bool(name) == (begin == "O"):
            raise InputError(f"expected O, B-NAME or I-NAME, found {shown(tag)}")
        if begin == "B" or name != inside:
            spans.append((name, []))
            inside = name
        if name:
            spans[-1][1].append(word)
    yield from ((name, " ".join(some)) for name, some in spans if name)
