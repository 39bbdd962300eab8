"""Who did what to whom: as a table, as JSON, and as arcs over the sentence.

Emma gave the cake to a cat.
predicate    role       argument      in plain words                 characters
give         agent      Emma          who or what does it            5:9, 0:4
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from amparser.corpora.example import Example
from amparser.draw.sentences import draw_arcs, draw_sentence
from amparser.draw.svg import Picture, stacked

_HEADS = ("predicate", "role", "argument", "in plain words", "characters")
_WIDEST = 40
"""Maximum width of a column, except the last; longer texts are cut."""
NONE = "no roles"


def roles_table(example: Example) -> str:
    """The sentence, a line for each role, and an empty line.

    The column `characters` has the offsets of the predicate and of the argument's phrase. The last
    one, `negated`, stands there if a predicate is denied.
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
    """One JSON object on a line: the sentence, where it stands, its roles, and words not known.

    `roles` is a list of objects with `predicate`, `sense`, `place`, `role`, `gloss`, `argument`,
    `phrase` and `negated`. The places have `first`, `last` (tokens from 1), `start`, `end`
    (characters) and `text`.
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


def draw_roles(example: Example) -> Picture:
    """Arcs from predicates to their arguments."""
    roles = example.roles()
    if not roles:
        return draw_sentence(example.tokens, example.failure or NONE)
    arcs = [(role.place.first, role.argument.first, role.role) for role in roles]
    title = f"who did what to whom in: {example.sentence}"
    return draw_arcs(example.tokens, arcs, title)


def roles_to_svg(examples: Sequence[Example]) -> str:
    """One picture with the roles of all examples, one below the other."""
    if len(examples) == 1:
        return draw_roles(examples[0]).to_svg() + "\n"
    pictures = [draw_roles(example) for example in examples]
    return stacked(pictures, f"roles of {len(examples)} sentences").to_svg() + "\n"


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def _one_line(text: str) -> str:
    """The text with a space for a tab or the end of a line, so that places stay as they are."""
    return re.sub(r"\s", " ", text)
