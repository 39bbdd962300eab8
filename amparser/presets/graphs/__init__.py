"""Constants that are fragments of graphs, with arcs beside the tree and scope."""
