"""The tag that a fragment is: the inverse of how the package makes fragments of tags."""

from amparser.algebra.fragment import Fragment
from amparser.errors import InputError
from amparser.lexicon.analysis import Tag


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
