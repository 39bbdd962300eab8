"""Validation of all JSON and TOML values from outside: models, records, settings.

The error for an invalid value names file and key. A type describes the expected JSON value:

    class Row(NamedTuple):      a list of values in this order
    class Head(TypedDict):      an object with these keys
    @dataclass class Kept:      an object with all public fields of the class
    list[X], tuple[X, Y], Sequence[X], frozenset[X], NDArray[X]       a list
    dict[str, X], Counter[str]  an object
    dict[K, X], Counter[K]      a list of key-value pairs, if keys are not texts
    X | None, Literal["a", "b"], str, int, float, bool
    Annotated[int, Range(1)]    an integer with a condition (`amparser.conditions`)
    Annotated[X, AsText(f, g)]  a text: f writes an object of type X as text, and g reads it

Types are written as Python annotations, so that type checkers understand them. An integer is
accepted as a float, but a number is not accepted as a Boolean. Numbers must be finite.

`from_json` builds the objects that a value describes; `to_json` is its inverse. The length of a
list may have a name (`Sized`), and an index refers to a length by its name (`Index`). A class may
have a method `misfit` that checks a complete object; it returns a problem or None.

One `_Form` is built and cached for each type. It reads, writes and describes the type's values. An
error inside a value gets the keys and indices of all enclosing values, such as `.rows[3]`.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from math import inf
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from amparser.conditions import AsText, Count, Index, Matching, OneOf, Sized
from amparser.errors import AMParserError, shown
from amparser.limits import LARGEST_NUMBER

Checked = TypeVar("Checked")

_LONGEST = 200
_MISSING = " is missing"
_HALF = re.compile("[\ud800-\udfff]")
"""Pattern of half a surrogate pair; JSON allows it, but UTF-8 does not."""
_LIST, _OBJECT, _TEXT = "a list", "an object", "text"
_NAMES = {
    int: "an integer",
    float: "a number",
    str: _TEXT,
    bool: "true or false",
    type(None): "null",
    list: _LIST,
    dict: _OBJECT,
}


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
        built: Checked = _form(expected).read(value, {})  # type: ignore[arg-type]
    except RecursionError:
        raise error(f"{where}: {key}: nested too deeply") from None
    except _FaultError as fault:
        raise error(f"{where}: {fault.line(key)}") from None
    return built


def to_json(value: Any, expected: Any) -> Any:
    """Return the JSON value of an object of type `expected`: the inverse of `from_json`."""
    return _form(expected).write(value)


def described(expected: Any) -> str:
    """Describe an expected value in words.

    >>> from amparser.conditions import Range
    >>> described(Annotated[int, Range(1)])
    'an integer, at least 1'
    """
    return _form(expected).name


class _FaultError(ValueError):
    """Error for an invalid value; `from_json` turns it into an AMParserError.

    Attributes:
        text: the problem, without its place in the value.
        place: keys and indices that lead to the value, such as `.rows[3]`.
    """

    def __init__(self, text: str, place: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.place = place

    @property
    def is_inside(self) -> bool:
        """True if the value has the right type, but a part of it is invalid."""
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
_Read = Callable[[Any, _Sizes], Any]
"""Function that reads a value, given the lengths named so far; raises _FaultError."""


def _unchanged(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class _Form:
    """Functions that read and describe the values of a type and write them to JSON.

    Attributes:
        words: description of the expected value, or a function that returns it on demand.
        fill: like `read`, for an object inside another one; lengths that the inner object names
            also apply to the following fields of the outer object.
    """

    words: str | Callable[[], str]
    read: _Read
    write: Callable[[Any], Any] = _unchanged
    fill: _Read | None = None

    @property
    def name(self) -> str:
        return self.words if isinstance(self.words, str) else self.words()


@cache
def _form(expected: Any) -> _Form:
    origin, inner = get_origin(expected), get_args(expected)
    if origin is Annotated:
        return _conditioned(_form(inner[0]), inner[1:])
    if origin is Literal:
        return _conditioned(_form(str), (OneOf(inner),))
    if expected is Any or expected is object:
        return _Form(_OBJECT, lambda value, sizes: value)
    if origin in (Union, types.UnionType):
        return _union(inner)
    if is_dataclass(expected) or is_typeddict(expected):
        return _object(expected)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        # The values of a Counter are counts.
        return _mapping(dict if origin is Mapping else origin, *(*inner, Count)[:2])
    # Compare the name, to avoid importing NumPy. From NumPy 2.5 on, `NDArray` is a named alias.
    if getattr(origin, "__name__", "") in ("ndarray", "NDArray"):
        return _Form(_LIST, _array, lambda array: array.tolist())
    if hasattr(expected, "_fields"):
        hints = get_type_hints(expected, include_extras=True)
        return _fixed([*hints.values()], [f".{name}" for name in hints], expected)
    if origin is tuple and inner[-1] is not ...:
        return _fixed(inner, [f"[{i}]" for i in range(len(inner))], lambda *items: items)
    if origin in (list, tuple, frozenset, Sequence):
        return _list(_form(inner[0]), tuple if origin is Sequence else origin)
    return _plain(expected)


def _plain(expected: Any) -> _Form:
    name = _NAMES[expected]

    def read(value: Any, sizes: _Sizes) -> Any:
        if not _has_type(value, expected):
            raise _expected(value, name)
        return float(value) if expected is float else value

    return _Form(name, read)


def _has_type(value: object, plain: Any) -> bool:
    if type(value) is int and plain in (int, float):
        return -LARGEST_NUMBER <= value <= LARGEST_NUMBER
    if plain is float:
        return type(value) is float and -inf < value < inf
    if plain is str:
        return type(value) is str and (value.isascii() or not _HALF.search(value))
    return type(value) is plain


def _conditioned(form: _Form, conditions: Sequence[Any]) -> _Form:
    if isinstance(conditions[0], AsText):
        return _text(conditions[0])

    def read(value: Any, sizes: _Sizes) -> Any:
        try:
            built = form.read(value, sizes)
        except _FaultError as fault:
            name = _name(form, conditions[0])
            raise fault if fault.is_inside else _expected(value, name) from None
        for condition in conditions:
            if isinstance(condition, Sized):
                _check_sizes(built, condition, sizes)
            elif isinstance(condition, Index):
                size = sizes.get(condition.of, LARGEST_NUMBER)
                if not 0 <= built < size:
                    raise _expected(value, f"the index of a {condition.of}, below {size}")
            elif not condition.admits(built):
                raise _expected(value, _name(form, condition))
        return built

    return _Form(lambda: _name(form, conditions[0]), read, form.write)


def _name(form: _Form, condition: Any) -> str:
    if isinstance(condition, OneOf | Matching):
        return str(condition)
    return form.name if isinstance(condition, Sized | Index) else f"{form.name}, {condition}"


def _text(condition: AsText) -> _Form:
    text = _form(str)

    def read(value: Any, sizes: _Sizes) -> Any:
        return _called(condition.from_str, text.read(value, sizes))

    return _Form(_TEXT, read, condition.to_str)


def _union(members: Sequence[Any]) -> _Form:
    forms = [_form(member) for member in members]
    plain = [get_args(one)[0] if get_origin(one) is Annotated else one for one in members]
    kinds = [get_origin(one) or one for one in plain]

    def name() -> str:
        return " or ".join(dict.fromkeys(form.name for form in forms))

    def read(value: Any, sizes: _Sizes) -> Any:
        faults = []
        for form in forms:
            try:
                return form.read(value, sizes)
            except _FaultError as fault:
                faults.append(fault)
        # Report a problem inside a value of the right type rather than a wrong type.
        raise next((one for one in faults if one.is_inside), _expected(value, name()))

    def write(value: Any) -> Any:
        kind = next(i for i, kind in enumerate(kinds) if isinstance(value, kind))
        return forms[kind].write(value)

    return _Form(name, read, write)


def _each(rows: Iterable[tuple[_Read, Any, str]], sizes: _Sizes) -> list[Any]:
    built = []
    for read, value, place in rows:
        try:
            built.append(read(value, sizes))
        except _FaultError as fault:
            raise fault.below(place) from None
    return built


def _list(form: _Form, make: Any) -> _Form:
    def read(value: Any, sizes: _Sizes) -> Any:
        if not isinstance(value, list | tuple):
            raise _expected(value, _LIST)
        built = []
        try:
            for one in value:
                built.append(form.read(one, sizes))
        except _FaultError as fault:
            raise fault.below(f"[{len(built)}]") from None
        return make(built)

    def write(value: Any) -> list[Any]:
        items = map(form.write, value)
        return sorted(items) if make is frozenset else [*items]

    return _Form(_LIST, read, write)


def _fixed(items: Sequence[Any], places: Sequence[str], make: Callable[..., Any]) -> _Form:
    forms = [_form(item) for item in items]
    readers = [form.read for form in forms]
    name = f"a list of {len(forms)}"

    def read(value: Any, sizes: _Sizes) -> Any:
        if not isinstance(value, list | tuple) or len(value) != len(forms):
            raise _expected(value, name)
        return make(*_each(zip(readers, value, places, strict=True), sizes))

    def write(value: Any) -> list[Any]:
        return [form.write(one) for form, one in zip(forms, value, strict=True)]

    return _Form(name, read, write)


def _object(expected: Any) -> _Form:
    stored, optional = is_dataclass(expected), {*getattr(expected, "newer", ())}

    @cache
    def members() -> dict[str, _Form]:  # computed on demand, because a class may contain itself
        hints = get_type_hints(expected, include_extras=True)
        if is_dataclass(expected):
            names = [public.name for public in fields(expected) if public.name[0] != "_"]
            return {name: _form(hints[name]) for name in names}
        # `__required_keys__` is wrong if annotations are strings.
        some = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
        optional.update(some if expected.__total__ else hints)
        plain = {n: get_args(hint)[0] if n in some else hint for n, hint in hints.items()}
        return {name: _form(hint) for name, hint in plain.items()}

    def fill(value: Any, sizes: _Sizes) -> Any:
        if not isinstance(value, dict):
            raise _expected(value, _OBJECT)
        forms = members()
        if missing := next((n for n in forms if n not in value and n not in optional), None):
            raise _FaultError(_MISSING, f".{missing}")
        names = [name for name in forms if name in value]
        rows = ((forms[name].fill or forms[name].read, value[name], f".{name}") for name in names)
        values = dict(zip(names, _each(rows, sizes), strict=True))
        if not stored:
            return {**value, **values}
        built = _called(lambda fields: expected(**fields), values)
        misfit = getattr(built, "misfit", None)
        if misfit is not None and (problem := _called(lambda _: misfit(), None)):
            raise _FaultError(problem)
        return built

    def write(value: Any) -> Any:
        if not stored:
            return value
        return {name: form.write(getattr(value, name)) for name, form in members().items()}

    return _Form(_OBJECT, lambda value, sizes: fill(value, sizes.copy()), write, fill)


def _mapping(make: Any, of_keys: Any, of_values: Any) -> _Form:
    key_form, value_form = _form(of_keys), _form(of_values)
    pairs = _list(_fixed((of_keys, of_values), ("[0]", "[1]"), lambda *pair: pair), list)

    def read(value: Any, sizes: _Sizes) -> Any:
        if not isinstance(value, dict):
            raise _expected(value, _OBJECT)
        built, key = {}, ""
        try:
            for key, one in value.items():
                built[key_form.read(key, sizes)] = value_form.read(one, sizes)
        except _FaultError as fault:
            raise fault.below(f"[{shown(key)}]") from None
        return make(built)

    def write(value: Any) -> dict[str, Any]:
        return {name: value_form.write(one) for name, one in value.items()}

    def read_pairs(value: Any, sizes: _Sizes) -> Any:
        items = pairs.read(value, sizes)
        built = make(dict(items))
        if len(built) < len(items):
            raise _FaultError(": expected distinct keys")
        return built

    plain = get_args(of_keys)[0] if get_origin(of_keys) is Annotated else of_keys
    if plain is str or get_origin(plain) is Literal:
        return _Form(_OBJECT, read, write)
    return _Form(_LIST, read_pairs, lambda value: pairs.write(value.items()))


def _array(value: Any, sizes: _Sizes) -> Any:
    import numpy as np

    hint: Any = float
    first = value
    while isinstance(first, list):
        hint, first = list[hint], first[0] if first else None
    rows = _form(hint).read(value, sizes)
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
            raise _FaultError(f": length {size}, expected {sizes[name]}, one for each {name}")


def _called(make: Callable[[Any], Any], value: Any) -> Any:
    try:
        return make(value)
    except AMParserError as error:
        raise _FaultError(f": {str(error)[:_LONGEST]}") from None
