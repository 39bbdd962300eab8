"""Metrics, and comparison of a model's answers with gold."""
