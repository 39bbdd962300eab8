"""The grammars that come with the package: rules in NAME.irtg, words in NAME.tsv.

A line of the table is a rule of one word: the nonterminal, the word, its value in
the interpretations that are none of strings, and its weight, separated by tabs.
`expanded` writes them in the notation of the rules. In a sentence the first word
has a capital; in the grammar it has one only if it is a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from amparser.errors import GrammarError, InputError, located
from amparser.grammar.algebras import STRING
from amparser.grammar.chart import Chart, StringParser
from amparser.grammar.irtg import Irtg, Term
from amparser.grammar.reader import grammar_from_str, name_to_str
from amparser.resources import package_data

_COLUMNS = 4


@dataclass(frozen=True)
class Library:
    """A grammar with what sentences look like.

    Attributes:
        name: of its files.
        text: rules and words in Alto's notation.
    """

    name: str
    text: str

    @cached_property
    def grammar(self) -> Irtg:
        """The grammar itself."""
        return grammar_from_str(self.text, f"{self.name}.irtg")

    @cached_property
    def _parser(self) -> StringParser:
        return StringParser(self.grammar, "string")

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(
            word for rule in self.grammar.rules for word in _leaves(rule.terms["string"])
        )

    def chart(self, tokens: Sequence[str]) -> Chart:
        """The derivations of a sentence, as it is written."""
        return self._parser.parse(self.words(tokens))

    def unknown(self, tokens: Sequence[str]) -> list[str]:
        """The words of a sentence that the grammar does not have."""
        return [word for word in self.words(tokens) if word not in self._words]

    def words(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The words of a sentence as the grammar has them."""
        if tokens and tokens[0] not in self._words:
            return (tokens[0][:1].lower() + tokens[0][1:], *tokens[1:])
        return tuple(tokens)


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
    table = path.with_suffix(".tsv")
    words = table.read_text(encoding="utf-8") if table.is_file() else ""
    return Library(name, expanded(path.read_text(encoding="utf-8"), words, table.name))


def expanded(rules: str, words: str, path: object = "<words>") -> str:
    """Rules with a table of words, all in the notation of rules.

    Raises:
        GrammarError: naming path and line of the table.
    """
    declared = [line for line in rules.splitlines() if line.startswith("interpretation ")]
    algebras = dict(line.removeprefix("interpretation ").split(": ", 1) for line in declared)
    parts = [rules]
    for number, line in enumerate(words.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        columns = line.split("\t")
        if len(columns) != _COLUMNS:
            message = f"expected nonterminal, word, value and weight, found {len(columns)} columns"
            raise GrammarError(located(message, path=path, line=number))
        nonterminal, word, label, weight = columns
        try:
            positive = float(weight) > 0
        except ValueError:
            positive = False
        if not positive:
            message = f"expected a positive weight, not {weight!r}"
            raise GrammarError(located(message, path=path, line=number))
        parts.append(
            f"{name_to_str(nonterminal)} -> {name_to_str(f'{nonterminal} {word}')} [{weight}]"
        )
        parts += [
            f"  [{name}] {name_to_str(word if algebra == STRING else label)}"
            for name, algebra in algebras.items()
        ]
    return "\n".join(parts) + "\n"
