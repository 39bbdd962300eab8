"""AM algebra: graph constants with types, derivations over them, and their evaluation to graphs."""
