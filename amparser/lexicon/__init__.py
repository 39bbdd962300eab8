"""Knowledge of a model about supertags and words: inventories, constraints, labels, lemmas."""
