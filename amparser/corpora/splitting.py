"""How a corpus splits sentences into tokens, read off its train sentences, for raw text.

signs     stand by themselves in train more often than at a word: they are split off words
whole     tokens of train that have such a sign and stay, as `Dr.`
endings   tokens of train that are parts of words, as `'s`
joined    tokens of train that are several words, as `at_least_three`
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from amparser.corpora.tokens import SIGNS

_JOINTS = ("_", "~", " ")
_LONGEST_ENDING = 4
_EDGE = re.compile(r"^\W+|\W+$")
_ENDING = re.compile(r"(?:\W\w+|n\Wt)")
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
    """

    signs: frozenset[str] = frozenset(SIGNS)
    whole: frozenset[str] = frozenset()
    endings: frozenset[str] = frozenset()
    joined: Mapping[tuple[str, ...], str] | None = None
    raw: bool = False

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
            frozenset(t for t in lower if bare(t) != (t,) and not any(j in t for j in _JOINTS)),
            frozenset(t for t in lower if len(t) <= _LONGEST_ENDING and _ENDING.fullmatch(t)),
            _joined_in(sentences, counts),
        )

    @classmethod
    def of_raw(cls, sentences: Sequence[Sequence[str]]) -> Splitting:
        """How raw sentences, cut at spaces alone, are to be split.

        A word that has a point where its sentence goes on keeps it, as `Dr.` does.
        """
        inside = {token.lower() for sentence in sentences for token in sentence[:-1]}
        whole = frozenset(token for token in inside if re.fullmatch(r"\w.*\.", token))
        return cls(whole=whole, raw=True)

    def __call__(self, text: str) -> tuple[str, ...]:
        """The tokens of raw text.

        >>> Splitting(whole=frozenset({"dr."}))("Dr. Smith slept.")
        ('Dr.', 'Smith', 'slept', '.')
        """
        words = [part for word in text.split() for part in self._parts(word)]
        return tuple(self._joined(words)) if self.joined else tuple(words)

    def _parts(self, word: str) -> list[str]:
        """The tokens of what stands between two spaces."""
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
        return [word]

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

    def _joined(self, words: Sequence[str]) -> Iterator[str]:
        """The words, of which the longest that are one token are joined."""
        joined = self.joined or {}
        longest = max(map(len, joined))
        lower = [word.lower() for word in words]
        at = 0
        while at < len(words):
            for end in range(min(len(words), at + longest), at + 1, -1):
                if joint := joined.get(tuple(lower[at:end])):
                    yield joint.join(words[at:end])
                    at = end
                    break
            else:
                yield words[at]
                at += 1


def _joined_in(
    sentences: Sequence[Sequence[str]], counts: Mapping[str, int]
) -> dict[tuple[str, ...], str]:
    """The words that are one token more often than several, and what joins them."""
    joint_of: dict[tuple[str, ...], str] = {}
    left = Counter[tuple[str, ...]]()
    for token, count in counts.items():
        for joint in _JOINTS:
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
