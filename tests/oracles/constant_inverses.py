"""Pieces and tags that constants are: the inverses of how the package makes constants of them."""

from amparser.algebra.fragment import LEX, SLOT, Fragment, Port
from amparser.errors import InputError
from amparser.graph.sgraph import INVERSE
from amparser.induction.constants import Hole, Piece
from amparser.lexicon.analysis import Tag


def piece_of(constant: Fragment) -> Piece:
    """The piece that has a constant; the inverse of `Piece.constant`.

    Raises:
        InputError: the constant is no tree, or its ports are no holes.
    """
    around: dict[int, list[tuple[str, int]]] = {}
    for parent, label, child in constant.edges:
        around.setdefault(parent, []).append((label, child))
        around.setdefault(child, []).append((INVERSE + label, parent))
    ports = {port.node: port for port in constant.ports}
    seen: list[Port] = []

    def cut(node: int, above: int) -> Piece | Hole:
        if node in ports:
            seen.append(ports[node])
            return Hole(ports[node].default)
        below = [(place, other) for place, other in around.get(node, ()) if other != above]
        label = constant.labels[node] or ""
        arguments = tuple((place, cut(other, node)) for place, other in below)
        return Piece(LEX if label == SLOT else label, arguments)

    is_tree = len(constant.edges) == len(constant.labels) - 1
    found = cut(constant.root, -1) if is_tree else None
    if not isinstance(found, Piece) or found.constant != constant:
        raise InputError("the constant is no piece of a tree with holes")
    return found


def tag_of(constant: Fragment) -> Tag:
    """The tag that is a constant; the inverse of `fragment_of_tag`, whatever the root is.

    Raises:
        InputError: the constant has ports or nodes without labels.
    """
    labels = tuple(label for label in constant.labels if label is not None)
    if constant.ports or len(labels) < len(constant.labels):
        raise InputError("a tag has no ports and no node without a label")
    flags = tuple(node in constant.unboxed for node in range(len(labels)))
    return Tag(labels, flags, constant.edges)
