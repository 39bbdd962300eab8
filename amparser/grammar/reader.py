"""Alto's text notation for grammars: read with errors at line and caret, written back.

    interpretation string: de.up.ling.irtg.algebra.StringAlgebra

    S! -> r(NP, VP) [0.5]        // a rule; `!` marks a start, the weight is 1 if left out
      [string] *(?1, ?2)         // its term in each interpretation
    NP -> john
      [string] John

Names that are not plain words are quoted, 'the man' or "the man". Comments go from
`//` to the end of the line, or from `/*` to `*/`. Features are not read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, NoReturn

from amparser.errors import GrammarError, located
from amparser.grammar.algebras import ALGEBRAS, TREE
from amparser.grammar.irtg import Irtg, Rule, Term
from amparser.grammar.templates import expanded

_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/)"
    r"|(?P<open>/\*.*)"
    r"|(?P<quoted>'[^'\n]*'|\"[^\"\n]*\")"
    r"|(?P<arrow>->)"
    r"|(?P<variable>\?[0-9]+)"
    r"|(?P<mark>[()\[\],:!])"
    r"|(?P<name>[^\s()\[\],:!?'\"]+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_PLAIN = re.compile(r"(?!//|/\*|->)[^\s()\[\],:!?'\"]+")
_END = ""


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


def grammar_from_str(text: str, path: object = "<grammar>") -> Irtg:
    """Read a grammar.

    Raises:
        GrammarError: naming path, line and column, with the line and a caret below it.
    """
    return _Reader(text, path).read()


def read_grammar(path: Path) -> Irtg:
    """Read a grammar from a file, with its templates (`amparser.grammar.templates`).

    Raises:
        GrammarError: as above; lines are those of the expansion.
    """
    return _Reader(expanded(path), path).read()


def grammar_to_str(grammar: Irtg) -> str:
    """Write a grammar; reading the text gives the same grammar."""
    lines = [f"interpretation {name_to_str(n)}: {a}" for n, a in grammar.interpretations.items()]
    for rule in grammar.rules:
        start = "!" if rule.parent in grammar.starts else ""
        children = f"({', '.join(map(name_to_str, rule.children))})" if rule.children else ""
        parent, label = name_to_str(rule.parent), name_to_str(rule.label)
        lines.append(f"\n{parent}{start} -> {label}{children} [{rule.weight!r}]")
        lines += [f"  [{name_to_str(n)}] {term_to_str(term)}" for n, term in rule.terms.items()]
    return "\n".join(lines) + "\n"


def term_to_str(term: Term) -> str:
    """A term in the notation of grammars."""
    if term.variable:
        return f"?{term.variable}"
    children = f"({', '.join(map(term_to_str, term.children))})" if term.children else ""
    return name_to_str(term.label) + children


def name_to_str(name: str) -> str:
    """A name, quoted if it is not a plain word."""
    if _PLAIN.fullmatch(name) and "//" not in name and "/*" not in name and "->" not in name:
        return name
    return f'"{name}"' if '"' not in name else f"'{name}'"


class _Reader:
    def __init__(self, text: str, path: object) -> None:
        self.text = text
        self.path = path
        self.tokens = self._tokens()
        self.place = 0
        self.interpretations: dict[str, str] = {}
        self.rules: list[Rule] = []
        self.starts: dict[str, int] = {}
        self.labels: dict[str, int] = {}
        self.algebra = ALGEBRAS[TREE]
        # Where each nonterminal is first used on the right side of a rule.
        self.used: dict[str, int] = {}

    def read(self) -> Irtg:
        while self._next().kind != _END:
            if self._next().text == "interpretation" and self._next().kind == "name":
                self._interpretation()
            else:
                self._rule()
        grammar = Irtg(self.interpretations, tuple(self.rules), frozenset(self.starts))
        for nonterminal, start in self.used.items():
            if nonterminal not in grammar.by_parent:
                self._fail(f"no rule for the nonterminal {nonterminal!r}", start)
        if not self.starts:
            self._fail("no nonterminal is marked as start (!)", len(self.text))
        for nonterminal, start in self.starts.items():
            if nonterminal not in grammar.productive:
                self._fail(f"the start {nonterminal!r} derives nothing finite", start)
        return grammar

    def _interpretation(self) -> None:
        self._take()
        name = self._word("a name for the interpretation")
        if name.text in self.interpretations:
            self._fail(f"interpretation {name.text!r} is declared twice", name.start)
        self._mark(":")
        algebra = self._word("the class of an algebra")
        if algebra.text not in ALGEBRAS:
            known = ", ".join(ALGEBRAS)
            self._fail(f"unknown algebra {algebra.text!r}, expected one of {known}", algebra.start)
        self.interpretations[name.text] = algebra.text

    def _rule(self) -> None:
        parent = self._word("a nonterminal, or 'interpretation'")
        if self._next().text == "!":
            self._take()
            self.starts.setdefault(parent.text, parent.start)
        if self._take().kind != "arrow":
            self._fail("expected '->'", self.tokens[self.place - 1].start)
        label = self._word("the label of the rule")
        if label.text in self.labels:
            self._fail(f"two rules are labelled {label.text!r}", label.start)
        self.labels[label.text] = label.start
        children: list[str] = []
        if self._next().text == "(":
            self._take()
            while True:
                child = self._word("a nonterminal")
                self.used.setdefault(child.text, child.start)
                children.append(child.text)
                if not self._comma():
                    break
        weight = 1.0
        terms: dict[str, Term] = {}
        while self._next().text == "[" and self._next().kind == "mark":
            self._take()
            name = self._word("a weight, or the name of an interpretation")
            self._mark("]")
            if not terms and name.text not in self.interpretations and not self._term_follows():
                weight = self._weight(name)
                continue
            if name.text not in self.interpretations:
                self._fail(f"no interpretation {name.text!r} is declared", name.start)
            if name.text in terms:
                self._fail(f"a second term in interpretation {name.text!r}", name.start)
            self.algebra = ALGEBRAS[self.interpretations[name.text]]
            terms[name.text] = self._term(len(children), set())
        for missing in self.interpretations.keys() - terms.keys():
            self._fail(f"rule {label.text!r} has no term in {missing!r}", label.start)
        ordered: Mapping[str, Term] = {name: terms[name] for name in self.interpretations}
        self.rules.append(Rule(parent.text, label.text, tuple(children), weight, ordered))

    def _weight(self, token: _Token) -> float:
        try:
            weight = float(token.text)
        except ValueError:
            weight = -1.0
        if not 0 < weight < float("inf"):
            self._fail(f"expected a positive weight, not {token.text!r}", token.start)
        return weight

    def _term_follows(self) -> bool:
        """Whether what comes next can only be a term: no new rule, weight or end."""
        following = self.tokens[self.place + 1] if self._next().kind != _END else self._next()
        if self._next().kind == "variable":
            return True
        is_word = self._next().kind in ("name", "quoted") and self._next().text != "interpretation"
        return is_word and following.text not in ("!", "->")

    def _term(self, arity: int, seen: set[int]) -> Term:
        token = self._take()
        if token.kind == "variable":
            number = int(token.text[1:])
            if not 1 <= number <= arity:
                self._fail(f"{token.text}, but the rule has {arity} children", token.start)
            if number in seen:
                self._fail(f"{token.text} stands twice in a term", token.start)
            seen.add(number)
            return Term(token.text, variable=number)
        if token.kind not in ("name", "quoted"):
            self._fail("expected a symbol or a variable such as ?1", token.start)
        children: list[Term] = []
        if self._next().text == "(":
            self._take()
            children.append(self._term(arity, seen))
            while self._comma():
                children.append(self._term(arity, seen))
        try:
            self.algebra.check(token.text, len(children))
        except GrammarError as error:
            self._fail(str(error), token.start)
        return Term(token.text, tuple(children))

    def _comma(self) -> bool:
        """Read `,` (true) or `)` (false)."""
        token = self._take()
        if token.kind != "mark" or token.text not in ",)":
            self._fail("expected ',' or ')'", token.start)
        return token.text == ","

    def _word(self, what: str) -> _Token:
        token = self._take()
        if token.kind not in ("name", "quoted"):
            self._fail(f"expected {what}", token.start)
        return token

    def _mark(self, mark: str) -> None:
        token = self._take()
        if token.text != mark or token.kind != "mark":
            self._fail(f"expected {mark!r}", token.start)

    def _next(self) -> _Token:
        return self.tokens[self.place]

    def _take(self) -> _Token:
        token = self.tokens[self.place]
        self.place += token.kind != _END
        return token

    def _tokens(self) -> list[_Token]:
        tokens = []
        for match in _TOKEN.finditer(self.text):
            kind, piece, start = match.lastgroup or "", match[0], match.start()
            if kind == "other":
                self._fail(f"unexpected {piece!r}", start)
            if kind == "open":
                self._fail("a comment without its end, '*/'", start)
            if kind != "space":
                tokens.append(_Token(kind, piece[1:-1] if kind == "quoted" else piece, start))
        tokens.append(_Token(_END, "", len(self.text.rstrip())))
        return tokens

    def _fail(self, message: str, start: int) -> NoReturn:
        """Raise a GrammarError that shows the line, with a caret below the place."""
        number = self.text.count("\n", 0, start)
        shown = self.text.split("\n")[number]
        column = start - (self.text.rfind("\n", 0, start) + 1)
        # Tabs are kept, so that the caret stands below what it points to.
        caret = "".join("\t" if c == "\t" else " " for c in shown[:column]) + "^"
        where = located(f"column {column + 1}: {message}", path=self.path, line=number + 1)
        raise GrammarError(f"{where}\n{shown}\n{caret}")
