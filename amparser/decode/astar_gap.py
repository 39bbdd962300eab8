"""Mildly non-projective A* search: items may lack one argument that is outside their span.

The deduction system of `astar` is extended. An item has the *gap* (o, s) if a token o below its
head still lacks an argument for o's source s. Three rules are added:

    open    a token o that is complete except for its source s gets the gap (o, s); after that, it
            takes no dependents and can only become an argument
    fill    an item with the gap (o, s) and an adjacent item that may be the s-argument of o:
            the adjacent item's head gets an edge from o
    bind    a head with a polymorphic request (such as a relative pronoun) takes an argument that
            is complete except for its gap; the gap is unified with a source of the head, without
            an edge

A head inherits the gaps of its arguments, but not of its modifiers, and an item has at most one
gap. The search therefore finds trees that become projective when some arguments are attached to an
ancestor of their head (only APP edges may lead from this ancestor to the head). In addition, each
token must be able to take its nearest dependents first, with one open gap at a time. Pitler et al.
(2013) and Gomez-Rodriguez et al. (2011) define similar classes. Only words that are displaced in
training may fill a gap, on either side (see `Scores.mobile` and `Scores.in_place`). The tests count
the trees over n tokens:

    n               1     2     3     4     5     6
    projective      1     2     7    30   143   728
    in the class    1     2     9    56   399  3058
    all             1     2     9    64   625  7776

As in `astar`, a head takes its dependents on the right first. However, a dependent on the right
that has or fills a gap may have to wait until such a dependent on the left is attached. The phases
of items (`amparser.decode.gap_rules.PHASES`) record this. `gap_rules` also describes the
outside estimate, and `search` implements the search.
"""

from __future__ import annotations

from functools import partial

from amparser.decode.best_tree import best_tree, with_fallback
from amparser.decode.decoder import OneByOne

decode = partial(best_tree, gaps=True)
"""Return the best well-typed tree of the module's class over the candidate supertags.

The search is exact. A tree with a bound gap becomes well typed when polymorphic supertags are
replaced (see `amparser.lexicon.supertags.instantiate`).
"""

ASTAR_GAP = OneByOne(
    "astar-gap",
    "the best well-typed tree, projective except for arguments that are moved out of complements, "
    "one at a time; exact within the budget",
    with_fallback(decode),
)
