"""Lexical labels that are read off the words of a span: looked up, or copied by a rule.

See `amparser.lexicon.spelling` for the rule. A name that training does not have is known by another
name that it has: `United States` where it has `USA`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from amparser.characters import Token
from amparser.conditions import Count
from amparser.lexicon.names import other_names
from amparser.lexicon.spelling import CopyRule, Loss, cased, content_of, shape_of
from amparser.logic.term import is_literal, is_number, is_symbol

_NUMBER, _SYMBOL, _TEXT = "number", "symbol", "text"
"""Kinds of contents that may have different quotes."""

Key = tuple[str, tuple[str, ...]]
"""A piece (its text) and the words of a span, lower case."""


@dataclass
class LexicalLabels:
    """What spells the lexical label of a span: the table of training first, then the rule.

    Attributes:
        rule: how a span spells a label.
        quote: what stands around a label.
        spelled, looked_up: how many labels of training the rule spells, and how many it does not.
        table: how often a piece had a label over these words.
    """

    rule: CopyRule
    quote: str = "'"
    spelled: Count = 0
    looked_up: Count = 0
    table: dict[Key, Counter[str]] = field(default_factory=dict)

    def add(self, piece: str, words: Sequence[str], literal: str) -> None:
        """Count one label of training."""
        lower = tuple(word.lower() for word in words)
        self.table.setdefault((piece, lower), Counter())[literal] += 1
        if self.rule.spells(words, content_of(literal)):
            self.spelled += 1
        else:
            self.looked_up += 1

    def label(self, piece: str, words: Sequence[str]) -> str:
        """The label of a piece over a span of words, or else that of another piece over them.

        Where the rule seldom holds, the label of words like these goes before it. Where the rule
        has more of a piece's labels than other pieces have them, it goes before theirs, and so do
        other names where a piece has such.
        """
        lower = tuple(word.lower() for word in words)
        if counts := self.table.get((piece, lower)):
            likeliest = max(sorted(counts), key=counts.__getitem__)
            typed = self.rule.spell(words)
            if piece in self._as_typed and typed.lower() == content_of(likeliest).lower():
                return self._quoted(piece, typed)
            return likeliest
        if piece in self._like and (other := self._other_name(piece, words)) is not None:
            return self._quoted(piece, other)
        counts = self._anywhere.get(lower, Counter())
        if piece in self._numeric:
            counts = Counter({one: n for one, n in counts.items() if is_number(content_of(one))})
        if counts and piece not in self._spelling:
            return self._of_kind(piece, max(sorted(counts), key=counts.__getitem__))
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

    def _of_kind(self, piece: str, literal: str) -> str:
        """A literal of another piece with the quotes that this one has, if it has any literals."""
        return self._quoted(piece, content_of(literal)) if piece in self._known else literal

    def _quoted(self, piece: str, content: str) -> str:
        """A content between the quotes that contents of its kind have at this piece.

        Numbers, symbols and texts are three kinds. Symbols and texts stand in for each other, both
        for numbers of the piece, and all pieces for one without any.
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

    @cached_property
    def _low(self) -> frozenset[str]:
        """The pieces whose contents have no capital letters."""
        return frozenset(p for p, some in self._known.items() if all(map(_is_low, some)))

    def knows(self, piece: str, words: Sequence[str]) -> bool:
        """Whether training had a label of this piece over these words, their ending apart."""
        if (piece, tuple(word.lower() for word in words)) in self.table:
            return True
        if not self.rule.alters and piece not in self._unspelled:
            return False
        return self._content(piece, words) in self._names(piece)

    def lacks_number(self, piece: str, words: Sequence[str]) -> bool:
        """Whether a piece only has numbers in training, and these words make none."""
        if piece not in self._numeric:
            return False
        return not is_number(content_of(self.label(piece, words)))

    @cached_property
    def _numeric(self) -> frozenset[str]:
        """The pieces that have several numbers in training, and nothing else."""
        counts: Counter[str] = Counter()
        for (piece, _), labels in self.table.items():
            counts[piece] += labels.total()
        return frozenset(
            piece
            for piece, names in self._known.items()
            if counts[piece] >= 3 and all(map(is_number, names))
        )

    def strangers(self, piece: str, words: Sequence[str]) -> int:
        """How many names a piece has in training, if none of them is of the kind of these words.

        The kind of a number or time is what it looks like; others have a capital letter or not.
        """
        kinds = self._kinds[piece]
        return 0 if kinds[_kind(self._content(piece, words))] else kinds.total()

    def _content(self, piece: str, words: Sequence[str]) -> str:
        """What words spell without what they lose.

        An ending is one if what is left is a name that this piece has in training, or if most
        words of training that end so have it; likewise a beginning. Numbers become others if labels
        of this piece look like the result. So do names.
        """
        text, names = self.rule.spell(words), self._names(piece)
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
        """What another name of the same spells, if this piece has it or mostly has its like.

        None where words spell all labels that the piece has in training.
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
            for literal in labels  # words are in lower case
            if not self.rule.spells(words, cased(content_of(literal).lower(), case))
        )

    @cached_property
    def _like(self) -> Mapping[str, str]:
        """What names look like that pieces have instead of the ones in their sentences."""
        seen: dict[str, Counter[str]] = defaultdict(Counter)
        for (piece, words), labels in self.table.items():
            contents = {content_of(literal) for literal in labels}
            copied = self.rule.spell(words).lower() in map(str.lower, contents)
            spelled = {self.rule.spell(name.split()): name for name in other_names(" ".join(words))}
            looks = {_outline(spelled[content]) for content in contents & spelled.keys()}
            seen[piece].update([""] if copied else looks)
        likeliest = {piece: counts.most_common(1)[0] for piece, counts in seen.items() if counts}
        # So many different words of a piece show that it has other names than its sentences.
        return {piece: look for piece, (look, n) in likeliest.items() if look and n >= 3}

    def _names(self, piece: str) -> set[str]:
        """The contents that a piece has in training."""
        return self._known.get(piece, set())

    @cached_property
    def _known(self) -> Mapping[str, set[str]]:
        """The contents of each piece in training, which is over when they are asked for."""
        found: dict[str, set[str]] = defaultdict(set)
        for (piece, _), labels in self.table.items():
            found[piece].update(map(content_of, labels))
        return found

    @cached_property
    def _sentences(self) -> frozenset[str]:
        """The pieces whose contents mostly are texts of three words or more."""
        long = {p: sum(len(one.split()) >= 3 for one in some) for p, some in self._known.items()}
        return frozenset(p for p, some in self._known.items() if 2 * long[p] > len(some))

    @cached_property
    def _quotes(self) -> Mapping[tuple[str, str], Counter[str]]:
        """The quotes of each kind of contents, of each piece and, under "", of all."""
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
        """The labels over words, of all pieces together."""
        found: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for (_, words), labels in self.table.items():
            found[words].update(labels)
        return found

    @cached_property
    def _spelling(self) -> frozenset[str]:
        """The pieces with words of other pieces, more of which the rule knows than the others."""
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
        """What words of training spell, and what their label is; in lower case."""
        return frozenset(
            (self.rule.spell(words).lower(), content_of(literal).lower())
            for (_, words), labels in self.table.items()
            for literal in labels
        )

    @cached_property
    def _as_typed(self) -> frozenset[str]:
        """The pieces with labels of the same words in several cases, those that are spelled."""
        cases: Counter[str] = Counter()
        for (piece, words), labels in self.table.items():
            if len({content_of(one).lower() for one in labels} | {self.rule.spell(words)}) == 1:
                cases[piece] += labels.total() - max(labels.values())
        # So many labels are written as no other is.
        several = self.rule.case == "same" and cases.total() >= 3
        return frozenset(piece for piece in +cases if several)

    @cached_property
    def _has_compounds(self) -> bool:
        """Whether several words of train begin with their names, as `poolside` does with `pool`."""
        found = {
            words
            for (_, words), labels in self.table.items()
            if len(words) == 1 and any(_begins(content_of(one).lower(), words[0]) for one in labels)
        }
        return len(found) >= 3

    @cached_property
    def _shares(self) -> Mapping[Loss, float]:
        """How many of the different words of training that have what a loss takes do lose it."""
        shares = {}
        for loss in self.rule.losses:
            lower = Loss(*map(str.lower, loss))
            kept = [(lower.left(text), content) for text, content in self._texts]
            holds = [left == content for left, content in kept if left is not None]
            shares[loss] = sum(holds) / max(1, len(holds))
        return shares

    @cached_property
    def _kinds(self) -> Mapping[str, Counter[str]]:
        """How many contents of pieces are of each kind."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for piece, names in self._known.items():
            found[piece].update(map(_kind, names))
        return found

    @cached_property
    def _number_shapes(self) -> Mapping[str, set[str]]:
        """What the contents of pieces look like, each number as one digit."""
        found: dict[str, set[str]] = defaultdict(set)
        for piece, names in self._known.items():
            found[piece].update(map(shape_of, names))
        return found


def _quoted_as(content: str) -> str:
    if is_number(content):
        return _NUMBER
    return _SYMBOL if is_symbol(content) and not is_literal(content) else _TEXT


def _begins(name: str, word: str) -> bool:
    """Whether a word is a compound that begins with a name; both in lower case."""
    return len(name) >= 4 and len(word) - len(name) >= 3 and word.startswith(name)


def _is_low(content: str) -> bool:
    return content == content.lower()


def _outline(name: str) -> str:
    """A name with `A` for each capital and `a` for other letters.

    >>> _outline("U.S.")
    'A.A.'
    """
    return "".join("A" if c.isupper() else "a" if c.isalpha() else c for c in name)


def _kind(content: str) -> str:
    if any(character.isalpha() for character in content):
        return "capital" if content[:1].isupper() else "lower"
    return shape_of(content)
