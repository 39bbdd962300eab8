"""The grammars that come with the package: rules in NAME.irtg, words in lexicon.tsv.

What a corpus of a grammar consists of stands in NAME.toml.

In a sentence the first word has a capital; in the grammar it has one only if it is a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from amparser.errors import InputError
from amparser.grammar.algebras import LAMBDA, STRING, value
from amparser.grammar.chart import Chart, StringParser
from amparser.grammar.formulas import formula_of, vf_of
from amparser.grammar.irtg import Derivation, Irtg, Term
from amparser.grammar.meaning import logical_form_of, varfree_of
from amparser.grammar.plan import Plan
from amparser.grammar.reader import read_grammar
from amparser.logic.cogs import LogicalForm, logical_form_to_str
from amparser.logic.fol import Formula
from amparser.logic.varfree import Term as VarFree
from amparser.logic.vf import Term as VFTerm
from amparser.resources import package_data

# Grammars of sentences without a capital.
_SMALL = frozenset({"sygns"})


@dataclass(frozen=True)
class Library:
    """A grammar with what sentences look like.

    Attributes:
        name: of its file.
        grammar: the grammar itself.
        folder: where its files lie.
    """

    name: str
    grammar: Irtg
    folder: Path

    @cached_property
    def settings(self) -> tuple[str, ...]:
        """The names of the corpora that the grammar has, or none where it has a single one."""
        prefix = f"{self.name}_"
        names = (path.stem for path in self.folder.glob(f"{prefix}*.toml"))
        return tuple(sorted(name.removeprefix(prefix) for name in names))

    def plan(self, setting: str | None = None) -> Plan:
        """What a corpus consists of.

        Raises:
            InputError: there is no such setting, or none was named of several.
            GrammarError: the file is malformed.
        """
        expected = ", ".join(self.settings) or "none"
        if setting is None and self.settings:
            raise InputError(f"{self.name} has several corpora: name a setting, one of {expected}")
        if setting is not None and setting not in self.settings:
            raise InputError(f"no setting {setting!r} of {self.name}, expected {expected}")
        stem = self.name if setting is None else f"{self.name}_{setting}"
        return Plan(self.folder / f"{stem}.toml", self.grammar)

    @cached_property
    def _parser(self) -> StringParser:
        return StringParser(self.grammar, "string")

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words of all sentences; the first of a sentence is written small, if it may be."""
        return frozenset(
            word for rule in self.grammar.rules for word in _leaves(rule.terms["string"])
        )

    def chart(self, tokens: Sequence[str]) -> Chart:
        """The derivations of a sentence, as it is written."""
        return self._parser.parse(self.words(tokens))

    def unknown(self, tokens: Sequence[str]) -> list[str]:
        """The tokens of a sentence that the grammar does not have."""
        words = zip(tokens, self.words(tokens), strict=True)
        return [token for token, word in words if word not in self.vocabulary]

    def words(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The words of a sentence as the grammar has them."""
        if tokens and tokens[0] not in self.vocabulary:
            return (tokens[0][:1].lower() + tokens[0][1:], *tokens[1:])
        return tuple(tokens)

    def tokens(self, derivation: Derivation) -> tuple[str, ...]:
        """The sentence of a derivation, as it is written; a word alone stays as it is."""
        words: tuple[str, ...] = value(derivation, "string", STRING)
        if len(words) == 1 or self.name in _SMALL:
            return words
        return (words[0][:1].upper() + words[0][1:], *words[1:])

    def varfree(self, derivation: Derivation) -> VarFree:
        """The variable-free form of a derivation."""
        return varfree_of(value(derivation, "varfree", LAMBDA))

    def logical_form(self, derivation: Derivation) -> LogicalForm:
        """The logical form of a derivation in the notation of COGS."""
        meaning = value(derivation, "varfree", LAMBDA)
        return logical_form_of(meaning, self.tokens(derivation))

    def formula(self, derivation: Derivation) -> Formula:
        """The first-order formula of a derivation, where the grammar has one (`fol`)."""
        return formula_of(value(derivation, "fol", LAMBDA))

    def vf(self, derivation: Derivation) -> VFTerm:
        """The variable-free formula of a derivation, where the grammar has one (`form`)."""
        return vf_of(value(derivation, "form", LAMBDA))

    def meaning(self, derivation: Derivation) -> str:
        """The logical form of a derivation in the notation of its benchmark."""
        if "fol" in self.grammar.interpretations:
            return str(self.formula(derivation))
        return logical_form_to_str(self.logical_form(derivation))


def _leaves(term: Term) -> Iterator[str]:
    if not term.children and not term.variable:
        yield term.label
    for child in term.children:
        yield from _leaves(child)


def load_library(name: str) -> Library:
    """A grammar of the package, such as `slog`.

    Raises:
        InputError: there is none of this name.
        GrammarError: it is malformed.
    """
    path = package_data("grammars") / f"{name}.irtg"
    if not path.is_file():
        known = ", ".join(sorted(p.stem for p in path.parent.glob("*.irtg")))
        raise InputError(f"no grammar {name!r}, expected one of {known}")
    return Library(name, read_grammar(path), path.parent)
