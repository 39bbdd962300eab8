"""Hand-made derivations of graph fragments."""

from collections.abc import Sequence

from amparser.algebra.derivation import ARC, FIRST_BOX, Derivation, Link, Links, Scope
from amparser.algebra.types import ROOT
from amparser.lexicon.graph_inventory import Tag


def links(text: str) -> Links:
    """Parse edges such as `ARG1>00 Time<01`: down or up, with the nodes of head and dependent."""
    return tuple(
        Link(part[:-3], part[-3] == ">", int(part[-2]), int(part[-1])) for part in text.split()
    )


def derivation_by_hand(
    tags: Sequence[Tag], edges: Sequence[str], heads: Sequence[int], words: str = ""
) -> Derivation:
    """Return a derivation without re-entrant edges, lexical labels and introduced boxes.

    Args:
        tags, edges, heads: one per token; heads are 0-based.
        words: the tokens, if they matter.
    """
    count = len(tags)
    return Derivation(
        tuple(words.split() or [f"w{i}" for i in range(count)]),
        tuple(None if isinstance(tag, str) else tag for tag in tags),
        ((),) * count,
        tuple(heads),
        tuple(
            tag if isinstance(tag, str) else ROOT if head < 0 else ARC
            for tag, head in zip(tags, heads, strict=True)
        ),
        links=tuple(map(links, edges)),
        scope=Scope(((),) * count, (FIRST_BOX,) * count, (FIRST_BOX,) * count),
    )
