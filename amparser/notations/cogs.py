"""COGS logical form <-> s-graph, after Weissenhorn et al. 2022, section 3.

A node for each constant, labelled with its predicate and aligned to its
token: `boy`, `cook`, the name `"Emma"` in quotes, `?` at the wh-word, which is
the first token. On top of these,

    cook . agent ( x _ 2 , x _ 1 )          cook -agent-> boy
    * boy ( x _ 1 )                         the -iota-> boy, `the` at the token before
    boy . nmod ( x _ 1 , x _ 4 )            boy -nmod-> verb of the relative clause
    boy . nmod . in ( x _ 1 , x _ 4 )       in -nmod.op1-> boy, in -nmod.op2-> house
    LAMBDA a . LAMBDA e . cry . agent ( e , a )   cry -agent-> an unlabelled source `a`

A node's edges keep the order of the logical form, so that it comes back to
the very string. Words and roles are those of the data; what this module knows
by name is what the notation fixes: `nmod`, `iota`, `the`, `op1`, `op2`.
"""

from amparser.notations.cogs_encoding import bound_variables
from amparser.notations.cogs_from_graph import logical_form_from_graph
from amparser.notations.graph_from_cogs import graph_from_logical_form

__all__ = ["bound_variables", "graph_from_logical_form", "logical_form_from_graph"]
