"""Who did what to whom: as a table, as JSON, and as arcs over the sentence.

Emma gave the cake to a cat.
predicate    role       argument      in plain words                 characters
give         agent      Emma          who or what does it            5:9, 0:4
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from amparser.corpora.example import Example
from amparser.draw.sentences import draw_arcs, draw_sentence
from amparser.draw.svg import Picture, stacked
from amparser.notations.roles import Role

_HEADS = ("predicate", "role", "argument", "in plain words", "characters")
_WIDEST = 40
"""Maximum width of a column except the last; longer texts are cut."""
NONE = "no roles"


def roles_table(example: Example) -> str:
    """Return a table of an example's semantic roles, followed by an empty line.

    The first line is the sentence. The column `characters` has the offsets of the predicate and of
    the argument's phrase. There is a last column `negated` if a predicate is negated.
    """
    roles = example.roles()
    rows = [
        (
            role.predicate,
            role.role,
            _one_line(role.phrase.text),
            role.gloss,
            f"{role.place.start}:{role.place.end}, {role.phrase.start}:{role.phrase.end}",
            "yes" if role.negated else "",
        )
        for role in roles
    ]
    heads = (*_HEADS, "negated" if any(role.negated for role in roles) else "")
    lines = [_one_line(example.raw)]
    if rows:
        table = [heads, *(tuple(map(_cut, row)) for row in rows)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines += [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in table
        ]
    else:
        lines.append(f"# {_one_line(example.failure or NONE)}")
    return "\n".join(lines) + "\n\n"


def roles_json(example: Example) -> str:
    """Return the roles of an example as a JSON object on one line.

    Keys are `text`, `start` and `end` (character offsets in running text), `tokens`, `roles`,
    `unknown` (out-of-vocabulary words) and `failure`. Each role has `predicate`, `sense`, `place`,
    `role`, `gloss`, `argument`, `phrase` and `negated`. The values of `place` (of the predicate),
    `argument` and `phrase` have `first` and `last` (tokens from 1), `start` and `end` (character
    offsets) and `text`.
    """
    value = {
        "text": example.raw,
        "start": example.start,
        "end": example.start + len(example.raw),
        "tokens": list(example.tokens),
        "roles": [role.to_dict() for role in example.roles()],
        "unknown": list(example.unknown),
        "failure": example.failure,
    }
    return json.dumps(value, ensure_ascii=False) + "\n"


def role_cards(roles: Sequence[Role]) -> list[dict[str, Any]]:
    """Return each predicate with its arguments as JSON values, verbs first.

    Keys are `predicate`, `negated`, `place` and `roles`; each of `roles` has `role`, `gloss`,
    `text` and `place`. A `place` is the first and the last token, counted from 1. Verbs are in
    sentence order, and so are the other predicates after them.
    """
    senses = any(role.sense for role in roles)
    cards: dict[tuple[int, str, str], list[Role]] = {}
    for role in roles:
        cards.setdefault((role.place.first, role.predicate, role.sense), []).append(role)

    def is_other(role: Role) -> bool:
        # COGS has no senses; there, a predicate with an `nmod` role is a noun.
        return not role.sense.startswith("v") if senses else role.role.startswith("nmod")

    return [
        {
            "predicate": first.predicate,
            "negated": first.negated,
            "place": first.place[:2],
            "roles": [
                {"role": r.role, "gloss": r.gloss, "text": r.phrase.text, "place": r.phrase[:2]}
                for r in (first, *rest)
            ],
        }
        for first, *rest in sorted(cards.values(), key=lambda card: is_other(card[0]))
    ]


def draw_roles(example: Example) -> Picture:
    """Draw a sentence with arcs from predicates to their arguments."""
    roles = example.roles()
    if not roles:
        return draw_sentence(example.tokens, example.failure or NONE)
    arcs = [(role.place.first, role.argument.first, role.role) for role in roles]
    title = f"who did what to whom in: {example.sentence}"
    return draw_arcs(example.tokens, arcs, title)


def roles_to_svg(examples: Sequence[Example]) -> str:
    """Return one SVG picture with the roles of all examples, stacked vertically."""
    pictures = [draw_roles(example) for example in examples]
    return stacked(pictures, f"roles of {len(examples)} sentences").to_svg() + "\n"


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def _one_line(text: str) -> str:
    """Replace each tab and line end by one space, so that character offsets stay the same."""
    return re.sub(r"\s", " ", text)
