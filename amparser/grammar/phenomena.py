"""The phenomena of SyGNS, read off a derivation as its files list them (section 3.4)."""

from __future__ import annotations

from amparser.grammar.irtg import Derivation

_PHENOMENA: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("sbj_quant", ("quantified",)),
    ("obj_quant", ("named_object",)),
    ("negation", ("negated", "not_object", "named_slip", "relative_not", "center_not")),
    ("adjective", ("np_adjective",)),
    ("peripheral", ("peripheral",)),
    ("center", ("center",)),
    ("adverb", ("adverb", "relative_adverb", "relative_not_adverb")),
    ("conjunction", ("and_", "relative_and", "relative_not_and")),
    ("disjunction", ("or_", "relative_or", "relative_not_or")),
)
_RELATIVE = "np_relative"


def phenomena(derivation: Derivation, *, depth: bool = False) -> str:
    """The tags of a sentence, `sbj_quant:yes;obj_quant:no;...`; with its depth, if wanted."""
    labels = [node.rule.label for node in derivation.nodes()]
    tags = [f"depth:{_depth(derivation)}", f"embed:{_depth(derivation)}"] if depth else []
    for name, prefixes in _PHENOMENA:
        found = any(label.startswith(prefixes) for label in labels)
        tags.append(f"{name}:{'yes' if found else 'no'}")
    return ";".join(tags)


def _depth(derivation: Derivation) -> int:
    below = max(map(_depth, derivation.children), default=0)
    return below + derivation.rule.label.startswith(_RELATIVE)
