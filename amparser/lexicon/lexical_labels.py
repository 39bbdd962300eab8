"""Lexical labels of constants over spans: looked up in a table, or copied by a rule.

See `amparser.lexicon.spelling` for the copy rule. An unseen name may also be resolved by a synonym
that training has, for example `United States` by `USA`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from amparser.characters import Token
from amparser.conditions import Count
from amparser.lexicon.names import other_names
from amparser.lexicon.spelling import CopyRule, Loss, cased, content_of, shape_of
from amparser.logic.term import is_literal, is_number, is_symbol

_NUMBER, _SYMBOL, _TEXT = "number", "symbol", "text"
"""Kinds of contents; each may have its own quotes."""
_LOWER, _CAPITAL, _OTHER = "lower", "capital", "other"
"""Cases of labels; `other` differs from the case of their words."""

Key = tuple[str, tuple[str, ...]]
"""Piece (its text) and the words of a span in lower case."""


@dataclass
class LexicalLabels:
    """Lexical labels of spans: the training table first, then the copy rule.

    A *piece* is the text of a constant without its lexical label.

    Attributes:
        rule: rule by which a span spells a label.
        spelled, looked_up: number of training labels that the rule spells and does not spell.
        table: counts of labels by piece and words.
        cases: counts of labels by piece and by their case: lower and as typed, with a capital and
            as typed, or another than typed.
    """

    rule: CopyRule
    quote: str = "'"
    spelled: Count = 0
    looked_up: Count = 0
    table: dict[Key, Counter[str]] = field(default_factory=dict)
    cases: dict[str, Counter[str]] = field(default_factory=dict)

    newer: ClassVar[frozenset[str]] = frozenset({"cases"})

    def add(self, piece: str, words: Sequence[str], literal: str) -> None:
        """Count one training label."""
        lower = tuple(word.lower() for word in words)
        self.table.setdefault((piece, lower), Counter())[literal] += 1
        content, typed = content_of(literal), self.rule.spell(words)
        if content.lower() == typed.lower() and any(map(str.isalpha, typed)):
            case = _OTHER if content != typed else _LOWER if _is_low(typed) else _CAPITAL
            self.cases.setdefault(piece, Counter())[case] += 1
        if self.rule.spells(words, content_of(literal)):
            self.spelled += 1
        else:
            self.looked_up += 1

    def label(self, piece: str, words: Sequence[str]) -> str:
        """Return the label of a piece over a span of words.

        The first of these that applies is used: the label seen with this piece and these words;
        another name that the piece usually has instead of the one in the sentence; the label that
        other pieces have over these words, unless the rule is right more often; the label of the
        most similar words, if the rule spells less than half of the training labels; the label that
        the rule spells.
        """
        lower = tuple(word.lower() for word in words)
        if counts := self.table.get((piece, lower)):
            return self._as_typed(piece, words, max(sorted(counts), key=counts.__getitem__))
        if piece in self._like and (other := self._other_name(piece, words)) is not None:
            return self._quoted(piece, other)
        counts = self._anywhere.get(lower, Counter())
        if piece in self._numeric:
            counts = Counter({one: n for one, n in counts.items() if is_number(content_of(one))})
        if counts and piece not in self._spelling:
            literal = self._of_kind(piece, max(sorted(counts), key=counts.__getitem__))
            return self._as_typed(piece, words, literal)
        if self.spelled < self.looked_up:
            near: Counter[str] = Counter()
            for (other, known), labels in self.table.items():
                shared = len(set(known) & set(lower))
                if other == piece and shared:
                    for literal, count in labels.items():
                        near[literal] += count * shared
            if near:
                return max(sorted(near), key=near.__getitem__)
        content = self._content(piece, words)
        if piece in self._sentences and isinstance(words[-1], Token):
            content += words[-1].after
        return self._quoted(piece, content)

    def _as_typed(self, piece: str, words: Sequence[str], literal: str) -> str:
        """Write a label in the case of its words, if labels of the piece are written so."""
        counts, typed = self.cases.get(piece, Counter()), self.rule.spell(words)
        # A piece needs three labels of each case; a tenth may be exceptions.
        some = min(counts[_LOWER], counts[_CAPITAL]) >= 3 and 10 * counts[_OTHER] <= counts[_LOWER]
        same = self.rule.case == "same" and typed.lower() == content_of(literal).lower()
        return self._quoted(piece, typed) if some and same else literal

    def _of_kind(self, piece: str, literal: str) -> str:
        """Return another piece's label with this piece's quotes, if this piece has any labels."""
        return self._quoted(piece, content_of(literal)) if piece in self._known else literal

    def _quoted(self, piece: str, content: str) -> str:
        """Quote a content as contents of its kind are quoted at this piece.

        The kinds are numbers, symbols and texts. A kind without examples at this piece is quoted
        like the piece's symbols, else like its texts, else as in all pieces together.
        """
        kind = _quoted_as(content)
        like = (_NUMBER,) if kind == _NUMBER else (kind, _SYMBOL, _TEXT)
        where = [(piece, one) for one in (*like, _SYMBOL, _TEXT)] + [("", one) for one in like]
        quotes = next((found for one in where if (found := self._quotes.get(one))), None)
        quote = max(sorted(quotes), key=quotes.__getitem__) if quotes else self.quote
        if not quote and kind == _TEXT:
            quote = self.quote or "'"
        elif not quote and kind == _SYMBOL and piece in self._low:
            content = content.lower()
        return f"{quote}{content}{quote}"

    def _cased(self, piece: str, text: str) -> str:
        """Write a text in the case of all contents of a piece, if their words have other cases."""
        # Three labels must be written otherwise than their words.
        if self.cases.get(piece, Counter())[_OTHER] < 3:
            return text
        if piece in self._low:
            return text.lower()
        return _capitalized(text) if piece in self._high else text

    @cached_property
    def _high(self) -> frozenset[str]:
        """The pieces whose contents nearly all have a capital at each word."""
        return frozenset(
            piece
            for piece, names in self._known.items()
            if sum(name == _capitalized(name) for name in names) > 0.95 * len(names)
        )

    @cached_property
    def _low(self) -> frozenset[str]:
        """The pieces whose contents have no capital letters."""
        return frozenset(p for p, some in self._known.items() if all(map(_is_low, some)))

    def knows(self, piece: str, words: Sequence[str]) -> bool:
        """Return whether training has this label of the piece, up to an ending of the words."""
        if (piece, tuple(word.lower() for word in words)) in self.table:
            return True
        if not self.rule.alters and piece not in self._unspelled:
            return False
        return self._content(piece, words) in self._names(piece)

    def lacks_number(self, piece: str, words: Sequence[str]) -> bool:
        """Return whether a piece has only numbers in training but these words yield none."""
        if piece not in self._numeric:
            return False
        return not is_number(content_of(self.label(piece, words)))

    @cached_property
    def _numeric(self) -> frozenset[str]:
        """The pieces with at least three labels in training, all numbers."""
        counts: Counter[str] = Counter()
        for (piece, _), labels in self.table.items():
            counts[piece] += labels.total()
        return frozenset(
            piece
            for piece, names in self._known.items()
            if counts[piece] >= 3 and all(map(is_number, names))
        )

    def strangers(self, piece: str, words: Sequence[str]) -> int:
        """Return the number of names of a piece if all differ in kind from these words, else 0.

        The kind of a number or time is its shape; other words are capitalised or not.
        """
        kinds = self._kinds[piece]
        return 0 if kinds[_kind(self._content(piece, words))] else kinds.total()

    def _content(self, piece: str, words: Sequence[str]) -> str:
        """Return the content that words spell, without prefixes and endings that they lose.

        An ending is removed if the rest is a name that this piece has in training, or if most
        training words with this ending lose it; prefixes likewise. A number is converted if labels
        of this piece have the shape of the result. A name is replaced by a synonym (`_other_name`).
        """
        text, names = self._cased(piece, self.rule.spell(words)), self._names(piece)
        if piece in self._numeric and text.isdecimal() and not any(_has_zero(n) for n in names):
            text = str(int(text))
        if text not in names and (other := self._other_name(piece, words)) is not None:
            return other
        for made in self.rule.renumbered(words) if self.rule.numbers else ():
            if text not in names and shape_of(made) in self._number_shapes[piece]:
                return made
        options = [
            (left in names, self._shares[loss], loss.size, left)
            for loss in self.rule.losses
            if (left := loss.left(text)) is not None
        ]
        if self._has_compounds and text not in names:
            low = text.lower()
            options += [
                (True, 0.0, len(name) - len(text), name)
                for name in names
                if _begins(name.lower(), low)
            ]
        known, share, _, left = max(options, default=(False, 0.0, 0, text))
        return left if text not in names and (known or share > 0.5) else text

    def _other_name(self, piece: str, words: Sequence[str]) -> str | None:
        """Return another name of the same entity if the piece has it, or mostly has names like it.

        None if the words spell all labels of this piece in training.
        """
        if piece not in self._unspelled:
            return None
        names, like = self._names(piece), self._like.get(piece)
        found = {name: self.rule.spell(name.split()) for name in other_names(" ".join(words))}
        known = (text for text in found.values() if text in names)
        return next(known, None) or next(
            (text for name, text in found.items() if _outline(name) == like), None
        )

    @cached_property
    def _unspelled(self) -> frozenset[str]:
        """The pieces with labels that their words do not spell."""
        case = self.rule.case
        return frozenset(
            piece
            for (piece, words), labels in self.table.items()
            for literal in labels
            if not self.rule.spells(words, cased(content_of(literal).lower(), case))
        )

    @cached_property
    def _like(self) -> Mapping[str, str]:
        """Outline of the synonyms that pieces have instead of the names in their sentences."""
        seen: dict[str, Counter[str]] = defaultdict(Counter)
        for (piece, words), labels in self.table.items():
            contents = {content_of(literal) for literal in labels}
            copied = self.rule.spell(words).lower() in map(str.lower, contents)
            spelled = {self.rule.spell(name.split()): name for name in other_names(" ".join(words))}
            looks = {_outline(spelled[content]) for content in contents & spelled.keys()}
            seen[piece].update([""] if copied else looks)
        likeliest = {piece: counts.most_common(1)[0] for piece, counts in seen.items() if counts}
        # A piece needs three such labels.
        return {piece: look for piece, (look, n) in likeliest.items() if look and n >= 3}

    def _names(self, piece: str) -> set[str]:
        return self._known.get(piece, set())

    @cached_property
    def _known(self) -> Mapping[str, set[str]]:
        """Contents of each piece in training; computed once, so `add` must not follow."""
        found: dict[str, set[str]] = defaultdict(set)
        for (piece, _), labels in self.table.items():
            found[piece].update(map(content_of, labels))
        return found

    @cached_property
    def _sentences(self) -> frozenset[str]:
        """The pieces whose contents mostly have three words or more."""
        long = {p: sum(len(one.split()) >= 3 for one in some) for p, some in self._known.items()}
        return frozenset(p for p, some in self._known.items() if 2 * long[p] > len(some))

    @cached_property
    def _quotes(self) -> Mapping[tuple[str, str], Counter[str]]:
        """Counts of quotes by (piece, kind of content); the piece "" counts all."""
        found: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for (piece, _), labels in self.table.items():
            for literal, count in labels.items():
                content = content_of(literal)
                quote = "" if literal == content else literal[0]
                for where in (piece, ""):
                    found[where, _quoted_as(content)][quote] += count
        return found

    @cached_property
    def _anywhere(self) -> Mapping[tuple[str, ...], Counter[str]]:
        found: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for (_, words), labels in self.table.items():
            found[words].update(labels)
        return found

    @cached_property
    def _spelling(self) -> frozenset[str]:
        """The pieces for which the rule beats other pieces' labels of the same words."""
        better: Counter[str] = Counter()
        for (piece, words), labels in self.table.items():
            others = self._anywhere[words] - labels
            if others:
                own = {content_of(literal) for literal in labels}
                other = content_of(max(sorted(others), key=others.__getitem__))
                better[piece] += (self.rule.spell(words) in own) - (other in own)
        return frozenset(piece for piece, count in better.items() if count > 0)

    @cached_property
    def _texts(self) -> frozenset[tuple[str, str]]:
        return frozenset(
            (self.rule.spell(words).lower(), content_of(literal).lower())
            for (_, words), labels in self.table.items()
            for literal in labels
        )

    @cached_property
    def _has_compounds(self) -> bool:
        """True if three training words are compounds of their name (`poolside` of `pool`)."""
        found = {
            words
            for (_, words), labels in self.table.items()
            if len(words) == 1 and any(_begins(content_of(one).lower(), words[0]) for one in labels)
        }
        return len(found) >= 3

    @cached_property
    def _shares(self) -> Mapping[Loss, float]:
        """Share of the distinct training words with each affix whose labels lack it."""
        shares = {}
        for loss in self.rule.losses:
            lower = Loss(*map(str.lower, loss))
            kept = [(lower.left(text), content) for text, content in self._texts]
            holds = [left == content for left, content in kept if left is not None]
            shares[loss] = sum(holds) / max(1, len(holds))
        return shares

    @cached_property
    def _kinds(self) -> Mapping[str, Counter[str]]:
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for piece, names in self._known.items():
            found[piece].update(map(_kind, names))
        return found

    @cached_property
    def _number_shapes(self) -> Mapping[str, set[str]]:
        """Shapes of the contents of each piece, with one digit for each number."""
        found: dict[str, set[str]] = defaultdict(set)
        for piece, names in self._known.items():
            found[piece].update(map(shape_of, names))
        return found


def _quoted_as(content: str) -> str:
    if is_number(content):
        return _NUMBER
    return _SYMBOL if is_symbol(content) and not is_literal(content) else _TEXT


def _begins(name: str, word: str) -> bool:
    return len(name) >= 4 and len(word) - len(name) >= 3 and word.startswith(name)


def _is_low(content: str) -> bool:
    return content == content.lower()


def _has_zero(number: str) -> bool:
    return len(number) > 1 and number.startswith("0")


def _capitalized(text: str) -> str:
    """Return a text with capitals at the beginning of its words.

    >>> _capitalized("ann de McRoy")
    'Ann De McRoy'
    """
    return re.sub(r"(?<!\S)\w", lambda match: match[0].upper(), text)


def _outline(name: str) -> str:
    """Return a name with `A` for each capital and `a` for each other letter.

    >>> _outline("U.S.")
    'A.A.'
    """
    return "".join("A" if c.isupper() else "a" if c.isalpha() else c for c in name)


def _kind(content: str) -> str:
    if any(character.isalpha() for character in content):
        return "capital" if content[:1].isupper() else "lower"
    return shape_of(content)
