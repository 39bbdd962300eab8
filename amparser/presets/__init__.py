"""Presets: three kinds of constants, each with its decomposition, training data and search.

The packages `nodes`, `trees` and `graphs` each have a module `training`, which turns a corpus into
derivations, and a module `model`, which parses sentences. They share the other modules: `preset`
and `model` define the interfaces, `registry` lists the presets, `settings` has their settings,
`source` reads graphs and chooses the preset for a corpus, and `tables` displays what was learned.
"""
