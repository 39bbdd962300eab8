"""Constants that are fragments of trees, with holes."""
