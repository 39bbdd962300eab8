"""Graph constants of any size, derivations of them, and the graphs that these denote."""
