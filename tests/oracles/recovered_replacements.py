"""The replacement that leads from a premise to a hypothesis."""

from amparser.benchmarks.monotonicity.replacements import (
    Relation,
    Replacement,
    positions,
    replacements,
)
from amparser.grammar.irtg import Derivation

REVERSED = {Relation.WIDER: Relation.NARROWER, Relation.NARROWER: Relation.WIDER}


def recovered(premise: Derivation, hypothesis: Derivation) -> Replacement | None:
    """The replacement, in either direction, that makes a hypothesis of a premise, or None.

    If several do (from "small wild dogs" to "wild dogs", either word may have been deleted),
    they have one function and one relation.
    """
    if premise == hypothesis:
        return None
    path = _difference(premise, hypothesis)
    for replacement in replacements(premise, path):
        if replacement.path == path and replacement.result == hypothesis:
            return replacement
    for replacement in replacements(hypothesis, path):
        if replacement.path == path and replacement.result == premise:
            back = REVERSED[replacement.relation]
            [polarity] = [at.polarity for at in positions(premise) if at.path == path]
            return Replacement(replacement.function, path, back, polarity, hypothesis)
    return None


def _difference(left: Derivation, right: Derivation) -> tuple[int, ...]:
    """The path to the lowest node below which two different derivations differ."""
    path: list[int] = []
    while left.rule.label == right.rule.label:
        pairs = zip(left.children, right.children, strict=True)
        steps = [step for step, (one, other) in enumerate(pairs) if one != other]
        if len(steps) != 1:
            break
        path.append(steps[0])
        left, right = left.children[steps[0]], right.children[steps[0]]
    return tuple(path)
