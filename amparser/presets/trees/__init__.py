"""Preset `tree`: fragments of trees with ports for arguments.

`training` divides graphs into fragments and recombines derivations in each epoch. For a sentence,
`search` collects candidate constants in a `space`, from which a chart decoder
(`amparser.decode.wrap`) builds the best derivation. `model` calls the network and the search.
"""
