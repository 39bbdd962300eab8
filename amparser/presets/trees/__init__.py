"""Preset `tree`: fragments of trees with ports for arguments."""
