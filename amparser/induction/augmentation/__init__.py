"""Augmentation: new derivations made of those of train."""
