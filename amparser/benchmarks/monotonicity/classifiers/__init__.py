"""Neural classifiers of pairs."""
