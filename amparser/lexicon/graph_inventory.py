"""Inventory of a training set of the preset `graph`: tags, arc labels, boxes, lexical labels.

A *slot* is a node whose label contains the placeholder `SLOT`; a lexical label fills it. Slots with
the same node label share their statistics. A lexical label consists of a text and possibly a sense:
`fry` and `.v.02`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any

from amparser.algebra.derivation import ARC, PRECEDE, Derivation, Introduced, Links
from amparser.algebra.fragment import SLOT, Fragment
from amparser.algebra.types import IGNORE
from amparser.characters import is_private
from amparser.conditions import Count, Different, Filled, Matching, OneOf
from amparser.errors import shown
from amparser.lexicon.dictionary import is_trusted
from amparser.lexicon.spelling import Script, script_of
from amparser.lexicon.units import Senses, Unit, joined_text

Tag = Fragment | Annotated[str, OneOf((IGNORE, PRECEDE))]
"""Class of a token: its fragment (with the first node as root), IGNORE, or PRECEDE."""

Label = Links | Count
"""Links of an arc; for the arc to the root token, the index of the root node of its fragment."""

SlotLabel = Annotated[
    str, Matching(rf"(?s)[^{SLOT}]*{SLOT}[^{SLOT}]*", "a label with one open place")
]
Fillers = Annotated[dict[str, Count], Filled()]

MOST_CANDIDATES = 16

_UNQUOTABLE = re.compile(r'["\\\r\n]')
_UNWRITABLE = re.compile(r'[\s"()/:~#\\]')
_NOTHING = "_"
_LONGEST_ENDING = 4


@dataclass(frozen=True)
class Spelling:
    """Spelling of words in a slot: their case, and the text (*joint*) between them."""

    lower: bool
    joint: Annotated[str, OneOf(("_", " ", "-"), or_empty=True)]

    def form(self, units: Sequence[Unit]) -> str:
        """Return a word's text in the case and with the joints of this spelling."""
        text = joined_text(units, self.joint)
        return text.lower() if self.lower else text


SPELLINGS = tuple(
    Spelling(lower, joint) for lower in (True, False) for joint in ("_", " ", "-", "")
)


@dataclass
class Slot:
    """Lexical labels of all slots that have the same node label.

    Attributes:
        spelling: how the labels spell words.
        forms: counts of lexical labels by the lower-case form of the word.
        senses: counts of lexical labels by their text, that is, the label without its sense.
        number: most frequent sense number, such as `01`.
        kind: separator between text and sense number, such as `.n.`.
        quoted: whether the labels are quoted.
    """

    spelling: Spelling
    forms: dict[str, Fillers] = field(default_factory=dict)
    senses: dict[str, Fillers] = field(default_factory=dict)
    number: Annotated[str, Matching(r"\S*", "without spaces")] = ""
    kind: Annotated[str, Matching(r"(\W|_)?(\S*[\W_])?", "such as .n. or -, or empty")] = ""
    quoted: bool = False
    _trusted: dict[str, bool] = field(default_factory=dict, repr=False, compare=False)

    def candidates(self, form: str) -> list[str]:
        """Return a form's training labels by frequency, then these labels with other senses."""
        seen = self.forms.get(form.lower())
        if not seen:
            return []
        found = dict.fromkeys(_ranked(seen, str))
        for filler in list(found):
            found.update(dict.fromkeys(self.of_text(self.text(filler))))
        return list(found)[:MOST_CANDIDATES]

    def of_text(self, text: str) -> list[str]:
        """Return the lexical labels with a text, most frequent first."""
        return _ranked(self.senses.get(text, {}), str)

    @cached_property
    def endings(self) -> dict[str, Counter[Script]]:
        """Counts of edit scripts by the last 0, 1, 2, 3 and 4 letters of the form."""
        found: dict[str, Counter[Script]] = defaultdict(Counter)
        for form, fillers in self.forms.items():
            best = max(fillers, key=lambda filler: (fillers[filler], filler))
            script = script_of(form, self.text(best).lower())
            for length in range(min(len(form), _LONGEST_ENDING) + 1):
                found[form[len(form) - length :]][script] += 1
        return found

    def chance(self, form: str, script: Script) -> float:
        """Return P(edit script | last letters of the form), with back-off to fewer letters."""
        form = form.lower()
        chance = 1e-4
        for length in range(min(len(form), _LONGEST_ENDING) + 1):
            counts = self.endings.get(form[len(form) - length :])
            if counts is None:
                break
            chance = (counts[script] + chance) / (counts.total() + 1)
        return chance

    def trusts(self, dictionary: str) -> bool:
        """Return whether a dictionary is right about the texts of this slot (see `is_trusted`)."""
        if dictionary not in self._trusted:
            lemmas = (
                (form, {self.text(filler).lower() for filler in fillers})
                for form, fillers in self.forms.items()
            )
            self._trusted[dictionary] = is_trusted(dictionary, lemmas)
        return self._trusted[dictionary]

    def text(self, filler: str) -> str:
        """Return a lexical label without its sense."""
        text, kind, _ = filler.partition(self.kind) if self.kind else ("", "", "")
        return text if kind else filler

    def guess(self, text: str, number: str = "") -> str:
        """Return a new lexical label for a text; characters that labels cannot have are removed.

        Args:
            text: the text.
            number: sense number (default: the slot's most frequent).
        """
        left = (_UNQUOTABLE if self.quoted else _UNWRITABLE).sub("", text)
        return f"{left or _NOTHING}{self.kind}{number or self.number}"


@dataclass
class Inventory:
    """Vocabulary of a training set; all lists are sorted by descending frequency.

    Attributes:
        tags, labels: classes of tokens and arcs.
        introduced: classes of the boxes that a token introduces.
        lexical_labels: labels that fill slots; `filler_number` numbers them from 1.
        edit_scripts: scripts that turn forms into texts of lexical labels.
        slots: slots by node label.
        unique: labels of outgoing edges that a node has at most once.
    """

    tags: Annotated[list[Tag], Different()]
    labels: Annotated[list[Label], Different(), Filled()]
    introduced: Annotated[list[Introduced], Different(), Filled()]
    lexical_labels: Annotated[list[str], Different()]
    edit_scripts: Annotated[list[Script], Different(), Filled()]
    slots: dict[SlotLabel, Slot]
    unique: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.tag_number = {tag: i for i, tag in enumerate(self.tags)}
        self.label_number = {label: i for i, label in enumerate(self.labels)}
        self.links: list[Links] = [() if isinstance(one, int) else one for one in self.labels]
        self.introduced_number = {row: i for i, row in enumerate(self.introduced)}
        self.filler_number = {text: i for i, text in enumerate(self.lexical_labels, 1)}
        self.senses = senses_of_slots(self.slots)
        texts = dict.fromkeys(map(self.senses.without_number, self.lexical_labels))
        self.text_number = {text: i for i, text in enumerate(texts, 1)}
        self.script_number = {script: i for i, script in enumerate(self.edit_scripts)}

    def misfit(self) -> str | None:
        """Return the first inconsistency of an inventory that was read from a file, or None."""
        for i, tag in enumerate(self.tags):
            if isinstance(tag, Fragment):
                if tag.problems or tag.ports or tag.root or None in tag.labels:
                    return f".tags[{i}]: expected labelled nodes, the first as root, no ports"
                for label in slots_of(tag):
                    if label not in self.slots:
                        return f".tags[{i}].labels: {shown(label)} has no slot"
        if not any(isinstance(tag, Fragment) for tag in self.tags):
            return ".tags: expected at least one fragment"
        for i, row in enumerate(self.introduced):
            if any(up >= number for number, (up, _) in enumerate(row)):
                return f".introduced[{i}]: expected each parent before its boxes"
        for label, slot in self.slots.items():
            for text, fillers in (*slot.forms.items(), *slot.senses.items()):
                for filler in fillers:
                    if filler not in self.filler_number:
                        place = f".slots[{shown(label)}]: {shown(text)}: {shown(filler)}"
                        return f"{place}: expected one of lexical_labels"
        return None

    def text_numbers(self) -> list[int]:
        """Return the index of the text of each lexical label; entry 0 stands for no label."""
        texts = map(self.senses.without_number, self.lexical_labels)
        return [0, *(self.text_number[text] for text in texts)]

    def numbers_of_filler(self, filler: str) -> tuple[int, int]:
        """Return the indices of a lexical label and of its text; 0 if training lacks them."""
        text = self.text_number.get(self.senses.without_number(filler), 0)
        return self.filler_number.get(filler, 0), text


def slots_of(fragment: Fragment) -> list[str]:
    """Return the labels of the nodes that have slots."""
    return [fragment.labels[node] or "" for node in fragment.slots]


def tags_of(derivation: Derivation) -> tuple[Tag, ...]:
    """Return the tag of each token."""
    return tuple(
        operation if fragment is None else fragment.rooted(0)
        for fragment, operation in zip(derivation.fragments, derivation.operations, strict=True)
    )


def label_of(derivation: Derivation, token: int) -> Label:
    """Return the `Label` of the arc from a token's head (or the artificial root) to the token."""
    fragment = derivation.fragments[token]
    assert fragment is not None
    return derivation.links[token] if derivation.operations[token] == ARC else fragment.root


def label_to_str(label: Label) -> str:
    """Return a readable text for the label of an arc.

    >>> from amparser.algebra.derivation import Link
    >>> label_to_str((Link("Agent", True, 0, 0), Link("Time", False, 0, 12))), label_to_str(2)
    ('Agent>00 Time<0,12', '^2')
    """
    if isinstance(label, int):
        return f"^{label}"
    return " ".join(
        f"{role}{'>' if down else '<'}{above}{',' if max(above, below) > 9 else ''}{below}"
        for role, down, above, below in label
    )


def word_of(units: Sequence[Unit], operations: Sequence[str], token: int) -> Sequence[Unit]:
    """Return the units of the word whose last unit has the index `token`."""
    start = token
    while start > 0 and operations[start - 1] == PRECEDE:
        start -= 1
    return units[start : token + 1]


def inventory_of(rows: Iterable[tuple[Sequence[Unit], Derivation]]) -> Inventory:
    """Return the inventory of training derivations, given with the units of their sentences."""
    rows = list(rows)
    tags: Counter[Tag] = Counter()
    labels: Counter[Label] = Counter()
    introduced: Counter[Introduced] = Counter()
    seen: dict[str, list[tuple[Sequence[Unit], str]]] = defaultdict(list)
    for units, derivation in rows:
        tags.update(tags_of(derivation))
        introduced.update(derivation.boxes.introduced)
        for token, fragment in enumerate(derivation.fragments):
            if fragment is not None:
                labels[label_of(derivation, token)] += 1
                word = word_of(units, derivation.operations, token)
                for slot, filler in zip(
                    slots_of(fragment), derivation.lexical_labels[token], strict=True
                ):
                    pairs = seen[slot]
                    # Words and labels that may be private, such as addresses, are not stored.
                    texts = " ".join(unit.text for unit in word), filler
                    if not any(map(is_private, texts[: 2 - filler.isdigit()])):
                        pairs.append((word, filler))
        labels.update(arc.links for arc in derivation.reentrant)
    slots = {label: _slot(label, pairs) for label, pairs in seen.items()}
    fillers: Counter[str] = Counter()
    scripts: Counter[Script] = Counter()
    for label, pairs in seen.items():
        found = slots[label]
        for word, filler in pairs:
            fillers[filler] += 1
            scripts[script_of(found.spelling.form(word), found.text(filler))] += 1
    # Edit scripts that occur only once are left out.
    return Inventory(
        _ranked(tags, _order_of_tag),
        _ranked(labels, label_to_str),
        _ranked(introduced),
        _ranked(fillers),
        [script for script in _ranked(scripts) if scripts[script] >= 2] or [("", "")],
        slots,
        unique_labels(derivation for _, derivation in rows),
    )


def senses_of_slots(slots: Mapping[str, Slot]) -> Senses:
    """Return the separators between words and senses in all slots, such as `.n.`."""
    return Senses(tuple(sorted({slot.kind for slot in slots.values()} - {""})))


def _ranked(counts: Mapping[Any, int], text: Callable[[Any], str] = repr) -> list[Any]:
    return sorted(counts, key=lambda item: (-counts[item], text(item)))


def _order_of_tag(tag: Tag) -> str:
    if isinstance(tag, str):
        return tag
    unboxed = tuple(node in tag.unboxed for node in range(len(tag.labels)))
    return repr((tag.labels, unboxed, tag.edges))


def _slot(label: str, pairs: Sequence[tuple[Sequence[Unit], str]]) -> Slot:
    kind = label.partition(SLOT)[2].rstrip("\"'/")
    slot = Slot(SPELLINGS[0], kind=kind, quoted=label.endswith('"'))

    def equal(spelling: Spelling) -> int:
        return sum(spelling.form(word) == slot.text(filler) for word, filler in pairs)

    slot.spelling = max(SPELLINGS, key=equal)
    numbers: Counter[str] = Counter()
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    senses: dict[str, Counter[str]] = defaultdict(Counter)
    for word, filler in pairs:
        forms[slot.spelling.form(word).lower()][filler] += 1
        senses[slot.text(filler)][filler] += 1
        if kind:
            numbers[filler[len(slot.text(filler)) + len(kind) :]] += 1
    slot.forms = {form: dict(found) for form, found in forms.items()}
    slot.senses = {text: dict(found) for text, found in senses.items()}
    slot.number = numbers.most_common(1)[0][0] if numbers else ""
    return slot


def unique_labels(derivations: Iterable[Derivation]) -> frozenset[str]:
    """Return the edge labels that a node almost never (at most 2 %) has on two outgoing edges."""
    once: Counter[str] = Counter()
    twice: Counter[str] = Counter()
    for derivation in derivations:
        below: dict[tuple[int, int], Counter[str]] = defaultdict(Counter)
        for token, fragment in enumerate(derivation.fragments):
            for parent, role, _ in fragment.edges if fragment else ():
                below[token, parent][role] += 1
        for head, links in zip(derivation.heads, derivation.links, strict=True):
            for role, down, above, _ in links:
                if down:
                    below[head, above][role] += 1
        for roles in below.values():
            for role, count in roles.items():
                once[role] += 1
                twice[role] += count > 1
    return frozenset(role for role, count in once.items() if twice[role] <= 0.02 * count)
