"""Preset `node`: constants of one node with a type, as in the papers on AM dependency parsing."""
