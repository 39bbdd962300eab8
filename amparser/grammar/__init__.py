"""Interpreted regular tree grammars: derivations, and their values in several algebras."""
