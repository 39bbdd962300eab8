"""Encoders, which turn sentences into embeddings of their tokens and states in context."""
