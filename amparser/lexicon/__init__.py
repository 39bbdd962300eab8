"""Knowledge of a model about supertags and words."""
