"""Preset `graph`: fragments of graphs, with re-entrant edges and boxes.

`decomposition` divides graphs into one fragment for each word, and `encoding` turns the derivations
into indices, from which networks learn (`training`). For a sentence, `search` chooses fragments and
edges. `unseen` makes lexical labels of unseen words, and `connect` adds missing edges. `model`
calls the network and the search.
"""
