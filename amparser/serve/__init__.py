"""A local page and a JSON interface over models (extra `serve`)."""
