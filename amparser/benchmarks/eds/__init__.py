"""English as Elementary Dependency Structures (Oepen et al. 2002)."""
