"""Lexical labels of constants: looked up in a table of training, or copied from words by a rule.

See `amparser.lexicon.spelling` for the copy rule. An unseen name may also get the label that
a synonym has in training, such as `USA` for `United States`.

The *content* of a label is the label without its quotes. The *joint* is the text between the words
of a content, such as a space or `_`. The *kind* of a content is number, symbol or text. A *piece*
is a constant without its lexical label, as text. The *words* of a label are those words of the
sentence that its constant covers.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from amparser.characters import Token, text_of
from amparser.conditions import Count
from amparser.lexicon.names import other_names
from amparser.lexicon.spelling import (
    JOINTS,
    CopyRule,
    Loss,
    cased,
    content_of,
    is_spelled_alike,
    shape_of,
    unjoined,
)
from amparser.logic.term import is_literal, is_number, is_symbol

_NUMBER, _SYMBOL, _TEXT = "number", "symbol", "text"
"""Kinds of contents (labels without quotes); each kind may be quoted differently."""
_LOWER, _CAPITAL, _OTHER = "lower", "capital", "other"
"""Case of a label: lower case like its words, capitals like its words, or unlike its words."""

_MOST = 0.7
"""A constant's new labels get a joint (`_`) or case that at least this share of its labels has."""

Key = tuple[str, tuple[str, ...]]
"""Constant without its label (piece), and the words of the label in lower case."""


class _Piece:
    """Training labels of one piece (a constant without its label), by the words of the label."""

    def __init__(self, rule: CopyRule, labels: Mapping[tuple[str, ...], Counter[str]]) -> None:
        self.rule, self.labels = rule, labels
        self.names = {content_of(literal) for found in labels.values() for literal in found}

    @cached_property
    def is_numeric(self) -> bool:
        count = sum(found.total() for found in self.labels.values())
        return count >= 3 and all(map(is_number, self.names))

    @cached_property
    def is_low(self) -> bool:
        return bool(self.names) and all(map(_is_low, self.names))

    @cached_property
    def _spelled(self) -> list[tuple[str, str]]:
        """Pairs of words and label that differ only in case and joint: `new york`, `New_York`."""
        pairs = {
            (text_of(words), content_of(literal))
            for words, labels in self.labels.items()
            for literal in labels
        }
        return sorted(pair for pair in pairs if pair[0].islower() and is_spelled_alike(*pair))

    @cached_property
    def joint(self) -> str:
        """Usual text between the words of a label (`_` in `New_York`), or else the rule's joint."""
        several = (pair for pair in self._spelled if pair[0].replace(" ", "").isalnum())
        pairs = [(text, content.lower()) for text, content in several if " " in text]
        seen = {j: sum(text.replace(" ", j) == content for text, content in pairs) for j in JOINTS}
        joint = max(seen, key=seen.__getitem__)
        return joint if len(pairs) >= 3 and seen[joint] >= _MOST * len(pairs) else self.rule.joint

    @cached_property
    def case(self) -> tuple[Callable[[str], str], float]:
        seen = {
            case: sum(unjoined(case(text)) == unjoined(content) for text, content in self._spelled)
            for case in (str.lower, _capitalized, str.upper)
        }
        case = max(seen, key=seen.__getitem__)
        return case, seen[case] / max(1, len(self._spelled))

    @cached_property
    def has_sentences(self) -> bool:
        return 2 * sum(len(name.split()) >= 3 for name in self.names) > len(self.names)

    @cached_property
    def is_spelled(self) -> bool:
        return all(
            self.rule.spells(words, content_of(literal))
            for words, labels in self.labels.items()
            for literal in labels
        )

    @cached_property
    def kinds(self) -> Counter[str]:
        return Counter(map(_kind, self.names))

    @cached_property
    def number_shapes(self) -> set[str]:
        return set(map(shape_of, self.names))

    @cached_property
    def synonyms(self) -> str:
        """Usual outline (`A.A.` for `U.S.`) of synonym labels; empty if most labels are copied."""
        seen: Counter[str] = Counter()
        for words, labels in self.labels.items():
            contents = {content_of(literal) for literal in labels}
            copied = self.rule.spell(words).lower() in map(str.lower, contents)
            spelled = {self.rule.spell(name.split()): name for name in other_names(" ".join(words))}
            looks = {_outline(spelled[content]) for content in contents & spelled.keys()}
            seen.update([""] if copied else looks)
        [(look, count)] = seen.most_common(1) or [("", 0)]
        return look if count >= 3 else ""


@dataclass
class LexicalLabels:
    """Lexical labels of constants, by piece and words; see the module's docstring.

    Attributes:
        rule: rule by which words spell a label.
        quote: quotation mark for kinds of labels that training lacks.
        spelled, looked_up: number of training labels that the rule spells, and of all others.
        table: counts of labels by piece and words.
        cases: counts of labels by piece and case (`_LOWER`, `_CAPITAL` or `_OTHER`).
    """

    rule: CopyRule
    quote: str = "'"
    spelled: Count = 0
    looked_up: Count = 0
    table: dict[Key, Counter[str]] = field(default_factory=dict)
    cases: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, piece: str, words: Sequence[str], literal: str) -> None:
        """Count one training label."""
        lower = tuple(word.lower() for word in words)
        self.table.setdefault((piece, lower), Counter())[literal] += 1
        content, typed = content_of(literal), self.rule.spell(words)
        if is_spelled_alike(typed, content) and any(map(str.isalpha, typed)):
            is_other = unjoined(content) != unjoined(typed)
            case = _OTHER if is_other else _LOWER if _is_low(typed) else _CAPITAL
            self.cases.setdefault(piece, Counter())[case] += 1
        if self.rule.spells(words, content_of(literal)):
            self.spelled += 1
        else:
            self.looked_up += 1

    def label(self, piece: str, words: Sequence[str]) -> str:
        """Return the label of a constant (`piece`) for its words. The first possible way is used:

        1. the label of this piece and these words in training;
        2. a synonym, if labels of the piece are usually synonyms of the words;
        3. the label of other pieces for these words, unless the rule is more often right;
        4. the label of similar words, if the rule spells less than half of the training labels;
        5. the label that the rule spells.
        """
        lower = tuple(word.lower() for word in words)
        if counts := self.table.get((piece, lower)):
            return self._as_typed(piece, words, max(sorted(counts), key=counts.__getitem__))
        known = self._piece(piece)
        if known.synonyms and (other := self._other_name(piece, words)) is not None:
            return self._quoted(piece, other)
        counts = self._anywhere.get(lower, Counter())
        if known.is_numeric:
            counts = Counter({one: n for one, n in counts.items() if is_number(content_of(one))})
        if counts and piece not in self._spelling:
            literal = max(sorted(counts), key=counts.__getitem__)
            literal = self._quoted(piece, content_of(literal)) if known.names else literal
            return self._as_typed(piece, words, literal)
        if self.spelled < self.looked_up:
            near: Counter[str] = Counter()
            for others, labels in known.labels.items():
                shared = len(set(others) & set(lower))
                near.update(
                    {literal: count * shared for literal, count in labels.items() if shared}
                )
            if near:
                return max(sorted(near), key=near.__getitem__)
        content = self._content(piece, words)
        if known.has_sentences and isinstance(words[-1], Token):
            content += words[-1].after
        return self._quoted(piece, content)

    def _as_typed(self, piece: str, words: Sequence[str], literal: str) -> str:
        """Return a label in the case of its words, if other labels of this constant keep it."""
        counts, typed = self.cases.get(piece, Counter()), self.rule.spell(words)
        # At least three labels keep lower case, three keep a capital, and few change the case.
        some = min(counts[_LOWER], counts[_CAPITAL]) >= 3 and 10 * counts[_OTHER] <= counts[_LOWER]
        same = self.rule.case == "same" and typed.lower() == content_of(literal).lower()
        return self._quoted(piece, typed) if some and same else literal

    def _quoted(self, piece: str, content: str) -> str:
        """Add the quotes that labels of the same kind (number, symbol, text) have at this constant.

        If the constant has no such labels, the quotes of its symbols are used, else those of its
        texts, else those of all constants.
        """
        kind = _quoted_as(content)
        like = (_NUMBER,) if kind == _NUMBER else (kind, _SYMBOL, _TEXT)
        where = [(piece, one) for one in (*like, _SYMBOL, _TEXT)] + [("", one) for one in like]
        quotes = next((found for one in where if (found := self._quotes.get(one))), None)
        quote = max(sorted(quotes), key=quotes.__getitem__) if quotes else self.quote
        if not quote and kind == _TEXT:
            quote = self.quote or "'"
        elif not quote and kind == _SYMBOL and self._piece(piece).is_low:
            content = content.lower()
        return f"{quote}{content}{quote}"

    def _written(self, piece: str, words: Sequence[str]) -> str:
        """Join words as in other labels of this constant: `New York` may become `new_york`."""
        known, text = self._piece(piece), text_of(words)
        case, share = known.case
        counts = self.cases.get(piece, Counter())
        # The rule's case is used, unless at least three labels differ from it and most labels share
        # another case.
        others = counts[_OTHER]
        if others >= 3 and (share >= _MOST or 2 * others > counts.total()):
            text = case(text)
        else:
            text = cased(text, self.rule.case)
        return text if known.joint == " " else known.joint.join(text.split())

    def lacks_number(self, piece: str, words: Sequence[str]) -> bool:
        """Return True if training labels of a constant are numbers, but these words give none."""
        is_numeric = self._piece(piece).is_numeric
        return is_numeric and not is_number(content_of(self.label(piece, words)))

    def strangers(self, piece: str, words: Sequence[str]) -> int | None:
        """Return how unusual the label is that a constant (`piece`) gets from its words.

        Numbers and times are alike if they have the same shape (`0:0`). Other labels are alike if
        both, or neither, begin with a capital.

        Returns:
            None if training has this label; 0 if a training label of the piece is like it;
                otherwise the number of different training labels of the piece.
        """
        if (piece, tuple(word.lower() for word in words)) in self.table:
            return None
        known, content = self._piece(piece), self._content(piece, words)
        if content in known.names and (self.rule.alters or not known.is_spelled):
            return None
        return 0 if known.kinds[_kind(content)] else known.kinds.total()

    def _content(self, piece: str, words: Sequence[str]) -> str:
        """Return the label, without quotes, that words give to a constant (`piece`).

        An affix is removed if the rest is a training label of the piece, or if training usually
        removes it. A number is converted (`NumberRule`) if labels of the piece have the resulting
        shape. A name may be replaced by a synonym (`_other_name`).
        """
        known = self._piece(piece)
        text, names = self._written(piece, words), known.names
        if known.is_numeric and text.isdecimal() and not any(_has_zero(n) for n in names):
            text = str(int(text))
        if text not in names and (other := self._other_name(piece, words)) is not None:
            return other
        for made in self.rule.renumbered(words) if self.rule.numbers else ():
            if text not in names and shape_of(made) in known.number_shapes:
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
        is_name, share, _, left = max(options, default=(False, 0.0, 0, text))
        return left if text not in names and (is_name or share > 0.5) else text

    def _other_name(self, piece: str, words: Sequence[str]) -> str | None:
        """Return a synonym that is a training label, else one with the usual outline, else None.

        No synonym is used if words always spell the labels of the piece.
        """
        known = self._piece(piece)
        if known.is_spelled:
            return None
        found = {name: self.rule.spell(name.split()) for name in other_names(" ".join(words))}
        seen = (text for text in found.values() if text in known.names)
        return next(seen, None) or next(
            (text for name, text in found.items() if _outline(name) == known.synonyms), None
        )

    def _piece(self, piece: str) -> _Piece:
        return self._pieces.get(piece) or _Piece(self.rule, {})

    @cached_property
    def _pieces(self) -> Mapping[str, _Piece]:
        """Training labels by constant; `add` must not be called afterwards."""
        found: dict[str, dict[tuple[str, ...], Counter[str]]] = defaultdict(dict)
        for (piece, words), labels in self.table.items():
            found[piece][words] = labels
        return {piece: _Piece(self.rule, labels) for piece, labels in found.items()}

    @cached_property
    def _quotes(self) -> Mapping[tuple[str, str], Counter[str]]:
        """Counts of quotes by (piece, kind of label); the piece "" stands for all pieces."""
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
        """Constants whose labels are more often copied from words than shared by other constants.

        Only words that also have a label at another constant are counted.
        """
        better: Counter[str] = Counter()
        for (piece, words), labels in self.table.items():
            others = self._anywhere[words] - labels
            if others:
                own = {content_of(literal) for literal in labels}
                other = content_of(max(sorted(others), key=others.__getitem__))
                better[piece] += (self.rule.spell(words) in own) - (other in own)
        return frozenset(piece for piece, count in better.items() if count > 0)

    @cached_property
    def _has_compounds(self) -> bool:
        """True if at least three training words begin with their label (`poolside`: `pool`)."""
        found = {
            words
            for (_, words), labels in self.table.items()
            if len(words) == 1 and any(_begins(content_of(one).lower(), words[0]) for one in labels)
        }
        return len(found) >= 3

    @cached_property
    def _shares(self) -> Mapping[Loss, float]:
        """For each affix, the share of training words with this affix whose labels lack it."""
        texts = {
            (self.rule.spell(words).lower(), content_of(literal).lower())
            for (_, words), labels in self.table.items()
            for literal in labels
        }
        shares = {}
        for loss in self.rule.losses:
            lower = Loss(*map(str.lower, loss))
            kept = [(lower.left(text), content) for text, content in texts]
            holds = [left == content for left, content in kept if left is not None]
            shares[loss] = sum(holds) / max(1, len(holds))
        return shares


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
