"""Alto's text notation for grammars: reading, with errors that name line and column, and writing.

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
from amparser.grammar.algebras import ALGEBRAS
from amparser.grammar.irtg import Irtg, Rule, Term
from amparser.grammar.templates import expanded
from amparser.logic.token_reader import TokenReader

_TOKEN = re.compile(
    r"(?P<space>//[^\n]*|/\*.*?\*/)|/\*.*|'[^'\n]*'|\"[^\"\n]*\"|->|\?[0-9]+|[()\[\],:!]"
    r"|[^\s()\[\],:!?'\"]+|\S",
    re.DOTALL,
)
_VARIABLE = re.compile(r"\?[0-9]+")
_WEIGHT = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?")
_MARKS = ("->", *"()[],:!")
_PLAIN = re.compile(r"(?!//|/\*|->)[^\s()\[\],:!?'\"]+")


def grammar_from_str(text: str, path: object = "<grammar>") -> Irtg:
    """Read a grammar. Raises GrammarError."""
    return _Reader(text, path).read()


def read_grammar(path: Path) -> Irtg:
    """Read a grammar file and expand its templates (`amparser.grammar.templates`).

    Raises GrammarError; its line numbers refer to the expanded text.
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
        self.rules: dict[str, Rule] = {}
        self.starts: set[str] = set()
        # Token at which each nonterminal is first used on the right side of a rule.
        self.used: dict[str, int] = {}
        for at, token in enumerate(self.tokens):
            if token in ("?", "'", '"') or token.startswith("/*"):
                self._stop(f"unexpected {token!r:.20}, which is never closed", at)

    def _matches(self) -> Iterator[re.Match[str]]:
        return (match for match in super()._matches() if match.lastgroup != "space")

    def read(self) -> Irtg:
        while self.tokens[self.at]:
            if self._accept("interpretation"):
                name = self._word("a name for the interpretation")
                self._expect(":")
                self.interpretations[name] = self._word("the class of an algebra")
                if self.interpretations[name] not in ALGEBRAS:
                    self._stop(f"expected one of {', '.join(ALGEBRAS)}", self.at - 1)
            else:
                self._rule()
        grammar = Irtg(self.interpretations, tuple(self.rules.values()), frozenset(self.starts))
        for nonterminal, at in self.used.items():
            if nonterminal not in grammar.by_parent:
                self._stop(f"no rule for the nonterminal {nonterminal!r}", at)
        if not self.starts:
            self._stop("no nonterminal is marked as start (!)", self.at)
        return grammar

    def _rule(self) -> None:
        parent = self._word("a nonterminal, or 'interpretation'")
        if self._accept("!"):
            self.starts.add(parent)
        self._expect("->")
        at, label = self.at, self._word("the label of the rule")
        if label in self.rules:
            self._stop(f"two rules are labelled {label!r}", at)
        children = self._enclosed(self._child) if self._accept("(") else []
        weight = 1.0
        terms: dict[str, Term] = {}
        while self._accept("["):
            begin, name = self.at, self._word("a weight, or the name of an interpretation")
            self._expect("]")
            if name in self.interpretations:
                terms[name] = self._term(len(children))
            elif _WEIGHT.fullmatch(name) and float(name) > 0:
                weight = float(name)
            else:
                self._stop(f"expected a positive weight or an interpretation, not {name!r}", begin)
        for missing in self.interpretations.keys() - terms.keys():
            self._stop(f"rule {label!r} has no term in {missing!r}", at)
        ordered: Mapping[str, Term] = {name: terms[name] for name in self.interpretations}
        self.rules[label] = Rule(parent, label, tuple(children), weight, ordered)

    def _child(self) -> str:
        self.used.setdefault(self.tokens[self.at], self.at)
        return self._word("a nonterminal")

    def _term(self, arity: int) -> Term:
        at, text = self.at, self.tokens[self.at]
        if _VARIABLE.fullmatch(text):
            self.at += 1
            if not 1 <= int(text[1:]) <= arity:
                self._stop(f"{text}, but the rule has {arity} children", at)
            return Term(text, variable=int(text[1:]))
        symbol = self._word("a symbol or a variable such as ?1")
        children = self._enclosed(partial(self._term, arity)) if self._accept("(") else []
        return Term(symbol, tuple(children))

    def _word(self, wanted: str) -> str:
        if _VARIABLE.fullmatch(self.tokens[self.at]):
            self._fail(wanted)
        word = super()._word(wanted)
        return word[1:-1] if word[0] in "'\"" else word

    def _stop(self, message: str, at: int) -> NoReturn:
        before = self.text[: self._start(at)].split("\n")
        place = f"column {len(before[-1]) + 1}: {message}"
        raise GrammarError(located(place, path=self.path, line=len(before)))
