"""JSON Schema of a corpus's meanings: find faulty meanings and list possible ones.

Keywords have the meaning of draft 2020-12; `definitions` is the older name of `$defs`.
Annotations such as `title` are ignored. Keywords that are not supported are errors.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any

from amparser.errors import InputError, LogicError, nesting
from amparser.files import read_json
from amparser.notations.json_text import Number, comparable, text_of

_TYPES = {"object": dict, "array": list, "string": str, "number": Number, "integer": Number,
          "boolean": bool, "null": type(None)}  # fmt: skip
_ANNOTATIONS = ["$schema", "$id", "$comment", "title", "description", "default", "examples",
                "format", "deprecated", "readOnly", "writeOnly"]  # fmt: skip
_SAMPLES: dict[str, list[Any]] = {
    "string": ["?"], "number": [0], "integer": [0], "boolean": [True, False], "null": [None]
}  # fmt: skip
"""Example values of each simple type; `?` stands for any string."""
_DEFINITIONS = ("$defs", "definitions")
_LISTS = ("anyOf", "oneOf")
_MOST = 50_000
"""Maximum number of example values."""


@dataclass(frozen=True)
class JsonSchema:
    """JSON Schema of the meanings of a corpus.

    Attributes:
        content: the schema as a JSON value.
    """

    content: Any

    @classmethod
    def read(cls, path: Path) -> JsonSchema:
        """Read a schema from a file.

        Raises InputError if the schema has a fault; the message names file, pointer and keyword.
        """
        schema = cls(read_json(path))
        if (fault := schema.misfit()) is not None:
            raise InputError(f"{path}: {fault}")
        return schema

    def misfit(self) -> str | None:
        """Return the first fault of the schema itself, with its JSON pointer, or None."""
        return _schema_of_schemas([*self._named]).problem(self.content)

    @cached_property
    def _named(self) -> dict[str, Any]:
        """Subschemas by reference, such as `#/$defs/date`."""
        named = {"#": self.content}
        for keyword in _DEFINITIONS if isinstance(self.content, dict) else ():
            parts = self.content.get(keyword)
            for name in parts if isinstance(parts, dict) else ():
                named[_below(f"#/{keyword}", name)] = parts[name]
        return named

    def problem(self, value: Any) -> str | None:
        """Return the first fault of a value, with a JSON pointer (RFC 6901), or None.

        Args:
            value: a value as `json_text.value_of` returns it.

        Raises:
            LogicError: the value is nested too deeply.
        """
        with nesting(LogicError):
            return next(self._problems(value, self.content, "#"), None)

    def _problems(self, value: Any, schema: Any, place: str) -> Iterator[str]:
        """Yield the faults of a value at the JSON pointer `place`."""
        if isinstance(schema, bool):
            schema = {} if schema else {"enum": []}
        if (types := _types(schema)) and not any(_has_type(value, name) for name in types):
            yield f"{place}: found {_shown(value)}, expected {' or '.join(types)}"
            return
        if (closed := _closed(schema)) is not None and not _is_among(value, closed):
            yield f"{place}: found {_shown(value)}, expected one of {_shown(closed)}"
        if "$ref" in schema:
            yield from self._problems(value, self._named[schema["$ref"]], place)
        for keyword in _LISTS:
            faults = [[*self._problems(value, part, place)] for part in schema.get(keyword, ())]
            fitting = faults.count([])
            if faults and not fitting:
                yield from min(faults, key=len)
            elif fitting > 1 and keyword == "oneOf":
                yield f"{place}: found {fitting} fitting alternatives of oneOf, expected one"
        if isinstance(value, dict):
            known = schema.get("properties", {})
            yield from (
                f"{place}: lacks {k!r}" for k in schema.get("required", ()) if k not in value
            )
            for key, inside in value.items():
                part = known.get(key, schema.get("additionalProperties", True))
                if part is False:
                    yield f"{place}: found the key {key!r}, expected {', '.join(known) or 'none'}"
                else:
                    yield from self._problems(inside, part, _below(place, key))
        elif isinstance(value, list):
            for number, item in enumerate(value):
                yield from self._problems(item, schema.get("items", True), _below(place, number))

    def examples(self, known: Container[str]) -> list[Any]:
        """Return example values that together contain each key and each listed value of the schema.

        Args:
            known: strings in the training data; of the other strings in an `enum`, one is used.

        Raises:
            InputError: there are more than 50,000 examples.
        """
        found = list(islice(self._examples(self.content, known, ()), _MOST + 1))
        if len(found) > _MOST:
            raise InputError(f"the schema has more than {_MOST} combinations of keys and values")
        return found

    def _examples(
        self, schema: Any, known: Container[str], within: tuple[str, ...]
    ) -> Iterator[Any]:
        """Yield a subschema's example values; `within` lists the references that led to it."""
        if isinstance(schema, bool):
            return
        if (closed := _closed(schema)) is not None:
            new = [value for value in closed if isinstance(value, str) and value not in known]
            yield from (value for value in closed if not isinstance(value, str) or value in known)
            yield from new[:1]
            return
        parts = [part for keyword in _LISTS for part in schema.get(keyword, ())]
        if (name := schema.get("$ref")) is not None and within.count(name) < 2:
            parts, within = [*parts, self._named[name]], (*within, name)
        found = [[*self._examples(part, known, within)] for part in parts]
        simple = [_SAMPLES.get(name, []) for name in _types(schema)]
        yield from chain(*found, *simple)
        items = self._examples(schema.get("items", True), known, within)
        yield from ([item, item] for item in items)
        fields = {
            key: [*self._examples(part, known, within)]
            for key, part in schema.get("properties", {}).items()
        }
        needed = [key for key in schema.get("required", ()) if fields.get(key)]
        starts = [values[0] for values in found if values and isinstance(values[0], dict)]
        for start in (starts or [{}]) if fields else ():
            first = {**start, **{key: fields[key][0] for key in needed}}
            # A required key, such as `intent`, may have a different value for each type of object.
            types = ((key, v) for key in needed for v in fields[key][1:] if isinstance(v, str))
            for one in (first, *({**first, key: value} for key, value in types)):
                yield one
                yield from ({**one, key: v} for key, values in fields.items() for v in values)


def _closed(schema: Mapping[str, Any]) -> list[Any] | None:
    """Return the values of `enum` or `const`, or None if a schema has neither."""
    listed: list[Any] | None = schema.get("enum", [schema["const"]] if "const" in schema else None)
    return listed


def _types(schema: Mapping[str, Any]) -> list[str]:
    types: str | list[str] = schema.get("type", [])
    return [types] if isinstance(types, str) else types


def _has_type(value: Any, name: str) -> bool:
    if isinstance(value, Number):
        return name == "number" or (name == "integer" and float(value).is_integer())
    return isinstance(value, _TYPES[name])


def _is_among(value: Any, closed: list[Any]) -> bool:
    # `in` is fast for long lists of strings; other values need `comparable` (1 equals 1.0).
    is_text = type(value) is str and value in closed
    return is_text or comparable(value) in map(comparable, closed)


def _shown(value: Any) -> str:
    text = text_of(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _below(place: str, key: str | int) -> str:
    """Append a key to a JSON pointer: `#/a` and `b/c` give `#/a/b~1c`."""
    return f"{place}/{str(key).replace('~', '~0').replace('/', '~1')}"


def _schema_of_schemas(names: list[str]) -> JsonSchema:
    """Return a schema for all supported schemas; `names` are the values that `$ref` may have."""
    part, types = {"$ref": "#"}, {"enum": [*_TYPES]}
    parts = {"type": "object", "additionalProperties": part}
    keywords = {
        "type": {"anyOf": [types, {"type": "array", "items": types}]},
        "enum": {"type": "array"},
        "const": True,
        "properties": parts,
        "required": {"type": "array", "items": {"type": "string"}},
        "additionalProperties": part,
        "items": part,
        **{keyword: {"type": "array", "items": part} for keyword in _LISTS},
        "$ref": {"enum": names},
        **dict.fromkeys(_DEFINITIONS, parts),
        **dict.fromkeys(_ANNOTATIONS, True),
    }
    return JsonSchema(
        {"type": ["object", "boolean"], "properties": keywords, "additionalProperties": False}
    )
