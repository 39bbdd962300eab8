"""Preset `graph`: fragments of graphs, with re-entrant edges and boxes."""
