"""Examples, and the formats in which they lie in files."""
