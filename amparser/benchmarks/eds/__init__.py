"""English with Elementary Dependency Structures (Oepen et al. 2002)."""
