"""A toy language with trees: transitive sentences with names, nouns and nested prepositions."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from command_line import python
from small_settings import NODES

from amparser.algebra.fragment import fragment_from_penman
from amparser.algebra.types import type_from_str
from amparser.corpora.corpus import Corpus
from amparser.induction.induce import induce
from amparser.learn.report import TrainingReport
from amparser.learn.settings import with_overrides
from amparser.lexicon.encoded import Targets
from amparser.lexicon.lemmas import LemmaTable
from amparser.lexicon.lexicon import Lexicon
from amparser.nn.encoders.encoder import encoder_of_train
from amparser.nn.scorer import Ensemble
from amparser.nn.vocabulary import Vocabulary
from amparser.parser import Parser
from amparser.parser_training import trained
from amparser.presets.nodes.model import NodeLearned, node_needs
from amparser.presets.preset import TrainingSet
from amparser.presets.settings import NodeSettings

SENTENCES = [
    ["The", "cat", "saw", "Emma", "."],
    ["Emma"],
    ["Who", "did", "the", "cat", "in", "the", "unheard-of", "box", "see", "?"],
    ["cat", "the"],
]
_KINDS = (("noun", "np"), ("name", "np"), ("verb", "head"), ("preposition", "head"))
"""Source and label of each constant."""
LEXICON = Lexicon(
    (
        None,
        *(
            fragment_from_penman(f"(i<root,{s}> / --LEX--)", type_from_str(f"({s}())"))
            for s, _ in _KINDS
        ),
    ),
    (None, *(label for _, label in _KINDS)),
    ("IGNORE", "ROOT", "APP_s", "APP_o", "MOD_m", "APP_p"),
    LemmaTable(),
)
LEARNED = NodeLearned(LEXICON, induce(()))


def small(*overrides: str) -> NodeSettings:
    return with_overrides(NodeSettings(), [*NODES, *overrides])


def build_network(
    settings: NodeSettings,
    words: Vocabulary,
    supertag_count: int = len(LEXICON.supertags),
    operation_count: int = len(LEXICON.operations),
    parts: Sequence[Sequence[int]] | None = None,
) -> Ensemble:
    composed = f"supertag.composed={str(parts is not None).lower()}"
    lexicon = SimpleNamespace(
        supertags=range(supertag_count), operations=range(operation_count), supertag_parts=parts
    )
    learned: Any = SimpleNamespace(lexicon=lexicon)
    needs = node_needs(with_overrides(settings, [composed]), learned)
    members = settings.train.members
    return Ensemble(needs, lambda: encoder_of_train(settings.encoder, words), members)


def train_toy(
    examples: Sequence[Targets],
    dev: Sequence[Targets],
    settings: NodeSettings,
    folder: Path,
    lexicon: Lexicon = LEXICON,
    **options: Any,
) -> Parser:
    counts = ["lexicon.supertag_count=20"]
    fixed = ["train.exchange=0", "train.epoch_sentences=0", *counts]
    settings = with_overrides(settings, fixed)
    report = TrainingReport(len(examples), len(dev))
    learned = replace(LEARNED, lexicon=lexicon)
    data = TrainingSet(learned, examples, dev, report, settings)
    return trained(data, folder, Corpus([], []), **options)


_NAMES = ["Emma", "Liam", "Ava", "Noah"]
_NOUNS = ["cat", "dog", "cake", "box", "girl", "boy"]
_VERBS = ["saw", "ate", "liked", "found"]
_PREPOSITIONS = ["in", "on", "beside"]


def toy_examples(count: int, seed: int) -> list[Targets]:
    chance = random.Random(seed)
    return [_sentence(chance) for _ in range(count)]


def _sentence(chance: random.Random) -> Targets:
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
    return Targets(tuple(tokens), supertags, heads, operations)


def modules_of_a_parse(folder: Path) -> set[str]:
    """Return the modules that a process imports to load a model and parse an unknown word."""
    code = (
        "import sys; from amparser.parser import Parser; "
        f"Parser.load({str(folder)!r}, 'cpu').parse([('The', 'zebra', 'slept', '.')]); "
        "print(*sys.modules)"
    )
    return set(python("-c", code).split())
