"""The packaged grammars: `NAME.irtg` contains the rules, and a table contains the words.

`NAME.toml` describes a corpus of the grammar. If a grammar has several corpora, each of them has a
file `NAME_VARIANT.toml`, and `NAME.toml` contains their common part.

The first word of a sentence is capitalised, although only names are capitalised in the grammar. If
sentences begin in lower case, `NAME.toml` contains `capitalised = false`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from amparser.errors import InputError, one_of, shown
from amparser.grammar.algebras import STRING, value
from amparser.grammar.chart import Chart, StringParser, string_sequence
from amparser.grammar.irtg import Derivation, Irtg
from amparser.grammar.plan import Plan, read_plan
from amparser.grammar.reader import read_grammar
from amparser.resources import package_data


@dataclass(frozen=True)
class Library:
    """Packaged grammar, with the usual spelling of its sentences."""

    name: str
    grammar: Irtg
    folder: Path

    @cached_property
    def variants(self) -> tuple[str, ...]:
        """Names of the grammar's corpora; empty if there is only one."""
        prefix = f"{self.name}_"
        names = (path.stem for path in self.folder.glob(f"{prefix}*.toml"))
        return tuple(sorted(name.removeprefix(prefix) for name in names))

    @cached_property
    def capitalised(self) -> bool:
        """True if sentences begin with a capital letter."""
        path = self.folder / f"{self.name}.toml"
        return bool(read_plan(path).get("capitalised", True)) if path.is_file() else True

    def plan(self, variant: str | None = None) -> Plan:
        """Return the plan of a corpus.

        Raises:
            InputError: there is no such variant, or the grammar has several and none is given.
            GrammarError: the file is malformed.
        """
        expected = ", ".join(self.variants) or "none"
        if variant is None and self.variants:
            raise InputError(f"{self.name} has several corpora: name a variant, one of {expected}")
        if variant is not None and variant not in self.variants:
            raise InputError(f"no variant {variant!r} of {self.name}, expected {expected}")
        stem = self.name if variant is None else f"{self.name}_{variant}"
        return Plan(self.folder / f"{stem}.toml", self.grammar)

    @cached_property
    def _parser(self) -> StringParser:
        return StringParser(self.grammar, "string")

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Words of all sentences, as spelled in the grammar."""
        return frozenset(
            part
            for rule in self.grammar.rules
            for part in string_sequence(rule)
            if isinstance(part, str)
        )

    def chart(self, tokens: Sequence[str]) -> Chart:
        """Return the derivations of a sentence in its usual spelling."""
        return self._parser.parse(self.words(tokens))

    def unknown(self, tokens: Sequence[str]) -> list[str]:
        """Return the tokens of a sentence that are not in the grammar."""
        words = zip(tokens, self.words(tokens), strict=True)
        return [token for token, word in words if word not in self.vocabulary]

    def words(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return the words of a sentence as spelled in the grammar."""
        if tokens and tokens[0] not in self.vocabulary:
            return (tokens[0][:1].lower() + tokens[0][1:], *tokens[1:])
        return tuple(tokens)

    def tokens(self, derivation: Derivation) -> tuple[str, ...]:
        """Return a derivation's sentence in its usual spelling; a single word keeps its case."""
        words: tuple[str, ...] = value(derivation, "string", STRING)
        if len(words) == 1 or not self.capitalised:
            return words
        return (words[0][:1].upper() + words[0][1:], *words[1:])


@cache
def load_library(name: str) -> Library:
    """Return a packaged grammar; its files are read only once.

    Raises:
        InputError: the name is unknown.
        GrammarError: the grammar is malformed.
    """
    if name not in grammar_names():
        raise InputError(f"no grammar {shown(name)}, {one_of(name, grammar_names())}")
    path = package_data("grammars") / f"{name}.irtg"
    return Library(name, read_grammar(path), path.parent)


def grammar_names() -> tuple[str, ...]:
    """Return the names of the packaged grammars."""
    return tuple(sorted(path.stem for path in package_data("grammars").glob("*.irtg")))
