"""Neural pair classifiers."""
