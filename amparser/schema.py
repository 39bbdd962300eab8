"""One check for every JSON or TOML value that comes from outside: models, records, settings.

What is expected is written as a type, and a value that differs is reported with its file and
key:

    class Row(NamedTuple):      a list of values in this order
    class Head(TypedDict):      an object with these keys
    @dataclass class Kept:      an object with the public fields, all of them
    list[X], tuple[X, Y], Sequence[X], frozenset[X], NDArray[X]       a list
    dict[str, X], Counter[str]  an object
    dict[K, X], Counter[K]      a list of pairs, if K is no text
    X | None, Literal["a", "b"], str, int, float, bool
    Annotated[int, Range(1)]    and further conditions, each with `admits` and a text
    Annotated[X, AsText(f, g)]  a text that g reads

The types are those of Python's own annotations, so that type checkers see the same. A number
is no truth value, an integer may stand for a number with a fraction, and numbers are finite.

`from_json` gives the objects that a value stands for, and `to_json` is its inverse. Lists may
name their lengths (`Sized`), and numbers say in which of these lists they point (`Index`). What
no type says of a class is in its method `misfit`, which returns what is wrong, or None.
"""

from __future__ import annotations

import json
import types
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from functools import cache
from math import inf
from pathlib import Path
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

from amparser.conditions import LARGEST, AsText, Count, Index, Matching, OneOf, Sized
from amparser.errors import AMParserError

Checked = TypeVar("Checked")

_SHOWN, _FEW, _LONGEST = 60, 5, 200
_NAMES = {
    int: "an integer",
    float: "a number",
    str: "text",
    bool: "true or false",
    type(None): "null",
    list: "a list",
    dict: "an object",
}


def from_json(
    value: object,
    expected: type[Checked],
    where: object,
    key: str = "",
    *,
    error: type[AMParserError],
) -> Checked:
    """The object of type `expected` that a value stands for.

    Args:
        value: what was read.
        expected: its type; see the module.
        where: the file, with which messages begin.
        key: the key of the value in the file, with which the keys inside begin.
        error: the class of the error.

    Raises:
        AMParserError: of the class `error`; one line that names file, key, value and what was
            expected there.
    """
    try:
        built: Checked = _Reader().read(value, expected, key)
    except RecursionError:
        raise error(f"{where}: {key}: nested too deeply") from None
    except _FaultError as fault:
        raise error(f"{where}: {fault}") from None
    return built


def to_json(value: Any, expected: Any) -> Any:
    """The JSON value of an object of type `expected`: the inverse of `from_json`.

    Objects keep their order, and sets are sorted.
    """
    plain, *conditions = _unannotated(expected)
    for condition in conditions:
        if isinstance(condition, AsText):
            return condition.to_str(value)
    origin, inner = get_origin(plain), get_args(plain)
    if origin in _UNIONS:
        plains = {one: _unannotated(one)[0] for one in inner}
        kind = next(k for k, one in plains.items() if isinstance(value, get_origin(one) or one))
        return to_json(value, kind)
    if is_dataclass(plain):
        hints: dict[str, Any] = _kept(plain)  # type: ignore[arg-type]
        return {name: to_json(getattr(value, name), hint) for name, hint in hints.items()}
    if _is_mapping(origin):
        of_keys, of_values = _of_mapping(plain)
        if _is_text(of_keys):
            return {name: to_json(one, of_values) for name, one in value.items()}
        return [[to_json(k, of_keys), to_json(v, of_values)] for k, v in value.items()]
    if _is_array(origin):
        return value.tolist()
    if isinstance(value, Set):
        return sorted(to_json(one, inner[0]) for one in value)
    if _is_fixed(plain):
        return [to_json(*pair) for pair in zip(value, _items(plain), strict=True)]
    if _json_type(plain) is list and inner:
        return [to_json(one, inner[0]) for one in value]
    return value


def json_of(path: Path, *, error: type[AMParserError]) -> Any:
    """The value in a JSON file, unchecked.

    Raises:
        AMParserError: of the class `error`; the file cannot be read, or is not JSON.
    """
    try:
        return json.loads(regular(path).read_bytes(), object_pairs_hook=once)
    except OSError as problem:
        raise error(f"{path}: cannot read it: {problem.strerror}") from None
    except RecursionError:
        raise error(f"{path}: nested too deeply") from None
    except RepeatedKeyError as problem:
        raise error(f"{path}: {problem}") from None
    except ValueError:  # no JSON, no UTF-8, or a number with too many digits
        raise error(f"{path}: truncated or not JSON") from None


class RepeatedKeyError(ValueError):
    """A JSON object in which a key stands twice."""


def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The JSON object of pairs of a key and a value; raises RepeatedKeyError.

    This is an `object_pairs_hook` for `json.loads`, which would take the last of equal keys.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        key = next(key for key, count in counts.items() if count > 1)
        raise RepeatedKeyError(f"the key {json.dumps(key)} stands twice in one object")
    return found


def regular(path: Path) -> Path:
    """The path itself; raises OSError if it is a pipe or a device, whose reading may never end."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(None, "not a regular file")
    return path


def shown(value: object) -> str:
    """A value in a message, cut where it is long.

    >>> shown("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."
    """
    if isinstance(value, dict | list) and len(value) > _FEW:
        return f"{_NAMES[list if isinstance(value, list) else dict]} of {len(value)}"
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # more digits than Python writes
        return "a huge value"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def described(expected: Any) -> str:
    """What is expected, in words.

    >>> from amparser.conditions import Range
    >>> described(Annotated[int, Range(1)])
    'an integer, at least 1'
    """
    plain, condition, *_ = (*_unannotated(expected), None)
    if isinstance(condition, OneOf | Matching):
        return str(condition)
    if isinstance(condition, AsText):
        return _NAMES[str]
    if get_origin(plain) in _UNIONS:
        name = " or ".join(dict.fromkeys(described(one) for one in get_args(plain)))
    elif _is_fixed(plain):
        name = f"a list of {len(_items(plain))}"
    else:
        name = _NAMES[_json_type(plain)]
    return name if isinstance(condition, Sized | Index | None) else f"{name}, {condition}"


class _FaultError(Exception):
    """What is wrong with a value, and where."""


class _Reader:
    """Makes objects of JSON values; raises _FaultError.

    Attributes:
        sizes: the lengths that have names, in the order in which they were seen.
    """

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}

    def read(self, value: Any, expected: Any, key: str) -> Any:
        """The object that a value stands for; `key` is its place."""
        if expected is Any or expected is object:
            return value
        plain, *conditions = _unannotated(expected)
        if get_origin(plain) in _UNIONS:
            return self._read_union(value, plain, key)
        text = next((one for one in conditions if isinstance(one, AsText)), None)
        if not _has_type(value, str if text else plain):
            raise _FaultError(
                f"{key or 'the whole'} = {shown(value)}: expected {described(expected)}"
            )
        if text:
            return self._called(text.from_str, value, key)
        built = self._read_inside(value, plain, key)
        for condition in conditions:
            if isinstance(condition, Sized):
                self._check_sizes(built, condition, key)
            elif isinstance(condition, Index):
                size = self.sizes.get(condition.of, LARGEST)
                if not 0 <= value < size:
                    of = f"the number of a {condition.of}, below {size}"
                    raise _FaultError(f"{key} = {value}: expected {of}")
            elif not condition.admits(built):
                expects = described(Annotated[plain, condition])
                raise _FaultError(f"{key} = {shown(value)}: expected {expects}")
        return built

    def _read_union(self, value: Any, plain: Any, key: str) -> Any:
        faults = []
        for one in get_args(plain):
            try:
                return self.read(value, one, key)
            except _FaultError as fault:
                # The problem inside the part of the right type says more than that no part fits.
                if isinstance(value, dict | list) and _has_type(value, _unannotated(one)[0]):
                    faults.append(fault)
        if faults:
            raise faults[0]
        raise _FaultError(f"{key} = {shown(value)}: expected {described(plain)}")

    def _read_inside(self, value: Any, plain: Any, key: str) -> Any:
        origin, inner = get_origin(plain), get_args(plain)
        if is_dataclass(plain) or is_typeddict(plain):
            return self._read_object(value, plain, key)
        if _is_mapping(origin):
            return self._read_mapping(value, plain, key)
        if _is_array(origin):
            return self._read_array(value, key)
        if _is_fixed(plain):
            names = getattr(plain, "_fields", None)
            places = [f".{name}" for name in names or ()] or [f"[{i}]" for i in range(len(value))]
            triples = zip(value, _items(plain), places, strict=True)
            items = [self.read(one, hint, f"{key}{place}") for one, hint, place in triples]
            return plain(*items) if names else tuple(items)
        if isinstance(value, list | tuple) and inner:
            rows = ((one, inner[0], f"{key}[{i}]") for i, one in enumerate(value))
            return (origin if origin in (list, frozenset) else tuple)(self._each(rows))
        return float(value) if plain is float else value

    def _each(self, rows: Iterable[tuple[Any, Any, str]]) -> Iterator[Any]:
        """The objects of several values, each of which names lengths of its own."""
        known = len(self.sizes)
        for row in rows:
            yield self.read(*row)
            while len(self.sizes) > known:
                self.sizes.popitem()

    def _read_object(self, value: Mapping[str, Any], plain: Any, key: str) -> Any:
        stored = is_dataclass(plain)
        prefix = f"{key}." if key else ""
        found = {}
        hints = _kept(plain) if stored else _hints(plain)
        newer = getattr(plain, "newer", ())
        for name, hint in hints.items():
            optional = get_origin(hint) is NotRequired
            if name in value:
                inner = get_args(hint)[0] if optional else hint
                found[name] = self.read(value[name], inner, f"{prefix}{name}")
            # `__required_keys__` is wrong where annotations are texts.
            elif name not in newer and (stored or (plain.__total__ and not optional)):
                raise _FaultError(f"{prefix + name!r} is missing")
        if not stored:
            return {**value, **found}
        built = self._called(lambda one: plain(**one), found, key)
        misfit = getattr(built, "misfit", None)
        if misfit is not None and (problem := self._called(lambda _: misfit(), None, key)):
            raise _FaultError(f"{key}{problem}")
        return built

    def _read_mapping(self, value: Any, plain: Any, key: str) -> Any:
        of_keys, of_values = _of_mapping(plain)
        origin: Any = get_origin(plain)
        make = dict if origin is Mapping else origin
        if _is_text(of_keys):
            places = {name: f"{key}[{shown(name)}]" for name in value}
            names = [self.read(name, of_keys, place) for name, place in places.items()]
            rows = ((value[name], of_values, place) for name, place in places.items())
            return make(dict(zip(names, self._each(rows), strict=True)))
        pair = tuple[of_keys, of_values]  # type: ignore[valid-type]
        pairs = list(self._each((one, pair, f"{key}[{i}]") for i, one in enumerate(value)))
        built = make(dict(pairs))
        if len(built) < len(pairs):
            raise _FaultError(f"{key}: expected different keys")
        return built

    def _read_array(self, value: Any, key: str) -> Any:
        import numpy as np

        hint: Any = float
        first = value
        while isinstance(first, list):
            hint, first = list[hint], first[0] if first else None
        rows = self.read(value, hint, key)
        try:
            return np.array(rows, dtype=float)
        except ValueError:
            raise _FaultError(f"{key}: expected rows of one length") from None

    def _check_sizes(self, built: Any, condition: Sized, key: str) -> None:
        shape = built.shape if hasattr(built, "shape") else (len(built),)
        if len(shape) != len(condition.names):
            raise _FaultError(f"{key}: expected numbers by {' and '.join(condition.names)}")
        for name, size in zip(condition.names, shape, strict=True):
            if self.sizes.setdefault(name, size) != size:
                raise _FaultError(f"{key}: {size} of {name}, expected {self.sizes[name]}")

    def _called(self, make: Callable[[Any], Any], value: Any, key: str) -> Any:
        """What a function makes of a value, if it can."""
        try:
            return make(value)
        except AMParserError as error:
            raise _FaultError(f"{key}: {str(error)[:_LONGEST]}") from None


def _unannotated(expected: Any) -> tuple[Any, ...]:
    """The type alone, and the conditions on its values."""
    if get_origin(expected) is Annotated:
        return get_args(expected)
    if get_origin(expected) is Literal:
        return str, OneOf(get_args(expected))
    return (expected,)


def _json_type(plain: Any) -> Any:
    """The type of JSON values that stand for objects of a type."""
    origin = get_origin(plain)
    if is_typeddict(plain) or is_dataclass(plain):
        return dict
    if _is_mapping(origin):
        return dict if _is_text(_of_mapping(plain)[0]) else list
    if (
        _is_array(origin)
        or hasattr(plain, "_fields")
        or origin in (list, tuple, frozenset, Sequence)
    ):
        return list
    return plain


def _has_type(value: object, plain: Any) -> bool:
    if plain is float:
        if type(value) is int:
            return -LARGEST <= value <= LARGEST
        return type(value) is float and -inf < value < inf
    if plain is int:
        return type(value) is int and -LARGEST <= value <= LARGEST
    if plain is str:
        return type(value) is str and _is_writable(value)
    kind = _json_type(plain)
    if kind is list and isinstance(value, list | tuple):
        return not _is_fixed(plain) or len(value) == len(_items(plain))
    return isinstance(value, dict) if kind is dict else type(value) is kind


def _is_writable(text: str) -> bool:
    """Whether a text has no half of a character, which JSON can hold and UTF-8 cannot."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_mapping(origin: Any) -> bool:
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _of_mapping(plain: Any) -> tuple[Any, Any]:
    """The types of keys and values; a counter has counts."""
    of_keys, *of_values = get_args(plain)
    return of_keys, of_values[0] if of_values else Count


def _is_text(expected: Any) -> bool:
    return _unannotated(expected)[0] is str


def _is_array(origin: Any) -> bool:
    # NumPy need not be there where no array is. From 2.5 on its `NDArray` is a named alias.
    return getattr(origin, "__name__", "") in ("ndarray", "NDArray")


def _is_fixed(plain: Any) -> bool:
    """Whether it is a list of fixed length."""
    is_open = get_args(plain)[-1:] == (Ellipsis,)
    return hasattr(plain, "_fields") or (get_origin(plain) is tuple and not is_open)


@cache
def _items(plain: Any) -> tuple[Any, ...]:
    """The types of the values in a list of fixed length."""
    return get_args(plain) if get_origin(plain) is tuple else tuple(_hints(plain).values())


@cache
def _hints(plain: Any) -> dict[str, Any]:
    return get_type_hints(plain, include_extras=True)


@cache
def _kept(plain: Any) -> dict[str, Any]:
    """The types of the public fields of a dataclass."""
    hints = _hints(plain)
    return {one.name: hints[one.name] for one in fields(plain) if one.name[0] != "_"}


_UNIONS = (Union, types.UnionType)
