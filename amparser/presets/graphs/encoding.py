"""Encoding of derivations of the preset `graph` as training targets (indices in an inventory)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeVar

from amparser.algebra.derivation import FIRST_BOX, Place
from amparser.conditions import Filled, OneOf
from amparser.graph.boxes import BoxScheme
from amparser.induction.fragments import Row
from amparser.lexicon.candidates import Candidate, CandidateLabels
from amparser.lexicon.dictionary import LANGUAGES
from amparser.lexicon.encoded import Targets
from amparser.lexicon.graph_inventory import (
    Inventory,
    Label,
    label_of,
    label_to_str,
    slots_of,
    tags_of,
    word_of,
)
from amparser.lexicon.spans import NO_RULES, SpanRules
from amparser.lexicon.spelling import script_of
from amparser.lexicon.units import Splitter
from amparser.nn.heads.boxes import LEVELS
from amparser.nn.heads.head import IGNORED

Key = TypeVar("Key")


@dataclass(frozen=True)
class GraphLearned:
    """Knowledge induced from a corpus for the preset `graph`; part of the model."""

    scheme: BoxScheme | None
    splitter: Splitter
    inventory: Inventory
    auxiliary: Sequence[Annotated[Sequence[str], Filled()]] = ()
    spans: SpanRules = NO_RULES
    languages: Sequence[Annotated[str, OneOf(LANGUAGES)]] = ()


class GraphEncoder:
    """Encoder of derivations as training targets."""

    def __init__(self, learned: GraphLearned) -> None:
        self._inventory = learned.inventory
        self._offers = CandidateLabels(learned.inventory, learned.languages)
        self._auxiliary: list[dict[str | None, int]] = [
            {item: number for number, item in enumerate(items)} for items in learned.auxiliary
        ]

    def encode(self, row: Row, unknown: list[str]) -> Targets:
        """Encode a derivation; anything that training lacks becomes IGNORED.

        Args:
            unknown: output: descriptions of the items that training lacks.
        """
        inventory, derivation, boxes = self._inventory, row.derivation, row.derivation.boxes

        def number(numbers: Mapping[Key, int], key: Key, part: str) -> int:
            if key not in numbers:
                unknown.append(f"train has no {part}")
            return numbers.get(key, IGNORED)

        def arc(token: int, head: int, label: Label) -> tuple[int, int, int]:
            part = f"arc {label_to_str(label)!r}, above {row.tokens[token]!r}"
            return token, head + 1, number(inventory.label_number, label, part)

        tags, introduced, labels, scope, above = [], [], [], [], []
        slots: list[tuple[int, int, int, Sequence[Candidate]]] = []
        heads, fillers = [IGNORED] * len(row.units), [(0, 0)] * len(row.units)
        boxed = any(boxes.introduced)
        for token, tag in enumerate(tags_of(derivation)):
            form, opened = row.tokens[token], boxes.introduced[token]
            shown = tag if isinstance(tag, str) else tag.to_text()
            tags.append(number(inventory.tag_number, tag, f"constant {shown!r}, for {form!r}"))
            part = f"token that introduces the boxes of {form!r}"
            introduced.append(number(inventory.introduced_number, opened, part))
            if opened:
                above.append((token, *_place(boxes.above[token])))
            if isinstance(tag, str):
                continue
            labels.append(arc(token, derivation.heads[token], label_of(derivation, token)))
            heads[token] = labels[-1][1]
            if boxed:
                scope.append((token, *_place(boxes.within[token])))
            texts = derivation.lexical_labels[token]
            for place, (label, text) in enumerate(zip(slots_of(tag), texts, strict=True)):
                slots += self._slot(row, (token, place), label, text, unknown)
            if texts:
                fillers[token] = inventory.numbers_of_filler(texts[0])
        return Targets(
            row.tokens,
            tags,
            heads,
            labels=labels,
            reentrant=[arc(child, parent, links) for parent, child, links in derivation.reentrant],
            slots=slots,
            fillers=fillers,
            introduced=introduced,
            scope=scope,
            above=above,
            auxiliary=[
                [numbers.get(item, IGNORED) for item in items]
                for numbers, items in zip(self._auxiliary, row.auxiliary, strict=True)
            ],
        )

    def _slot(
        self, row: Row, at: tuple[int, int], label: str, text: str, unknown: list[str]
    ) -> Iterator[tuple[int, int, int, Sequence[Candidate]]]:
        """Yield the training target of a slot, and a second target as if the word were unseen."""
        slot = self._inventory.slots.get(label)
        if slot is None:
            return
        token, place = at
        form = slot.spelling.form(word_of(row.units, row.derivation.operations, token))
        candidates, bare = slot.candidates(form), slot.text(text)
        script = self._inventory.script_number.get(script_of(form, bare), IGNORED)
        guesses = candidates or (slot.of_text(bare) or [slot.guess(bare)] if script >= 0 else [])
        if text not in guesses:
            unknown.append(f"train does not show how {row.tokens[token]!r} becomes {text!r}")
        right = candidates.index(text) if text in candidates else IGNORED
        yield token, IGNORED if place else script, right, self._offers.known(candidates)
        offered = self._offers.of(label, form, row.language)
        texts = [candidate.filler for candidate in offered]
        if text in texts:
            yield token, IGNORED, texts.index(text), offered


def _place(place: Place) -> tuple[int, int]:
    return (0, 0) if place == FIRST_BOX else (place[0] + 1, min(place[1], LEVELS - 1))
