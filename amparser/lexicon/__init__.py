"""What a model knows about supertags and words: inventories, constraints, labels, lemmas."""
