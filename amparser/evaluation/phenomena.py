"""What a row counts for: a type, or several phenomena.

SyGNS: quantifiers, modifiers, depth (Yanaka et al. 2021, section 4). Monotonicity inference:
the test set, its directions, replacements and quantifiers (Yanaka et al. 2020).
"""

from __future__ import annotations

from collections.abc import Sequence

PAIR = "|"
"""Between what the type of a pair consists of: test set, replacement, direction, quantifier."""

_CLASSES = {"a": "Exi", "one": "Exi", "two": "Num", "three": "Num", "every": "Uni", "all": "Uni"}
_MODIFIERS = (
    ("Adj", ("adjective",)),
    ("Adv", ("adverb",)),
    ("Con", ("conjunction", "disjunction")),
    ("Rel", ("peripheral", "center")),
    ("Neg", ("negation",)),
)


def phenomena_of(tokens: Sequence[str], tags: str) -> str:
    """The type of a sentence, by its quantifiers and tags; `tags` itself where it is no list.

    >>> phenomena_of(["two", "old", "cats", "ran"], "adjective:yes;negation:no")
    'Num Adj'
    >>> phenomena_of(["ann", "ran"], "depth:0;embed:2;negation:yes")
    'depth 2'
    """
    pairs = [part.partition(":") for part in tags.split(";") if part]
    if not pairs or not all(colon for _, colon, _ in pairs):
        return tags
    values = {name: value for name, _, value in pairs}
    if "embed" in values:
        return f"depth {values['embed']}"
    classes = dict.fromkeys(_CLASSES[token] for token in tokens if token in _CLASSES)
    found = [name for name, keys in _MODIFIERS if any(values.get(key) == "yes" for key in keys)]
    return f"{'/'.join(classes) or 'Name'} {'+'.join(found) or 'plain'}"


def groups_of(kind: str) -> tuple[str, ...]:
    """What a type counts for: of SyGNS its quantifiers and each modifier, or its depth.

    >>> groups_of("Num Adj+Neg"), groups_of("depth 2"), groups_of("PP_3")
    (('Num', 'Adj', 'Neg'), ('depth 2',), ('PP_3',))
    >>> groups_of("D3|adj|up|few")
    ('D3', 'D3 up', 'adj', 'up', 'few')
    """
    if PAIR in kind:
        test, function, direction, quantifier = kind.split(PAIR)
        return (test, f"{test} {direction}", function, direction, quantifier)
    quantifiers, _, modifiers = kind.partition(" ")
    if not modifiers or quantifiers == "depth":
        return (kind,)
    return (quantifiers, *modifiers.split("+"))
