"""Preset `node`: typed constants of one node, as in the papers on AM dependency parsing.

`training` decomposes graphs into typed constants. `model` scores supertags and edges; one of the
decoders in `amparser.decode` finds the best well-typed tree.
"""
