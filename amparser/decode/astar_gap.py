"""Mildly non-projective A*: a chart over spans in which one open source may travel.

The deduction system of `astar` is extended: an item may have a *gap*, that is, a token o below
the item's head still lacks the argument of its source s. Three rules are added to the projective
parser:

    open    a token o that is complete except for its source s has the gap (o, s); from now
            on it can only become an argument
    fill    an item with the gap (o, s) and an adjacent item that may be the s-argument of o:
            that item's head gets an edge from o
    bind    a head with a polymorphic request (a relativiser, say) takes an argument that is
            complete except for its gap; the gap is unified with the head's own source, and
            no edge is drawn

A gap goes up through APP only, never out of a modifier, and an item has at most one. A tree is
therefore found if some arguments can be moved to a *host*, an ancestor of their head with only
APP edges between them, such that the moved tree is projective and each token can take its
dependents, on each side the nearest first, with one open gap at a time (compare the restricted
classes of Pitler et al. 2013 and Gomez-Rodriguez et al. 2011). Only words that were displaced
in training fill a gap, on either side (see `Scores.mobile`, `in_place`). The tests count the
trees over n tokens:

    n               1     2     3     4     5     6
    projective      1     2     7    30   143   728
    in the class    1     2     9    56   399  3058
    all             1     2     9    64   625  7776

As in `astar`, a head takes its dependents on the right first. A dependent on the right that
involves a gap may have to wait for a dependent on the left that also involves one: see the phases
in `gap_rules`, which also describes the outside estimate. The search itself is in `search`.
"""

from __future__ import annotations

from functools import partial

from amparser.decode.best_tree import best_tree, with_fallback
from amparser.decode.decoder import OneByOne

decode = partial(best_tree, gaps=True)
"""Return the best well-typed tree of this module's class; exact, given the candidate supertags.

A tree with a bound gap is well typed once it is instantiated (see `amparser.lexicon.supertags`).
"""

ASTAR_GAP = OneByOne(
    "astar-gap",
    "the best well-typed tree, projective except for one open source that may travel out of "
    "complements; exact within the budget",
    with_fallback(decode),
)
