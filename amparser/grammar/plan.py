"""Plan of a corpus: its types of sentences, and the constraints on their derivations.

A plan is a file `grammars/NAME.toml` or `grammars/NAME_VARIANT.toml`; `grammars/english.toml`
explains its keys.
"""

from __future__ import annotations

import fnmatch
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from amparser.errors import GrammarError, located
from amparser.grammar import algebras
from amparser.grammar.irtg import Derivation, Irtg
from amparser.grammar.sample import Apart, Beside, Constraint, Limit, Sampler
from amparser.grammar.templates import read_file

_SPLIT = re.compile(r"train|dev|(test|gen)(_\w+)?")
ALL = "all"
_LISTS = ("without", "with", "only", "apart", "apart_directly", "beside")
_PAIRS = ("apart", "apart_directly", "beside")
_KEYS = (*_LISTS, "start", "weights", "either", "all", "like")


@dataclass(frozen=True)
class SentenceType:
    """A type of sentences.

    Attributes:
        samplers: samplers of the type; each sample comes from one of them, drawn at random.
        enumerated: all derivations in order, if they are listed instead of sampled; else empty.
    """

    name: str
    samplers: Sequence[Sampler]
    enumerated: Sequence[Derivation] = ()

    def sample(self, random: Random) -> Derivation:
        """Return a random derivation. Raises GrammarError, see `Sampler.sample`."""
        return random.choice(self.samplers).sample(random)


class Plan:
    """Plan of a corpus of a grammar. Raises GrammarError if the plan is malformed."""

    def __init__(self, path: Path, grammar: Irtg) -> None:
        self.path = path
        self.grammar = grammar
        table = read_plan(path)
        if "include" in table:
            table = _joined(read_plan(path.parent / str(table.pop("include"))), table)
        self._expect(table, ("capitalised", "distinct", "limits", "defaults", "types"), "")
        self._limits = table.get("limits", {})
        self._defaults = table.get("defaults", {})
        self._types: dict[str, dict[str, Any]] = table.get("types", {})
        self._distinct = self._matching(table.get("distinct", []), "distinct", grammar.by_parent)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the types, in order."""
        return tuple(self._types)

    def splits_of(self, name: str) -> Mapping[str, int | str]:
        """Return the number of sentences (or `all`) of a type in each split."""
        return {key: n for key, n in self._types[name].items() if _SPLIT.fullmatch(key)}

    def type_of(self, name: str) -> SentenceType:
        """Return a type with its samplers. Raises GrammarError if its settings are malformed."""
        settings = self._settings(name)
        samplers = [self._sampler(part, f"types.{name}") for part in self._parts(settings, name)]
        listed = samplers if settings.get("all") else ()
        return SentenceType(name, samplers, [d for one in listed for d in one.derivations()])

    def _settings(self, name: str) -> dict[str, Any]:
        """Return a type's settings, merged with the defaults and the type that `like` names."""
        settings = dict(self._types[name])
        rest = {key: value for key, value in settings.items() if not _SPLIT.fullmatch(key)}
        self._expect(rest, (*_KEYS, *self._limits), f"types.{name}")
        base = self._defaults
        if "like" in settings:
            if settings["like"] not in self._types or "like" in self._types[settings["like"]]:
                self._fail("expected a type without 'like'", f"types.{name}.like")
            base = _joined(base, self._types[settings.pop("like")])
        return {k: v for k, v in _joined(base, settings).items() if not _SPLIT.fullmatch(k)}

    def _parts(self, settings: dict[str, Any], name: str) -> Iterator[dict[str, Any]]:
        for part in settings.pop("either", [{}]):
            joined = _joined(settings, part)
            limits = [limit for limit in self._limits if limit in joined]
            ranges = [self._ranges(joined[limit], f"types.{name}.{limit}") for limit in limits]
            for chosen in product(*ranges):
                yield joined | dict(zip(limits, chosen, strict=True))

    def _ranges(self, value: Any, where: str) -> list[tuple[int, int]]:
        match value:
            case int(number):
                return [(number, number)]
            case [int(least), int(most)] if 0 <= least <= most:
                return [(least, most)]
            case {"least": int(least), "most": int(most), "even": True}:
                return [(number, number) for number in range(least, most + 1)]
        self._fail("expected a number, [least, most] or { least, most, even = true }", where)

    def _sampler(self, settings: Mapping[str, Any], where: str) -> Sampler:
        constraints: list[Constraint] = []
        for name, limit in self._limits.items():
            if name in settings:
                labels = self._labels(limit["rules"], f"limits.{name}")
                least, most = settings[name]
                constraints.append(Limit(labels, least, most, limit.get("nested", False)))
        for key in _PAIRS:
            for pair in settings.get(key, []):
                first, second = (self._labels(names.split(), f"{where}.{key}") for names in pair)
                if key == "beside":
                    constraints.append(Beside(first, second))
                else:
                    constraints.append(Apart(first, second, directly=key == "apart_directly"))
        try:
            return Sampler(
                self.grammar,
                settings["start"],
                constraints=constraints,
                weights=self._weights(settings, where),
                distinct=self._distinct,
                words=self._words,
            )
        except GrammarError as error:
            self._fail(str(error), where)

    def _weights(self, settings: Mapping[str, Any], where: str) -> dict[str, float]:
        without, kept, only = (
            self._labels(settings.get(key, []), f"{where}.{key}")
            for key in ("without", "with", "only")
        )
        parents = {self.grammar.by_label[label].parent for label in only}
        others = {rule.label for rule in self.grammar.rules if rule.parent in parents} - only
        weights = dict.fromkeys((without - kept) | others, 0.0)
        for pattern, weight in settings.get("weights", {}).items():
            for label in self._labels([pattern], f"{where}.weights"):
                weights.setdefault(label, float(weight))
        return weights

    @cached_property
    def _words(self) -> dict[str, str]:
        """Word of each rule without children; `distinct` compares these words."""
        return {
            rule.label: " ".join(algebras.value(Derivation(rule), "string", algebras.STRING))
            for rule in self.grammar.rules
            if not rule.children
        }

    def _labels(self, patterns: Sequence[str], where: str) -> frozenset[str]:
        return self._matching(patterns, where, self.grammar.by_label)

    def _matching(
        self, patterns: Sequence[str], where: str, known: Mapping[str, object]
    ) -> frozenset[str]:
        labels: set[str] = set()
        for pattern in patterns:
            matches = fnmatch.filter(known, pattern)
            if not matches:
                self._fail(f"no name in the grammar matches {pattern!r}", where)
            labels.update(matches)
        return frozenset(labels)

    def _expect(self, table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
        for key in table:
            if key not in known:
                self._fail(f"unknown key {key!r}, expected one of {', '.join(known)}", where)

    def _fail(self, message: str, where: str) -> NoReturn:
        raise GrammarError(located(f"{where}: {message}" if where else message, path=self.path))


def _joined(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` changed by `over`: lists are concatenated, tables merged, values replaced."""
    joined = dict(base)
    for key, value in over.items():
        old = joined.get(key)
        if key in _LISTS and isinstance(old, list):
            joined[key] = [*old, *value]
        elif key in ("limits", "defaults", "types", "weights") and isinstance(old, dict):
            joined[key] = _joined(old, value)
        else:
            joined[key] = value
    return joined


def read_plan(path: Path) -> dict[str, Any]:
    """Return the tables of a plan's file, without included plans. Raises GrammarError."""
    try:
        return tomllib.loads(read_file(path))
    except tomllib.TOMLDecodeError as error:
        raise GrammarError(located(f"not TOML: {error}", path=path)) from None
