"""The grammars that come with the package: `NAME.irtg` has the rules, a table the words.

`NAME.toml` describes a corpus of the grammar. If a grammar has several corpora, each
has a file `NAME_VARIANT.toml`, and `NAME.toml` has what they share.

The first word of a sentence has a capital, but in the grammar only names have one. If
sentences begin with a small letter, `NAME.toml` says `capitalised = false`.
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
    """A grammar with what sentences look like."""

    name: str
    grammar: Irtg
    folder: Path

    @cached_property
    def variants(self) -> tuple[str, ...]:
        """The names of the corpora that the grammar has; empty if it has a single one."""
        prefix = f"{self.name}_"
        names = (path.stem for path in self.folder.glob(f"{prefix}*.toml"))
        return tuple(sorted(name.removeprefix(prefix) for name in names))

    @cached_property
    def capitalised(self) -> bool:
        """Whether sentences begin with a capital."""
        path = self.folder / f"{self.name}.toml"
        return bool(read_plan(path).get("capitalised", True)) if path.is_file() else True

    def plan(self, variant: str | None = None) -> Plan:
        """The plan of a corpus.

        Raises:
            InputError: there is no such variant, or there are several and none was named.
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
        """The words of all sentences, as the grammar writes them."""
        return frozenset(
            part
            for rule in self.grammar.rules
            for part in string_sequence(rule)
            if isinstance(part, str)
        )

    def chart(self, tokens: Sequence[str]) -> Chart:
        """The derivations of a sentence, as it is written."""
        return self._parser.parse(self.words(tokens))

    def unknown(self, tokens: Sequence[str]) -> list[str]:
        """The tokens of a sentence that are unknown to the grammar."""
        words = zip(tokens, self.words(tokens), strict=True)
        return [token for token, word in words if word not in self.vocabulary]

    def words(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The words of a sentence as the grammar writes them."""
        if tokens and tokens[0] not in self.vocabulary:
            return (tokens[0][:1].lower() + tokens[0][1:], *tokens[1:])
        return tuple(tokens)

    def tokens(self, derivation: Derivation) -> tuple[str, ...]:
        """The sentence of a derivation, as it is written; a single word keeps its case."""
        words: tuple[str, ...] = value(derivation, "string", STRING)
        if len(words) == 1 or not self.capitalised:
            return words
        return (words[0][:1].upper() + words[0][1:], *words[1:])


@cache
def load_library(name: str) -> Library:
    """A grammar of the package, which is read once.

    Raises:
        InputError: there is no grammar of this name.
        GrammarError: it is malformed.
    """
    if name not in grammar_names():
        raise InputError(f"no grammar {shown(name)}, {one_of(name, grammar_names())}")
    path = package_data("grammars") / f"{name}.irtg"
    return Library(name, read_grammar(path), path.parent)


def grammar_names() -> tuple[str, ...]:
    """The names of the grammars of the package."""
    return tuple(sorted(path.stem for path in package_data("grammars").glob("*.irtg")))
