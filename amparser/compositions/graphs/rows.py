"""From aligned graphs to rows to learn from, new rows made of these, and what they can make."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from random import Random

from amparser.algebra.derivation import Derivation
from amparser.compositions.settings import GraphDataSettings
from amparser.errors import AMParserError
from amparser.graph.boxes import Layered
from amparser.induction.alignment.ordered import Pair, align_in_order, likeness
from amparser.induction.augmentation.by_arcs import ArcAugmentation
from amparser.induction.fragments import Row, contract
from amparser.induction.spanning_trees import Habits
from amparser.induction.texts import Joint, drawn, final_words, joined, joint_of
from amparser.lexicon.graph_inventory import (
    Inventory,
    Slot,
    label_of,
    label_to_str,
    slots_of,
    tags_of,
    word_of,
)
from amparser.lexicon.scripts import script_of
from amparser.lexicon.senses import Senses
from amparser.lexicon.spans import Shown
from amparser.lexicon.units import Unit


def made_of(rows: Sequence[Row], settings: GraphDataSettings) -> tuple[list[Row], list[str]]:
    """What is learned from besides, made of the rows of each language, and remarks on it."""
    texts: list[Row] = []
    recombined: list[Row] = []
    for language in sorted({row.language for row in rows}):
        of = [row for row in rows if row.language == language]
        texts += _texts(of, round(settings.texts * len(of)))
        if count := round(settings.recombined * len(of)):
            recombined += ArcAugmentation(of).drawn(count, Random(0))
    remarks = [f"{len(texts)} texts made of sentences of train"] if texts else []
    if recombined:
        remarks.append(f"{len(recombined)} sentences made of constituents of train")
    return [*texts, *recombined], remarks


def _texts(rows: Sequence[Row], count: int) -> list[Row]:
    """So many texts of several sentences, if train shows how texts are joined."""
    sentences = [row.derivation for row in rows]
    final = final_words(row.tokens for row in rows)
    joint = joint_of(sentences, final)
    if joint is None:
        return []
    return [
        reduce(lambda text, row: _followed(text, row, joint), (rows[i] for i in text))
        for text in drawn(sentences, final, count)
    ]


def _followed(first: Row, second: Row, joint: Joint) -> Row:
    """A text of two rows."""
    shift = first.units[-1].token + 1
    behind = (replace(unit, token=unit.token + shift) for unit in second.units)
    both = zip(first.auxiliary, second.auxiliary, strict=True)
    return Row(
        (*first.units, *behind),
        joined(first.derivation, second.derivation, joint),
        tuple(a + b for a, b in both),
        first.language,
    )


def lacking(row: Row, inventory: Inventory) -> str | None:
    """What the derivation of a sentence needs and train does not have, or None.

    A word that train has is filled in as train does; another one by a script of train, with a
    sense that train has of the word or else the commonest one.
    """
    derivation = row.derivation
    tags, introduced = tags_of(derivation), derivation.boxes.introduced
    for token, tag in enumerate(tags):
        word = row.tokens[token]
        if tag not in inventory.tag_number:
            shown = tag if isinstance(tag, str) else tag.to_text()
            return f"train has no constant {shown!r}, for {word!r}"
        if introduced[token] not in inventory.introduced_number:
            return f"train has no word that introduces the boxes of {word!r}"
        if isinstance(tag, str):
            continue
        label = label_of(derivation, token)
        if label not in inventory.label_number:
            return f"train has no arc {label_to_str(label)!r}, above {word!r}"
        units = word_of(row.units, derivation.operations, token)
        fillers = zip(slots_of(tag), derivation.fillers[token], strict=True)
        for slot_label, filler in fillers:
            slot = inventory.slots[slot_label]
            if not _can_fill(slot, slot.spelling.form(units), filler, inventory):
                return f"train does not show how {word!r} becomes {filler!r}"
    for _, token, links in derivation.beside:
        if links not in inventory.label_number:
            return f"train has no arc {label_to_str(links)!r}, to {row.tokens[token]!r}"
    return None


def _can_fill(slot: Slot, form: str, filler: str, inventory: Inventory) -> bool:
    if known := slot.candidates(form):
        return filler in known
    text = slot.text(filler)
    if script_of(form, text) not in inventory.script_number:
        return False
    return filler in (slot.of_text(text) or [slot.guess(text)])


_LIKE = 0.3
"""A label shows its word if it is so much like it."""


@dataclass(frozen=True)
class Item:
    """An example on its way to a row.

    Attributes:
        graph: apart from its boxes.
        units: of its tokens.
        words: of the annotators, or else the units.
        last: the last unit of each word.
        order: of the targets: whether each is a box, and its number.
        pair: for the aligner.
        auxiliary, language: see `Row`.
        layers: whether the features of its words are more than their forms.
    """

    graph: Layered
    units: tuple[Unit, ...]
    words: tuple[str, ...]
    last: tuple[int, ...]
    order: tuple[tuple[bool, int], ...]
    pair: Pair
    auxiliary: tuple[tuple[str | None, ...], ...]
    language: str = ""
    layers: bool = False


@dataclass(frozen=True)
class Shows:
    """What the graphs of train show, by which others are read, too.

    Attributes:
        senses: what is a word and what its sense in labels.
        literal: the labels that do not show words.
        habits: what trees are like; None if that is not known yet.
    """

    senses: Senses
    literal: frozenset[str] = field(default_factory=frozenset)
    habits: Habits | None = None


def rows_of(
    items: Mapping[int, Item], senses: Senses, reasons: dict[int, str]
) -> tuple[list[Row], list[Shown], Shows]:
    """The rows of all examples whose graphs can be contracted, and where nodes stand in them.

    Args:
        items: the examples of train, by their numbers.
        senses: of their labels.
        reasons: gets those of examples without a row.
    """
    aligned = _aligned(items)
    shows = Shows(senses, _literal(items, aligned))
    # So often trees are chosen anew by the habits of those before.
    for _ in range(3):
        found = _contracted(items, aligned, shows, reasons)
        habits = Habits(row.derivation for row, _ in found.values())
        shows = Shows(senses, shows.literal, habits)
    found = _contracted(items, aligned, shows, reasons)
    return [row for row, _ in found.values()], [where for _, where in found.values()], shows


def rows_by(items: Mapping[int, Item], shows: Shows, reasons: dict[int, str]) -> dict[int, Row]:
    """The rows of other examples, such as dev, by what train shows."""
    found = _contracted(items, _aligned(items), shows, reasons)
    return {number: row for number, (row, _) in found.items()}


def _contracted(
    items: Mapping[int, Item],
    aligned: Mapping[int, Sequence[int]],
    shows: Shows,
    reasons: dict[int, str],
) -> dict[int, tuple[Row, Shown]]:
    found = {}
    for number, item in items.items():
        tokens = _tokens(item, aligned[number])
        try:
            derivation = _derivation(item, tokens, shows)
        except AMParserError as error:
            reasons[number] = str(error)
        else:
            row = Row(item.units, derivation, item.auxiliary, item.language)
            found[number] = row, Shown(item.graph, tokens[0], derivation, item.units)
    return found


def _aligned(items: Mapping[int, Item]) -> dict[int, Sequence[int]]:
    """The word of each target."""
    aligned: dict[int, Sequence[int]] = {}
    for language in sorted({item.language for item in items.values()}):
        of = {number: item.pair for number, item in items.items() if item.language == language}
        aligned.update(zip(of, align_in_order(list(of.values())), strict=True))
    return aligned


def _literal(items: Mapping[int, Item], aligned: Mapping[int, Sequence[int]]) -> frozenset[str]:
    """The labels that are parts of tags."""
    like: Counter[str] = Counter()
    unlike: Counter[str] = Counter()
    words: dict[str, set[str]] = defaultdict(set)
    # Only a layer may show that the word of another language has a label, such as its lemma.
    telling = {number: item for number, item in items.items() if item.layers} or items
    for number, item in telling.items():
        for (is_box, node), target, word in zip(
            item.order, item.pair.targets, aligned[number], strict=True
        ):
            if not is_box:
                alike = max(likeness(target.text, s) for s in item.pair.spellings[word])
                label = item.graph.labels[node]
                (like if alike >= _LIKE else unlike)[label] += 1
                if alike < _LIKE:
                    words[label].add(item.pair.spellings[word][0])
    # A label is part of tags if it mostly does not show its word and train has it so often, or if
    # it does not show so many different words.
    return frozenset(
        label
        for label, count in unlike.items()
        if (count >= 5 and count >= like[label]) or len(words[label]) >= 12
    )


def _tokens(item: Item, aligned: Sequence[int]) -> tuple[list[int], list[int]]:
    """The units of the nodes and of the boxes of a graph."""
    tokens, box_tokens = [0] * len(item.graph.labels), [0] * len(item.graph.boxes)
    for (is_box, which), word in zip(item.order, aligned, strict=True):
        (box_tokens if is_box else tokens)[which] = item.last[word]
    return tokens, box_tokens


def _derivation(
    item: Item,
    tokens: tuple[list[int], list[int]],
    shows: Shows,
) -> Derivation:
    graph = item.graph
    slotted = [label not in shows.literal for label in graph.labels]
    used = set(item.last)
    joined = [t for t in range(len(item.units)) if t not in used]
    words = [unit.text for unit in item.units]
    return contract(graph, *tokens, words, slotted, joined, shows.habits, shows.senses)
