"""Encoders: from sentences to embeddings of their tokens and to states in context."""
