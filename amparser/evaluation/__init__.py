"""Metrics, and the answers of a model compared with gold."""
