"""Data augmentation: new derivations recombined from training derivations."""
