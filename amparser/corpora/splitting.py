"""How a corpus splits sentences into tokens, read off its train sentences, for raw text.

signs     stand by themselves in train more often than at a word: they are split off words
whole     tokens of train that have such a sign and stay, as `Dr.`
endings   tokens of train that are parts of words, as `'s`
joined    tokens of train that are several words, as `at_least_three`
cases     tokens of train that are never in lower case, as names are

Who types in lower case is understood where train shows how words are written.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar
from unicodedata import category, normalize

from amparser.characters import Token, is_private
from amparser.corpora.tokens import ENDS, JOINTS, SIGNS, WORD

_LONGEST_ENDING = 4
_FEW = 0.02
"""So many sentences tell how words are written, but for such a share of them."""
_AT_WORDS = ("Ps", "Pe", "Pi", "Pf", "Po", "Sc")
"""Unicode's categories of signs that raw text has at words."""
_AROUND = '":()[]\u201c\u201d\u201e\u00ab\u00bb\u00a1\u00bf'
"""Further signs that raw text may have at any word."""
_EDGE = re.compile(r"^\W+|\W+$")
_ENDING = re.compile(r"(?:\W\w+|n\Wt)")
_CHARACTER = re.compile(r".[\u0300-\u036f]*", re.DOTALL)
_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*|\D+")
_VALUES = re.compile(r"""[\"'][^\"']*[\"']|(?<![\w.])\d+(?:\.\d+)?(?![\w.])""")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)\W(?=\d)")


@dataclass(frozen=True)
class Splitting:
    """A tokenizer of raw text.

    Attributes:
        signs: single signs that are tokens; those of `tokens.SIGNS` also inside a word.
        whole: words, in lower case, that stay as they are.
        endings: what is split off the end of a word, in lower case.
        joined: words, in lower case, that together are one token, and what joins them.
        raw: whether sentences of files are raw text, too.
        cases: by a word in lower case, how train writes it, if never so.
        first: whether sentences begin with a capital letter.
        lower: whether there are no capital letters.
        endless: whether sentences end with no sign.
        last: the sign with which all sentences that begin with a word (in lower case) end; under
            the empty word that of the others, if they all end with a sign.
        numbers: whether a number is a token of its own inside of a word.
        odd: the characters of train that NFKC changes; words with others are normalized.
        newer: the fields that older model folders lack.
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
        """How sentences are split."""
        counts = Counter(token for sentence in sentences for token in sentence)
        apart, attached = Counter[str](), Counter[str]()
        for token, count in counts.items():
            if not re.search(r"\w", token):
                if len(token) == 1:
                    apart[token] += count
                continue
            # What stands between digits is never split off.
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
        """How raw sentences, cut at spaces alone, are to be split.

        A word that has a point where its sentence goes on keeps it, as `Dr.` does. Quotation marks,
        brackets, signs of currencies and the like are tokens where they stand at words.

        >>> Splitting.of_raw([("Note", '"feed', 'Dr.', "5%", "cats'", 'cat"')])('say "$10 off" .')
        ('say', '"', '$10', 'off', '"', '.')
        """
        edges = {
            sign for one in sentences for word in one for e in _EDGE.findall(word) for sign in e
        }
        signs = {sign for sign in edges if category(sign) in _AT_WORDS and sign != "'"}
        inside = {token.lower() for sentence in sentences for token in sentence[:-1]}
        whole = frozenset(token for token in inside if re.fullmatch(r"\w.*\.", token))
        return cls(frozenset(SIGNS + _AROUND) | signs, whole=whole, raw=True, odd=_odd(sentences))

    @classmethod
    def looks_raw(cls, sentences: Sequence[Sequence[str]]) -> bool:
        """Whether signs mostly stand at words of sentences, which were cut at spaces alone.

        Sentences without signs are raw, unless tokens are parts of words or several words.

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
        """The same with numbers as tokens, if they are values inside of most words that have some.

        Words from whose numbers other numbers are computed, as 1300 from `1pm`, stay whole.

        Args:
            rows: the tokens and the meaning of each sentence.
        """
        mixed, values, computed = set(), set(), set()
        for tokens, meaning in rows:
            words = {str(token) for token in tokens if len(parts_of(token)) > 1}
            mixed |= words
            if words:
                found = {*_numbers_of(meaning)}.difference(tokens)
                inside = {word for word in words if not found.isdisjoint(parts_of(word))}
                values |= inside
                if any(one[:1].isdigit() for one in found):
                    computed |= words - inside
        # Shares of different words.
        is_value = 2 * len(values) >= len(mixed) and 10 * len(computed) <= len(values)
        return replace(self, numbers=is_value)

    def with_cases(self, sentences: Sequence[Sequence[str]]) -> Splitting:
        """The same with how sentences of tokens write words, if there are enough to tell."""
        several = [sentence for sentence in sentences if len(sentence) > 1]
        # So many sentences tell how words are written, but for such a share of them.
        if len(several) < 20:
            return self
        few = _FEW * len(several)
        endless = sum(sentence[-1][-1] in ENDS for sentence in several) < few
        if sum(" ".join(one) != " ".join(one).lower() for one in several) < few:
            return replace(self, lower=True, endless=endless, last=_last_signs(several, few))
        forms: dict[str, Counter[str]] = defaultdict(Counter)
        for sentence in several:
            for token in sentence[1:]:
                forms[token.lower()][str(token)] += 1
        cases = {
            low: max(sorted(found), key=found.__getitem__)
            for low, found in forms.items()
            if low not in found and not is_private(low)
        }
        capital = sum(sentence[0][:1].isupper() for sentence in several)
        first = capital > len(several) - few
        last = _last_signs(several, few)
        return replace(self, cases=cases, first=first, endless=endless, last=last)

    def __call__(self, text: str) -> tuple[str, ...]:
        """The tokens of raw text.

        >>> Splitting(whole=frozenset({"dr."}))("Dr. Smith slept.")
        ('Dr.', 'Smith', 'slept', '.')
        """
        words = [token for found in WORD.finditer(text) for token in self._tokens(*found.groups())]
        words = list(self._joined(words)) if self.joined else words
        if self.endless and len(words) > 1 and words[-1] in ENDS:
            *words, last, sign = words
            words.append(Token(last, last.gap, last.written, sign.gap + sign))
        if self.last and len(words) > 1 and words[-1][-1] not in ENDS:
            sign_of = self.last.get(words[0].lower(), self.last.get(""))
            words += [Token(sign_of, "", "")] if sign_of else []
        return tuple(self._written(words, typed_low=text == text.lower()))

    def _tokens(self, gap: str, word: str) -> Iterator[Token]:
        """The tokens of what stands between two spaces."""
        if word.isascii() or not self.odd.isdisjoint(word):
            for number, part in enumerate(self._parts(word)):
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
        """The words as train writes them; a sentence with capitals is written with care."""
        for number, word in enumerate(words):
            if self.lower:
                yield Token(word.lower(), word.gap, word.written, word.after)
                continue
            form = self.cases.get(word, word) if typed_low else word
            if self.first and number == 0 and len(words) > 1:
                form = form[:1].upper() + form[1:]
            yield word if form == word else Token(form, word.gap, None, word.after)

    def _parts(self, word: str) -> list[str]:
        """The parts of a word that are tokens."""
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
        if found := self._inside.search(word):
            left, sign = word[: found.start()], found[0]
            return [*self._parts(left), sign, *self._parts(word[found.end() :])]
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
        """The words, of which the longest that are one token are joined."""
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
    """The numbers of a word, and what is around them.

    >>> parts_of("20.5\u00b0"), parts_of("7:15"), parts_of("lamp")
    (['20.5', '°'], ['7', ':', '15'], ['lamp'])
    """
    return _NUMBERS.findall(word)


def _numbers_of(meaning: str) -> list[str]:
    """The numbers that are values of their own in a meaning."""
    return [text.strip("\"'") for text in _VALUES.findall(meaning)]


def _odd(sentences: Sequence[Sequence[str]]) -> frozenset[str]:
    """The characters that NFKC changes."""
    found = {
        c for sentence in sentences for token in sentence if not token.isascii() for c in token
    }
    return frozenset(c for c in found if normalize("NFKC", c) != c)


def _last_signs(sentences: Sequence[Sequence[str]], few: float) -> dict[str, str]:
    """See `Splitting.last`: the sign of nearly all sentences, and of those with a first word."""
    ends = defaultdict[str, Counter[str]](Counter)
    for sentence in sentences:
        ends[sentence[0].lower()][sentence[-1] if sentence[-1] in ENDS else ""] += 1
    usual = _nearly_always(sum(ends.values(), Counter()), len(sentences) - few)
    found = {
        first: _nearly_always(counts, (1 - _FEW) * counts.total()) for first, counts in ends.items()
    }
    # So many sentences tell how words are written, but for such a share of them.
    return ({"": usual} if usual else {}) | {
        first: sign
        for first, sign in found.items()
        if sign and sign != usual and (usual or ends[first].total() >= 5)
    }


def _nearly_always(counts: Counter[str], least: float) -> str:
    """The most frequent sign, if sentences with any sign are so many; else none."""
    if counts.total() - counts[""] < least:
        return ""
    return max(sorted(set(counts) - {""}), key=counts.__getitem__, default="")


def _joined_in(
    sentences: Sequence[Sequence[str]], counts: Mapping[str, int]
) -> dict[tuple[str, ...], str]:
    """The words that are one token more often than several, and what joins them."""
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
