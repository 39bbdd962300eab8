"""Local web page and JSON interface for models (extra `serve`)."""
