"""Parsers for graphs whose nodes stand in boxes: constants of tokens, arcs, and scope beside them.

Nothing here names a role, a word or a bank of graphs. Which edge is membership is induced; a
corpus without boxes is the case of one box.
"""
