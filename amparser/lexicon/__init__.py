"""What a model knows of supertags and words."""
