"""Preset `node`: constants of one node with a type, as in the papers on AM dependency parsing.

`training` decomposes graphs into typed constants. `model` scores supertags and edges; one of the
decoders in `amparser.decode` finds the best well-typed tree.
"""
