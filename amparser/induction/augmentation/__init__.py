"""Data augmentation: new derivations made of constituents of the training derivations."""
