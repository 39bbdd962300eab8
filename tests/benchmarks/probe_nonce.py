"""Probes with a word that train never had, in the place of a noun, a name or a verb.

A nonce verb is inflected as most verbs of train are. How its lemma is found again
depends on its spelling, so there is a table row for each: `floosh, flooshed`;
`blate, blated` (the lemma ends in the vowel that the ending begins with);
`wug, wugged` (the last letter is doubled).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from probe_words import (
    INFINITIVE,
    PASSIVE,
    Probe,
    Verb,
    Words,
    names_of,
    nouns_of,
    verbs_of,
    with_lemma,
    with_name,
)

from amparser.corpora.example import Example
from amparser.logic.cogs import LogicalForm, logical_form_from_str

ONSETS: list[str] = re.findall(
    r"\w+", "b bl br d dr f fl fr g gl gr k kl kr m n p pl pr s sk sl sm st t tr v z"
)
CLUSTERS: list[str] = re.findall(r"\w+", "sh ck nk rp st mp ft lt nd rk x lk rm ct")
SINGLE = "bdgkmnpt"
PLAIN, IN_E, DOUBLED = "verb, -ed", "verb, -e, -ed", "verb, doubled"
UNDECIDABLE = "agent or theme alone"
"""Its kind ends so: an active verb with one argument is an agent's or a theme's verb."""


def stem(random: Random, spelling: str = PLAIN) -> str:
    """A syllable, spelled so that the ending joins it in one of three ways."""
    onset = random.choice(ONSETS)
    if spelling == PLAIN:
        tail = (
            random.choice("aeiou") + random.choice(CLUSTERS)
            if random.random() < 0.7
            else random.choice(["ee", "oo"]) + random.choice(SINGLE)
        )
    elif spelling == IN_E:
        tail = random.choice("aiou") + random.choice(SINGLE) + "e"
    else:
        tail = random.choice("aeiou") + random.choice(SINGLE)
    return onset + tail


def past(lemma: str, ending: str, spelling: str = PLAIN) -> str:
    """The regular past of a stem.

    >>> past("floosh", "ed"), past("blate", "ed", IN_E), past("wug", "ed", DOUBLED)
    ('flooshed', 'blated', 'wugged')
    """
    if spelling == IN_E:
        return lemma.removesuffix(ending[0]) + ending
    return lemma + (lemma[-1] if spelling == DOUBLED else "") + ending


def nonce_noun(
    tokens: Sequence[str], gold: LogicalForm, words: Words, random: Random
) -> Probe | None:
    """The sentence with a nonce noun; None where it has no noun."""
    nouns = [(p, lemma) for p, lemma in nouns_of(gold) if tokens[p] == lemma]
    if not nouns:
        return None
    position, _ = random.choice(nouns)
    lemma = _unseen(lambda: stem(random), words)
    return Probe(
        _replaced(tokens, position, lemma), with_lemma(gold, position, lemma), "noun", lemma
    )


def nonce_name(
    tokens: Sequence[str], gold: LogicalForm, words: Words, random: Random
) -> Probe | None:
    """The sentence with a nonce name; None where it has no name."""
    names = [name for name in names_of(gold) if tokens.count(name) == 1]
    if not names:
        return None
    name = random.choice(names)
    new = _unseen(lambda: (stem(random) + random.choice("aio")).capitalize(), words)
    return Probe(
        _replaced(tokens, tokens.index(name), new), with_name(gold, name, new), "name", new
    )


def nonce_verb(
    tokens: Sequence[str], gold: LogicalForm, words: Words, random: Random, spelling: str = PLAIN
) -> Probe | None:
    """The sentence with a nonce verb; None where it has no verb whose form is clear."""
    verbs = [v for v in verbs_of(gold) if words.is_bare(tokens[v.position], v.lemma) is not None]
    if not verbs:
        return None
    verb = random.choice(verbs)
    while True:
        lemma = _unseen(lambda: stem(random, spelling), words)
        form = past(lemma, words.ending, spelling)
        if form not in words.vocabulary:
            break
    if words.is_bare(tokens[verb.position], verb.lemma):
        form = lemma
    kind = f"{spelling}, {UNDECIDABLE}" if _undecidable(tokens, verb) else spelling
    return Probe(
        _replaced(tokens, verb.position, form), with_lemma(gold, verb.position, lemma), kind, lemma
    )


def nonce_probes(
    examples: Sequence[Example], words: Words, *, count: int, seed: int
) -> list[Probe]:
    """For nouns, names and each spelling of verbs `count` sentences, or as many as there are."""
    found: list[Probe] = []
    for maker in ("noun", "name", PLAIN, IN_E, DOUBLED):
        random = Random(f"{seed} {maker}")
        probes: list[Probe] = []
        for example in random.sample(list(examples), len(examples)):
            gold = logical_form_from_str(example.meaning or "")
            if gold.bound or gold.name or len(probes) == count:
                continue
            if maker == "noun":
                probe = nonce_noun(example.tokens, gold, words, random)
            elif maker == "name":
                probe = nonce_name(example.tokens, gold, words, random)
            else:
                probe = nonce_verb(example.tokens, gold, words, random, maker)
            if probe is not None:
                probes.append(probe)
        found += probes
    return found


def _undecidable(tokens: Sequence[str], verb: Verb) -> bool:
    """Whether nothing but the verb itself could tell which role its one argument has.

    In train a passive verb has a theme, and an infinitive an agent.
    """
    return verb.roles in (("agent",), ("theme",)) and tokens[verb.position - 1] not in (
        PASSIVE,
        INFINITIVE,
    )


def _unseen(draw: Callable[[], str], words: Words) -> str:
    while (word := draw()).lower() in words.vocabulary:
        pass
    return word


def _replaced(tokens: Sequence[str], position: int, word: str) -> tuple[str, ...]:
    return (*tokens[:position], word, *tokens[position + 1 :])
