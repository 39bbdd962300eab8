"""Graph constants of any size, derivations over them, and their evaluation to graphs."""
