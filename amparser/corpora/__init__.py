"""Examples, and the formats of the files that hold them."""
