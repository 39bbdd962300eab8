"""Neural baselines of monotonicity inference: classifiers of a premise and a hypothesis."""
