"""Tokenizer of raw text, learned from the tokens of train.

    signs     characters that are mostly separate tokens in train
    whole     tokens of train that contain such a character and are not split, such as `Dr.`
    endings   tokens of train that are parts of words, such as `'s`
    joined    tokens of train that consist of several words, such as `at_least_three`
    cases     tokens of train that are never in lower case, such as names

Input in lower case gets the capitals of train if train has enough sentences.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import ClassVar
from unicodedata import category, normalize

from amparser.characters import Token, is_private
from amparser.corpora.tokens import ENDS, JOINTS, SIGNS, WORD

_LONGEST_ENDING = 4
_FEW = 0.02
"""Maximum share of training sentences that break a convention, such as an initial capital."""
_AT_WORDS = ("Ps", "Pe", "Pi", "Pf", "Po", "Sc")
"""Unicode categories of characters that raw text writes next to words, without a space."""
_AROUND = '":()[]\u201c\u201d\u201e\u00ab\u00bb\u00a1\u00bf'
"""Characters that raw text may write next to any word, without a space."""
_SHORT = re.compile(r"[^\W\d]+\.")
_EDGE = re.compile(r"^\W+|\W+$")
_ENDING = re.compile(r"(?:\W\w+|n\Wt)")
_CHARACTER = re.compile(r".[\u0300-\u036f]*", re.DOTALL)
_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*|\D+")
_VALUES = re.compile(r"""[\"'][^\"']*[\"']|(?<![\w.])\d+(?:\.\d+)?(?![\w.])""")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)\W(?=\d)")


@dataclass(frozen=True)
class Splitting:
    """Tokenizer of raw text.

    Attributes:
        signs: characters that are tokens at the beginning or end of a word; those in `tokens.SIGNS`
            are also tokens inside a word.
        whole: words (in lower case) that are not split.
        endings: endings (in lower case) that are tokens of their own.
        joined: for each sequence of words (in lower case) that is one token, the character that
            joins them.
        raw: whether the sentences in the corpus files are raw text, too.
        cases: usual form of each word that train never writes in lower case (`emma` -> `Emma`).
        first: whether sentences begin with a capital.
        lower: whether train has no capitals.
        endless: whether sentences have no final punctuation.
        last: final punctuation of a sentence by its first word (`who` -> `?`). The empty key is for
            other first words; it exists only if nearly all sentences of train have final
            punctuation.
        numbers: whether numbers inside words are separate tokens.
        odd: characters of train that the Unicode normalization NFKC changes. Only words without any
            of these characters are normalized.
        newer: names of fields that older model folders do not have.
    """

    signs: frozenset[str] = frozenset(SIGNS)
    whole: frozenset[str] = frozenset()
    endings: frozenset[str] = frozenset()
    joined: Mapping[tuple[str, ...], str] | None = None
    raw: bool = False
    cases: Mapping[str, str] = field(default_factory=dict)
    first: bool = False
    lower: bool = False
    endless: bool = False
    last: Mapping[str, str] = field(default_factory=dict)
    odd: frozenset[str] = frozenset()
    numbers: bool = False

    newer: ClassVar[frozenset[str]] = frozenset({"last", "odd", "numbers"})

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> Splitting:
        """Learn a tokenizer from tokenized sentences."""
        counts = Counter(token for sentence in sentences for token in sentence)
        apart, attached = Counter[str](), Counter[str]()
        for token, count in counts.items():
            if not re.search(r"\w", token):
                if len(token) == 1:
                    apart[token] += count
                continue
            # Characters between digits are not separate tokens.
            edges = "".join(_EDGE.findall(token))
            inside = set(_BETWEEN_DIGITS.sub("", token)) & set(SIGNS)
            for sign in {*edges, *inside} - {"_"}:
                attached[sign] += count
        known = frozenset(SIGNS) | apart.keys()
        signs = frozenset(sign for sign in known if apart[sign] >= attached[sign])
        bare = cls(signs)
        lower = {token.lower() for token in counts}
        return cls(
            signs,
            frozenset(t for t in lower if bare(t) != (t,) and not any(j in t for j in JOINTS)),
            frozenset(t for t in lower if len(t) <= _LONGEST_ENDING and _ENDING.fullmatch(t)),
            _joined_in(sentences, counts),
            odd=_odd(sentences),
        ).with_cases(sentences)

    @classmethod
    def of_raw(cls, sentences: Sequence[Sequence[str]]) -> Splitting:
        """Learn a tokenizer from raw sentences that were split at spaces only.

        Words that have a period inside a training sentence, such as `Dr.`, keep it. So do single
        letters, and words that precede a word in lower case. Quotation marks, brackets, currency
        signs and similar characters around words become tokens.

        >>> Splitting.of_raw([("Note", '"feed', 'Dr.', "5%", "cats'", 'cat"')])('say "$10 off" .')
        ('say', '"', '$10', 'off', '"', '.')
        >>> Splitting.of_raw([("Note",)])("Play J. S. Bach on nov. third. Stop.")
        ('Play', 'J.', 'S.', 'Bach', 'on', 'nov.', 'third', '.', 'Stop', '.')
        """
        words = {word for tokens in sentences for word in tokens}
        edges = {sign for word in words for edge in _EDGE.findall(word) for sign in edge}
        signs = {sign for sign in edges if category(sign) in _AT_WORDS and sign != "'"}
        inside = {token.lower() for sentence in sentences for token in sentence[:-1]}
        whole = frozenset(token for token in inside if re.fullmatch(r"\w.*\.", token))
        return cls(frozenset(SIGNS + _AROUND) | signs, whole=whole, raw=True, odd=_odd(sentences))

    @classmethod
    def looks_raw(cls, sentences: Sequence[Sequence[str]]) -> bool:
        """Return True if sentences, split at spaces, mostly have no space before punctuation.

        Sentences without punctuation count as raw, unless some tokens are parts of words (`'s`) or
        consist of several words (`at_least`).

        >>> Splitting.looks_raw([("No,", "thanks")]), Splitting.looks_raw([("No", ",", "thanks")])
        (True, False)
        """
        tokens = [token for sentence in sentences for token in sentence]
        apart = sum(token in SIGNS for token in tokens)
        attached = sum(token[-1] in SIGNS and len(token) > 1 for token in tokens)
        if apart or attached:
            return attached > apart
        split = cls.of(sentences)
        return not split.endings and not split.joined

    def with_numbers(self, rows: Iterable[tuple[Sequence[str], str]]) -> Splitting:
        """Return a tokenizer that splits `20kg` if the meanings contain most such numbers (`20`).

        Args:
            rows: tokens and meaning of each example.
        """
        mixed, values, computed = set(), set(), set()
        for tokens, meaning in rows:
            words = {str(token) for token in tokens if len(parts_of(token)) > 1}
            mixed |= words
            if words:
                numbers = {*_numbers_of(meaning)}.difference(tokens)
                inside = {word for word in words if not numbers.isdisjoint(parts_of(word))}
                values |= inside
                if any(number[:1].isdigit() for number in numbers):
                    computed |= words - inside
        is_value = 2 * len(values) >= len(mixed) and 10 * len(computed) <= len(values)
        return replace(self, numbers=is_value)

    def with_cases(self, sentences: Sequence[Sequence[str]]) -> Splitting:
        """Return the tokenizer with train's conventions of capitals and final punctuation.

        The tokenizer is unchanged if fewer than 20 sentences have several tokens.
        """
        several = [sentence for sentence in sentences if len(sentence) > 1]
        if len(several) < 20:
            return self
        few = _FEW * len(several)
        endless = sum(sentence[-1][-1] in ENDS for sentence in several) < few
        last = _last_signs(several, few)
        if sum(" ".join(tokens) != " ".join(tokens).lower() for tokens in several) < few:
            return replace(self, lower=True, endless=endless, last=last)
        forms: dict[str, Counter[str]] = defaultdict(Counter)
        for sentence in several:
            for token in sentence[1:]:
                forms[token.lower()][str(token)] += 1
        cases = {
            low: max(sorted(counts), key=counts.__getitem__)
            for low, counts in forms.items()
            if low not in counts and not is_private(low)
        }
        capital = sum(sentence[0][:1].isupper() for sentence in several)
        first = capital > len(several) - few
        return replace(self, cases=cases, first=first, endless=endless, last=last)

    def __call__(self, text: str) -> tuple[str, ...]:
        """Return the tokens of raw text.

        >>> Splitting(whole=frozenset({"dr."}))("Dr. Smith slept.")
        ('Dr.', 'Smith', 'slept', '.')
        """
        parts = [*((match[1], match[2]) for match in WORD.finditer(text)), ("", "")]
        words = [
            token
            for (gap, word), (_, following) in pairwise(parts)
            for token in self._tokens(gap, word, whole=self._abbreviates(word, following))
        ]
        words = list(self._joined(words)) if self.joined else words
        if self.endless and len(words) > 1 and words[-1] in ENDS:
            *words, last, sign = words
            words.append(Token(last, last.gap, last.written, sign.gap + sign))
        if self.last and len(words) > 1 and words[-1][-1] not in ENDS:
            sign_of = self.last.get(words[0].lower(), self.last.get(""))
            words += [Token(sign_of, "", "")] if sign_of else []
        return tuple(self._written(words, typed_low=text == text.lower()))

    def _abbreviates(self, word: str, following: str) -> bool:
        """Return True if the period at the end of a word does not end a sentence."""
        initial = len(word) == 2 and following
        return bool(self.raw and _SHORT.fullmatch(word) and (initial or following[:1].islower()))

    def _tokens(self, gap: str, word: str, *, whole: bool) -> Iterator[Token]:
        if whole or word.isascii() or not self.odd.isdisjoint(word):
            for number, part in enumerate([word] if whole else self._parts(word)):
                yield Token(part, "" if number else gap)
            return
        plain = [(normalize("NFKC", raw), raw) for raw in _CHARACTER.findall(word)]
        written = [raw if i == 0 else "" for form, raw in plain for i in range(len(form))]
        form, start = "".join(form for form, _ in plain), 0
        parts = self._parts(form) if form.split() == [form] else [word]
        for number, part in enumerate(parts):
            end = start + len(part) if part != word else len(written)
            yield Token(part, "" if number else gap, "".join(written[start:end]))
            start = end

    def _written(self, words: Sequence[Token], *, typed_low: bool) -> Iterator[Token]:
        """Yield the words with the capitals of train; `typed_low` means input without capitals."""
        for number, word in enumerate(words):
            if self.lower:
                yield Token(word.lower(), word.gap, word.written, word.after)
                continue
            form = self.cases.get(word, word) if typed_low else word
            if self.first and number == 0 and len(words) > 1:
                form = form[:1].upper() + form[1:]
            yield word if form == word else Token(form, word.gap, None, word.after)

    def _parts(self, word: str) -> list[str]:
        lower = word.lower()
        if not word or lower in self.whole or len(word) == 1:
            return [word] if word else []
        if word[0] in self.signs:
            return [word[0], *self._parts(word[1:])]
        if word[-1] in self.signs:
            return [*self._parts(word[:-1]), word[-1]]
        for length in range(_LONGEST_ENDING, 1, -1):
            if len(word) > length and lower[-length:] in self.endings:
                return [*self._parts(word[:-length]), word[-length:]]
        if match := self._inside.search(word):
            left, sign = word[: match.start()], match[0]
            return [*self._parts(left), sign, *self._parts(word[match.end() :])]
        return parts_of(word) if self.numbers else [word]

    @cached_property
    def _inside(self) -> re.Pattern[str]:
        inside = self.signs & set(SIGNS)
        always, points = (
            "".join(sorted(some)) for some in (inside - {".", ","}, inside & {".", ","})
        )
        patterns = [rf"[{re.escape(always)}]"] if always else []
        if points:
            patterns.append(rf"(?<![0-9])[{points}]|[{points}](?![0-9])")
        return re.compile("|".join(patterns) or r"\s")

    def _joined(self, words: Sequence[Token]) -> Iterator[Token]:
        joined = self.joined or {}
        longest = max(map(len, joined))
        lower = [word.lower() for word in words]
        at = 0
        while at < len(words):
            for end in range(min(len(words), at + longest), at + 1, -1):
                if joint := joined.get(tuple(lower[at:end])):
                    yield Token(joint.join(words[at:end]), words[at].gap)
                    at = end
                    break
            else:
                yield words[at]
                at += 1


def parts_of(word: str) -> list[str]:
    """Split a word into numbers and the parts around them.

    >>> parts_of("20.5\u00b0"), parts_of("7:15"), parts_of("lamp")
    (['20.5', '°'], ['7', ':', '15'], ['lamp'])
    """
    return _NUMBERS.findall(word)


def _numbers_of(meaning: str) -> list[str]:
    return [text.strip("\"'") for text in _VALUES.findall(meaning)]


def _odd(sentences: Sequence[Sequence[str]]) -> frozenset[str]:
    characters = {
        c for sentence in sentences for token in sentence if not token.isascii() for c in token
    }
    return frozenset(c for c in characters if normalize("NFKC", c) != c)


def _last_signs(sentences: Sequence[Sequence[str]], few: float) -> dict[str, str]:
    ends = defaultdict[str, Counter[str]](Counter)
    for sentence in sentences:
        ends[sentence[0].lower()][sentence[-1] if sentence[-1] in ENDS else ""] += 1
    usual = _nearly_always(sum(ends.values(), Counter()), len(sentences) - few)
    signs = {
        first: _nearly_always(counts, (1 - _FEW) * counts.total()) for first, counts in ends.items()
    }
    # If no sign is usual, keep only first words with which at least five sentences begin.
    return ({"": usual} if usual else {}) | {
        first: sign
        for first, sign in signs.items()
        if sign and sign != usual and (usual or ends[first].total() >= 5)
    }


def _nearly_always(counts: Counter[str], least: float) -> str:
    """Return the most frequent sign if at least `least` sentences have a sign, else `""`."""
    if counts.total() - counts[""] < least:
        return ""
    return max(sorted(set(counts) - {""}), key=counts.__getitem__, default="")


def _joined_in(
    sentences: Sequence[Sequence[str]], counts: Mapping[str, int]
) -> dict[tuple[str, ...], str]:
    """Map each sequence of words that train mostly writes as one token to the joining character."""
    joint_of: dict[tuple[str, ...], str] = {}
    left = Counter[tuple[str, ...]]()
    for token, count in counts.items():
        for joint in JOINTS:
            words = tuple(token.lower().split(joint))
            if len(words) > 1 and all(re.search(r"\w", word) for word in words):
                joint_of[words] = joint
                left[words] += count
                break
    lengths = {len(words) for words in joint_of}
    for sentence in sentences if lengths else ():
        lower = [token.lower() for token in sentence]
        for length in lengths:
            for at in range(len(lower) - length + 1):
                words = tuple(lower[at : at + length])
                if words in joint_of:
                    left[words] -= 1
    return {words: joint for words, joint in joint_of.items() if left[words] > 0}
