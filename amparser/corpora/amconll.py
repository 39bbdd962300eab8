"""AM-CoNLL files: one AM dependency tree per block (`amparser.algebra.conll`)."""

from __future__ import annotations

from amparser.algebra.conll import am_tree_to_str, am_trees_from_str
from amparser.algebra.tree import AMTree, Entry
from amparser.corpora.analyses import lines_of_tree
from amparser.corpora.example import Example
from amparser.errors import InputError

_NO_PARSE, _TAG = "no parse", "type"


class AmconllFormat:
    """Reader and writer of trees, failures (`#no parse:REASON`) and tags (`#type:TAG`)."""

    name = "amconll"
    suffixes = (".amconll",)
    in_blocks = True
    sample = "1\tturn\t_\tturn\t_\t_\t(i<root> / --LEX--)\t$LEMMA$\t()\t0\tROOT\ttrue"

    def example(self, text: str) -> Example:
        """Return the example in a block (the lines of one tree)."""
        [tree] = am_trees_from_str(text)
        return Example(
            tuple(entry.form for entry in tree.entries),
            tree=tree.derivation(),
            columns=tree,
            tags=tuple(value for key, value in tree.attributes if key == _TAG),
            failure=dict(tree.attributes).get(_NO_PARSE),
        )

    def write(self, example: Example) -> str:
        """Return the block of lines for an example.

        If the example has no analysis, all tokens have the edge label `IGNORE`, and `#no parse`
        states the reason.

        Raises:
            InputError: the example has a graph but no tree.
            AMTreeError: a word cannot be written in a column.
        """
        tree = lines_of_tree(example)
        if tree is None:
            if example.failure is None or not example.tokens:
                raise InputError("the example has no AM dependency tree")
            tree = AMTree(tuple(Entry(form) for form in example.tokens))
        given = dict(tree.attributes)
        if _TAG not in given:
            tree = tree.with_attributes(*((_TAG, tag) for tag in example.tags))
        if example.failure is not None and _NO_PARSE not in given:
            tree = tree.with_attributes((_NO_PARSE, example.failure))
        return am_tree_to_str(tree).removesuffix("\n") + "\n\n"


AMCONLL = AmconllFormat()
