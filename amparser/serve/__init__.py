"""A local page and a JSON interface over models, grammars and inference (extra `serve`)."""
