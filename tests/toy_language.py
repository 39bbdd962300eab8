"""A toy language with trees: transitive sentences with names, nouns and nested prepositions."""

from __future__ import annotations

import random
from types import SimpleNamespace

import torch

from amparser.learn.batches import TrainingExample

# Networks this small lose more by waiting for a second thread than they gain.
torch.set_num_threads(1)

LEXICON = SimpleNamespace(
    supertags=("", "(noun)", "(name)", "(verb)", "(preposition)"),
    operations=("IGNORE", "ROOT", "APP_s", "APP_o", "MOD_m", "APP_p"),
    supertag_parts=[[0], [1, 2], [1, 3], [4, 5], [4, 6]],
)
LEXICON_JSON = {"supertags": list(LEXICON.supertags), "operations": list(LEXICON.operations)}

_NAMES = ["Emma", "Liam", "Ava", "Noah"]
_NOUNS = ["cat", "dog", "cake", "box", "girl", "boy"]
_VERBS = ["saw", "ate", "liked", "found"]
_PREPOSITIONS = ["in", "on", "beside"]


def toy_examples(count: int, seed: int) -> list[TrainingExample]:
    """Random sentences of 4 to 20 tokens with their trees."""
    chance = random.Random(seed)
    return [_sentence(chance) for _ in range(count)]


def _sentence(chance: random.Random) -> TrainingExample:
    tokens: list[str] = []
    rows: list[list[int]] = []

    def add(token: str, supertag: int, head: int, operation: int) -> int:
        tokens.append(token)
        rows.append([supertag, head, operation])
        return len(tokens)

    def noun_phrase(operation: int, depth: int) -> int:
        if chance.random() < 0.3:
            return add(chance.choice(_NAMES), 2, 0, operation)
        add(chance.choice(["a", "the"]), 0, 0, 0)
        noun = add(chance.choice(_NOUNS), 1, 0, operation)
        if depth and chance.random() < 0.4:
            preposition = add(chance.choice(_PREPOSITIONS), 4, noun, 4)
            inner = noun_phrase(5, depth - 1)
            rows[inner - 1][1] = preposition
        return noun

    subject = noun_phrase(2, 2)
    verb = add(chance.choice(_VERBS), 3, 0, 1)
    rows[subject - 1][1] = verb
    rows[noun_phrase(3, 2) - 1][1] = verb
    add(".", 0, 0, 0)
    tokens[0] = tokens[0].capitalize()
    supertags, heads, operations = (tuple(column) for column in zip(*rows, strict=True))
    return TrainingExample(tuple(tokens), supertags, heads, operations)
