"""Examples (sentences with meanings), and the file formats of corpora."""
