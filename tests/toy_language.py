"""A toy language with trees: transitive sentences with names, nouns and nested prepositions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch

from amparser.corpora.corpus import Corpus
from amparser.induction.induce import induce
from amparser.learn.dataset import TrainingExample
from amparser.learn.gold_trees import GoldTrees
from amparser.learn.network_model import NetworkModel
from amparser.learn.parser_settings import ParserSettings
from amparser.learn.report import TrainingReport
from amparser.learn.settings import with_overrides
from amparser.lexicon.observed import Observed
from amparser.lexicon.thresholds import Thresholds
from amparser.nodes.system import train_network

# Networks this small lose more by waiting for a second thread than they gain.
torch.set_num_threads(1)

SUPERTAGS = ("", "(noun)", "(name)", "(verb)", "(preposition)")


def toy_lexicon(names: Sequence[str] = SUPERTAGS) -> Any:
    """What training asks of a lexicon; its supertags have no types."""
    operations = ("IGNORE", "ROOT", "APP_s", "APP_o", "MOD_m", "APP_p")
    content = {
        "supertags": [[f"(i<root> / {name.strip('()')})", "()", None] for name in names[1:]],
        "general": [],
        "operations": list(operations),
        **Observed().to_dict(),
        "lemmas": [],
    }
    return SimpleNamespace(
        supertags=SUPERTAGS,
        operations=operations,
        supertag_parts=[[0], [1, 2], [1, 3], [4, 5], [4, 6]],
        to_dict=lambda: content,
    )


LEXICON = toy_lexicon()
INVENTORY_JSON: dict[str, Any] = {"markers": [], "frames": [], "steps": []}
LEXICON_JSON = {"lexicon": LEXICON.to_dict(), "inventory": INVENTORY_JSON}


def train_toy(
    examples: Sequence[TrainingExample],
    dev: Sequence[TrainingExample],
    settings: ParserSettings,
    folder: Path,
    lexicon: Any = LEXICON,
    **options: Any,
) -> NetworkModel:
    """Train a network on examples of the toy language, without exchange."""
    settings = with_overrides(settings, ["train.exchange=0", "train.epoch_sentences=0"])
    report = TrainingReport(len(examples), len(dev))
    gold = GoldTrees(lexicon, Thresholds(40, 20), induce(()), examples, dev, report)
    return train_network(gold, settings, folder, corpus=Corpus([], []), **options)


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
