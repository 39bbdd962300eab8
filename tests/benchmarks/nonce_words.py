"""Words that no corpus has, spelled like English ones.

How the lemma of a verb is found again depends on its spelling, so there are three kinds: `floosh,
flooshed`; `blate, blated` (the lemma ends in the vowel that the ending begins with); `wug, wugged`
(the last letter is doubled).
"""

from __future__ import annotations

import re
from random import Random

ONSETS = re.findall(
    r"\w+", "b bl br d dr f fl fr g gl gr k kl kr m n p pl pr s sk sl sm st t tr v z"
)
CLUSTERS = re.findall(r"\w+", "sh ck nk rp st mp ft lt nd rk x lk rm ct")
SINGLE = "bdgkmnpt"
PLAIN, IN_E, DOUBLED = "verb", "verb in -e", "verb that doubles its last letter"
SPELLINGS = (PLAIN, IN_E, DOUBLED)


def stem(random: Random, spelling: str = PLAIN) -> str:
    """A syllable, spelled so that the ending joins it in one of three ways."""
    onset = random.choice(ONSETS)
    if spelling == IN_E:
        return onset + random.choice("aiou") + random.choice(SINGLE) + "e"
    if spelling == DOUBLED:
        return onset + random.choice("aeiou") + random.choice(SINGLE)
    if random.random() < 0.7:
        return onset + random.choice("aeiou") + random.choice(CLUSTERS)
    return onset + random.choice(["ee", "oo"]) + random.choice(SINGLE)


def past(lemma: str, ending: str = "ed", spelling: str = PLAIN) -> str:
    """The regular past of a stem.

    >>> past("floosh"), past("blate", "ed", IN_E), past("wug", "ed", DOUBLED)
    ('flooshed', 'blated', 'wugged')
    """
    if spelling == IN_E:
        return lemma.removesuffix(ending[0]) + ending
    return lemma + (lemma[-1] if spelling == DOUBLED else "") + ending


def nonce_verb(random: Random, spelling: str) -> tuple[str, str, str]:
    """Lemma, past and participle of a verb."""
    lemma = stem(random, spelling)
    return lemma, past(lemma, "ed", spelling), past(lemma, "ed", spelling)
