"""Alto's text notation for grammars: reading, with errors that show line and caret, and writing.

    interpretation string: de.up.ling.irtg.algebra.StringAlgebra

    S! -> r(NP, VP) [0.5]        // a rule; `!` marks a start, the default weight is 1
      [string] *(?1, ?2)         // its term in each interpretation

    NP -> john
      [string] John

Names that are not plain words are quoted, 'the man' or "the man". Comments extend from `//` to the
end of the line, or from `/*` to `*/`. Feature declarations are not supported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NoReturn

from amparser.errors import GrammarError, located
from amparser.grammar.algebras import ALGEBRAS, TREE
from amparser.grammar.irtg import Irtg, Rule, Term
from amparser.grammar.templates import expanded
from amparser.logic.token_reader import TokenReader

_TOKEN = re.compile(
    r"(?P<space>//[^\n]*|/\*.*?\*/)|/\*.*|'[^'\n]*'|\"[^\"\n]*\"|->|\?[0-9]+|[()\[\],:!]"
    r"|[^\s()\[\],:!?'\"]+|\S",
    re.DOTALL,
)
_VARIABLE = re.compile(r"\?[0-9]+")
_MARKS = ("->", *"()[],:!")
_PLAIN = re.compile(r"(?!//|/\*|->)[^\s()\[\],:!?'\"]+")


def grammar_from_str(text: str, path: object = "<grammar>") -> Irtg:
    """Read a grammar. Raises GrammarError."""
    return _Reader(text, path).read()


def read_grammar(path: Path) -> Irtg:
    """Read a grammar file and expand its templates (`amparser.grammar.templates`).

    Raises GrammarError, see `grammar_from_str`; lines are counted in the expansion.
    """
    return _Reader(expanded(path), path).read()


def grammar_to_str(grammar: Irtg) -> str:
    """Write a grammar; `grammar_from_str` inverts this."""
    lines = [f"interpretation {name_to_str(n)}: {a}" for n, a in grammar.interpretations.items()]
    for rule in grammar.rules:
        start = "!" if rule.parent in grammar.starts else ""
        children = f"({', '.join(map(name_to_str, rule.children))})" if rule.children else ""
        parent, label = name_to_str(rule.parent), name_to_str(rule.label)
        lines.append(f"\n{parent}{start} -> {label}{children} [{rule.weight!r}]")
        lines += [f"  [{name_to_str(n)}] {term_to_str(term)}" for n, term in rule.terms.items()]
    return "\n".join(lines) + "\n"


def term_to_str(term: Term) -> str:
    """Write a term in the notation of grammars."""
    if term.variable:
        return f"?{term.variable}"
    children = f"({', '.join(map(term_to_str, term.children))})" if term.children else ""
    return name_to_str(term.label) + children


def name_to_str(name: str) -> str:
    """Write a name, quoted if it is not a plain word."""
    if _PLAIN.fullmatch(name) and "//" not in name and "/*" not in name and "->" not in name:
        return name
    return f'"{name}"' if '"' not in name else f"'{name}'"


class _Reader(TokenReader):
    pattern = _TOKEN
    reserved = _MARKS

    def __init__(self, text: str, path: object) -> None:
        super().__init__(text.rstrip())
        self.path = path
        self.interpretations: dict[str, str] = {}
        self.rules: list[Rule] = []
        self.starts: dict[str, int] = {}
        self.labels: dict[str, int] = {}
        self.algebra = ALGEBRAS[TREE]
        # Token at which each nonterminal is first used on the right side of a rule.
        self.used: dict[str, int] = {}
        for at, token in enumerate(self.tokens):
            if token in ("?", "'", '"'):
                self._stop(f"unexpected {token!r}", at)
            if token.startswith("/*"):
                self._stop("unclosed comment, expected '*/'", at)

    def _matches(self) -> Iterator[re.Match[str]]:
        return (match for match in super()._matches() if match.lastgroup != "space")

    def read(self) -> Irtg:
        while self.tokens[self.at]:
            if self._accept("interpretation"):
                self._interpretation()
            else:
                self._rule()
        grammar = Irtg(self.interpretations, tuple(self.rules), frozenset(self.starts))
        for nonterminal, at in self.used.items():
            if nonterminal not in grammar.by_parent:
                self._stop(f"no rule for the nonterminal {nonterminal!r}", at)
        if not self.starts:
            self._stop("no nonterminal is marked as start (!)", self.at)
        for nonterminal, at in self.starts.items():
            if nonterminal not in grammar.productive:
                self._stop(f"the start {nonterminal!r} has no finite derivation", at)
        return grammar

    def _interpretation(self) -> None:
        at, name = self.at, self._word("a name for the interpretation")
        if name in self.interpretations:
            self._stop(f"interpretation {name!r} is declared twice", at)
        self._expect(":")
        at, algebra = self.at, self._word("the class of an algebra")
        if algebra not in ALGEBRAS:
            known = ", ".join(ALGEBRAS)
            self._stop(f"unknown algebra {algebra!r}, expected one of {known}", at)
        self.interpretations[name] = algebra

    def _rule(self) -> None:
        at, parent = self.at, self._word("a nonterminal, or 'interpretation'")
        if self._accept("!"):
            self.starts.setdefault(parent, at)
        self._expect("->")
        labelled, label = self.at, self._word("the label of the rule")
        if label in self.labels:
            self._stop(f"two rules are labelled {label!r}", labelled)
        self.labels[label] = labelled
        children = self._enclosed(self._child) if self._accept("(") else []
        weight = 1.0
        terms: dict[str, Term] = {}
        while self._accept("["):
            at, name = self.at, self._word("a weight, or the name of an interpretation")
            self._expect("]")
            if not terms and name not in self.interpretations and not self._term_follows():
                weight = self._weight(name, at)
                continue
            if name not in self.interpretations:
                self._stop(f"no interpretation {name!r} is declared", at)
            if name in terms:
                self._stop(f"a second term in interpretation {name!r}", at)
            self.algebra = ALGEBRAS[self.interpretations[name]]
            terms[name] = self._term(len(children), set())
        for missing in self.interpretations.keys() - terms.keys():
            self._stop(f"rule {label!r} has no term in {missing!r}", labelled)
        ordered: Mapping[str, Term] = {name: terms[name] for name in self.interpretations}
        self.rules.append(Rule(parent, label, tuple(children), weight, ordered))

    def _child(self) -> str:
        at, child = self.at, self._word("a nonterminal")
        self.used.setdefault(child, at)
        return child

    def _weight(self, text: str, at: int) -> float:
        try:
            weight = float(text)
        except ValueError:
            weight = -1.0
        if not 0 < weight < float("inf"):
            self._stop(f"expected a positive weight, not {text!r}", at)
        return weight

    def _term_follows(self) -> bool:
        """Return whether the next token can only start a term, not a rule, weight or end."""
        token = self.tokens[self.at]
        if token in ("", "interpretation", *_MARKS):
            return False
        return token[0] == "?" or self.tokens[self.at + 1] not in ("!", "->")

    def _term(self, arity: int, seen: set[int]) -> Term:
        at = self.at
        if _VARIABLE.fullmatch(self.tokens[at]):
            return self._variable(arity, seen)
        symbol = self._word("a symbol or a variable such as ?1")
        below = partial(self._term, arity, seen)
        children = self._enclosed(below) if self._accept("(") else []
        try:
            self.algebra.check(symbol, len(children))
        except GrammarError as error:
            self._stop(str(error), at)
        return Term(symbol, tuple(children))

    def _variable(self, arity: int, seen: set[int]) -> Term:
        at, text = self.at, self.tokens[self.at]
        self.at += 1
        number = int(text[1:])
        if not 1 <= number <= arity:
            self._stop(f"{text}, but the rule has {arity} children", at)
        if number in seen:
            self._stop(f"{text} occurs twice in a term", at)
        seen.add(number)
        return Term(text, variable=number)

    def _word(self, wanted: str) -> str:
        if _VARIABLE.fullmatch(self.tokens[self.at]):
            self._fail(wanted)
        word = super()._word(wanted)
        return word[1:-1] if word[0] in "'\"" else word

    def _stop(self, message: str, at: int) -> NoReturn:
        start = self._start(at)
        number = self.text.count("\n", 0, start)
        line = self.text.split("\n")[number]
        column = start - (self.text.rfind("\n", 0, start) + 1)
        # Keep tabs, so that the caret is aligned with the token.
        caret = "".join("\t" if c == "\t" else " " for c in line[:column]) + "^"
        where = located(f"column {column + 1}: {message}", path=self.path, line=number + 1)
        raise GrammarError(f"{where}\n{line}\n{caret}")
