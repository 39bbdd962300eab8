"""Validation of all JSON and TOML values from outside: models, records, settings.

The expected value is a type; a value that differs is reported with its file and key:

    class Row(NamedTuple):      a list of values in this order
    class Head(TypedDict):      an object with these keys
    @dataclass class Kept:      an object with all public fields
    list[X], tuple[X, Y], Sequence[X], frozenset[X], NDArray[X]       a list
    dict[str, X], Counter[str]  an object
    dict[K, X], Counter[K]      a list of pairs, if K is not text
    X | None, Literal["a", "b"], str, int, float, bool
    Annotated[int, Range(1)]    further conditions, each with `admits` and a description
    Annotated[X, AsText(f, g)]  a text that g reads

Types are written as Python annotations, so that type checkers understand them. An integer is
accepted as a float, but a number is not accepted as a Boolean. Numbers must be finite.

`from_json` builds the objects that a value describes; `to_json` is its inverse. Lists may name
their lengths (`Sized`), and indices name the list that they point into (`Index`). A class states
all other constraints in its method `misfit`, which returns a problem or None.

A reader function is built once per type; an error collects its place on the way out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import is_dataclass
from functools import cache
from math import inf
from typing import Annotated, Any, NotRequired, TypeVar, get_args, get_origin, is_typeddict

from amparser.conditions import (
    LISTS,
    NAMES,
    UNIONS,
    AsText,
    Index,
    Sized,
    described,
    hints_of,
    is_array,
    is_fixed,
    is_mapping,
    is_object,
    items_of,
    kept_fields,
    of_mapping,
    unannotated,
)
from amparser.errors import AMParserError, shown
from amparser.limits import LARGEST_NUMBER

Checked = TypeVar("Checked")

_LONGEST = 200
_MISSING = " is missing"
_HALF = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which JSON can hold but UTF-8 cannot."""


def from_json(
    value: object,
    expected: type[Checked],
    where: object,
    key: str = "",
    *,
    error: type[AMParserError],
) -> Checked:
    """Return the object of type `expected` that a value describes. Raises AMParserError."""
    try:
        built: Checked = _reader(expected)(value, {})  # type: ignore[arg-type]
    except RecursionError:
        raise error(f"{where}: {key}: nested too deeply") from None
    except _FaultError as fault:
        raise error(f"{where}: {fault.line(key)}") from None
    return built


def to_json(value: Any, expected: Any) -> Any:
    """Return the JSON value of an object of type `expected`: the inverse of `from_json`."""
    plain, *conditions = unannotated(expected)
    for condition in conditions:
        if isinstance(condition, AsText):
            return condition.to_str(value)
    origin, inner = get_origin(plain), get_args(plain)
    if origin in UNIONS:
        plains = {one: unannotated(one)[0] for one in inner}
        member = next(k for k, one in plains.items() if isinstance(value, get_origin(one) or one))
        return to_json(value, member)
    if is_dataclass(plain):
        hints: dict[str, Any] = kept_fields(plain)  # type: ignore[arg-type]
        return {name: to_json(getattr(value, name), hint) for name, hint in hints.items()}
    if is_mapping(origin):
        of_keys, of_values = of_mapping(plain)
        if is_object(plain):
            return {name: to_json(one, of_values) for name, one in value.items()}
        return [[to_json(k, of_keys), to_json(v, of_values)] for k, v in value.items()]
    if is_array(origin):
        return value.tolist()
    if isinstance(value, Set):
        return sorted(to_json(one, inner[0]) for one in value)
    if is_fixed(plain):
        return [to_json(*pair) for pair in zip(value, items_of(plain), strict=True)]
    if origin in LISTS:
        return [to_json(one, inner[0]) for one in value]
    return value


class _FaultError(ValueError):
    """An invalid value.

    Attributes:
        text: the problem, without the place.
        place: keys and indices that lead to the value, such as `.rows[3]`.
    """

    def __init__(self, text: str, place: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.place = place

    @property
    def is_inside(self) -> bool:
        """True if a part of the value is invalid, rather than its type."""
        return bool(self.place) or not self.text.startswith(" = ")

    def below(self, place: str) -> _FaultError:
        return _FaultError(self.text, f"{place}{self.place}")

    def line(self, key: str) -> str:
        place = f"{key}{self.place}" if key else self.place.removeprefix(".")
        shown_place = repr(place) if self.text == _MISSING else place or "the whole"
        return f"{shown_place}{self.text}"


def _expected(value: object, what: str) -> _FaultError:
    return _FaultError(f" = {shown(value)}: expected {what}")


_Sizes = dict[str, int]
_Reader = Callable[[Any, _Sizes], Any]
"""Function from a value, and the lengths known so far, to an object; raises _FaultError."""


@cache
def _reader(expected: Any) -> _Reader:
    plain, *conditions = unannotated(expected)
    origin, inner = get_origin(plain), get_args(plain)
    if conditions:
        return _conditioned(expected, _reader(plain), conditions)
    if plain is Any or plain is object:
        return lambda value, sizes: value
    if origin in UNIONS:
        return _one_of(plain)
    if is_dataclass(plain) or is_typeddict(plain):
        fill = _object(plain)
        return lambda value, sizes: fill(value, sizes.copy())
    if is_mapping(origin):
        return _mapping(plain)
    if is_array(origin):
        return _array
    if is_fixed(plain):
        return _fixed(plain)
    if origin in LISTS:
        return _list(plain, _reader(inner[0]), origin if origin in (list, frozenset) else tuple)

    def read(value: Any, sizes: _Sizes) -> Any:
        if not _has_type(value, plain):
            raise _expected(value, described(plain))
        return float(value) if plain is float else value

    return read


def _has_type(value: object, plain: Any) -> bool:
    if type(value) is int and plain in (int, float):
        return -LARGEST_NUMBER <= value <= LARGEST_NUMBER
    if plain is float:
        return type(value) is float and -inf < value < inf
    if plain is str:
        return type(value) is str and (value.isascii() or not _HALF.search(value))
    return type(value) is plain


def _conditioned(expected: Any, read: _Reader, conditions: Sequence[Any]) -> _Reader:
    text = next((one for one in conditions if isinstance(one, AsText)), None)
    plain = unannotated(expected)[0]
    if text:
        read = _reader(str)

    def build(value: Any, sizes: _Sizes) -> Any:
        try:
            built = read(value, sizes)
        except _FaultError as fault:
            raise fault if fault.is_inside else _expected(value, described(expected)) from None
        if text:
            return _called(text.from_str, built)
        for condition in conditions:
            if isinstance(condition, Sized):
                _check_sizes(built, condition, sizes)
            elif isinstance(condition, Index):
                size = sizes.get(condition.of, LARGEST_NUMBER)
                if not 0 <= built < size:
                    raise _expected(value, f"the index of a {condition.of}, below {size}")
            elif not condition.admits(built):
                raise _expected(value, described(Annotated[plain, condition]))
        return built

    return build


def _one_of(plain: Any) -> _Reader:
    def read(value: Any, sizes: _Sizes) -> Any:
        faults = []
        for one in get_args(plain):
            try:
                return _reader(one)(value, sizes)
            except _FaultError as fault:
                faults.append(fault)
        # A problem inside a value of the right type is more telling than a type mismatch.
        wrong = _expected(value, described(plain))
        raise next((one for one in faults if one.is_inside), wrong)

    return read


def _each(rows: Iterable[tuple[_Reader, Any, str]], sizes: _Sizes) -> list[Any]:
    built = []
    for read, value, place in rows:
        try:
            built.append(read(value, sizes))
        except _FaultError as fault:
            raise fault.below(place) from None
    return built


def _list(plain: Any, read: _Reader, make: Callable[[list[Any]], Any]) -> _Reader:
    def build(value: Any, sizes: _Sizes) -> Any:
        if not isinstance(value, list | tuple):
            raise _expected(value, described(plain))
        built = []
        try:
            for one in value:
                built.append(read(one, sizes))
        except _FaultError as fault:
            raise fault.below(f"[{len(built)}]") from None
        return make(built)

    return build


def _fixed(plain: Any) -> _Reader:
    readers, names = [_reader(one) for one in items_of(plain)], getattr(plain, "_fields", None)
    places = [f".{name}" for name in names or ()] or [f"[{i}]" for i in range(len(readers))]

    def build(value: Any, sizes: _Sizes) -> Any:
        if not isinstance(value, list | tuple) or len(value) != len(readers):
            raise _expected(value, described(plain))
        items = _each(zip(readers, value, places, strict=True), sizes)
        return plain(*items) if names else tuple(items)

    return build


@cache
def _object(plain: Any) -> _Reader:
    """Return the reader of an object; lengths in it are also known to the following values."""
    stored, newer = is_dataclass(plain), getattr(plain, "newer", ())
    hints = kept_fields(plain) if stored else hints_of(plain)
    readers, optional = {}, set(newer)
    for name, hint in hints.items():
        # `__required_keys__` is wrong if annotations are strings.
        if get_origin(hint) is NotRequired or not (stored or plain.__total__):
            optional.add(name)
        inner = get_args(hint)[0] if get_origin(hint) is NotRequired else hint
        readers[name] = (_object if is_dataclass(inner) else _reader)(inner)

    def fill(value: Any, sizes: _Sizes) -> Any:
        if not isinstance(value, dict):
            raise _expected(value, NAMES[dict])
        if missing := next((n for n in readers if n not in value and n not in optional), None):
            raise _FaultError(_MISSING, f".{missing}")
        names = [name for name in readers if name in value]
        rows = ((readers[name], value[name], f".{name}") for name in names)
        values = dict(zip(names, _each(rows, sizes), strict=True))
        if not stored:
            return {**value, **values}
        built = _called(lambda fields: plain(**fields), values)
        misfit = getattr(built, "misfit", None)
        if misfit is not None and (problem := _called(lambda _: misfit(), None)):
            raise _FaultError(problem)
        return built

    return fill


def _mapping(plain: Any) -> _Reader:
    of_keys, of_values = of_mapping(plain)
    origin: Any = get_origin(plain)
    make = dict if origin is Mapping else origin
    if is_object(plain):
        read_key, read_value = _reader(of_keys), _reader(of_values)

        def read(value: Any, sizes: _Sizes) -> Any:
            if not isinstance(value, dict):
                raise _expected(value, NAMES[dict])
            built, key = {}, ""
            try:
                for key, one in value.items():
                    built[read_key(key, sizes)] = read_value(one, sizes)
            except _FaultError as fault:
                raise fault.below(f"[{shown(key)}]") from None
            return make(built)

        return read
    read_pairs = _reader(list[tuple[of_keys, of_values]])  # type: ignore[valid-type]

    def read_list(value: Any, sizes: _Sizes) -> Any:
        pairs = read_pairs(value, sizes)
        built = make(dict(pairs))
        if len(built) < len(pairs):
            raise _FaultError(": expected distinct keys")
        return built

    return read_list


def _array(value: Any, sizes: _Sizes) -> Any:
    import numpy as np

    hint: Any = float
    first = value
    while isinstance(first, list):
        hint, first = list[hint], first[0] if first else None
    rows = _reader(hint)(value, sizes)
    try:
        return np.array(rows, dtype=float)
    except ValueError:
        raise _FaultError(": expected rows of equal length") from None


def _check_sizes(built: Any, condition: Sized, sizes: _Sizes) -> None:
    shape = built.shape if hasattr(built, "shape") else (len(built),)
    if len(shape) != len(condition.names):
        raise _FaultError(f": expected an array by {' and '.join(condition.names)}")
    for name, size in zip(condition.names, shape, strict=True):
        if sizes.setdefault(name, size) != size:
            raise _FaultError(f": {size} of {name}, expected {sizes[name]}")


def _called(make: Callable[[Any], Any], value: Any) -> Any:
    try:
        return make(value)
    except AMParserError as error:
        raise _FaultError(f": {str(error)[:_LONGEST]}") from None
