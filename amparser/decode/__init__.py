"""Decoders: search for the best tree of a sentence, given the scores of a network.

`scores` defines the input of all decoders, `parse` their results, `decoder` their protocols, and
`decoders` their names. The preset `node` uses A* search for well-typed trees:

- `candidates` prunes the scores, and `rules` compiles the types of supertags into an automaton.
- `astar` searches for projective trees; `astar_gap` and `gap_rules` add some non-projective ones.
- `search` is the search itself, `agenda` its queue of items, and `outside` its outside estimate.
- `best_tree` runs the search, and smaller searches if its budget is exhausted.
- `fixed_tree` is an inexact alternative, which labels the best unlabelled tree.

The preset `tree` uses a chart parser (`wrap`, `chart`), the preset `graph` a search for spanning
trees (`arborescence`). `next_best` finds further analyses. `compiled` compiles functions.
"""
