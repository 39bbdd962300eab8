"""Settings with which parsers of each preset learn toy corpora in seconds."""

LETTERS = (
    *("encoder.word_size=24", "encoder.letter_size=24", "encoder.buckets=256"),
    *("encoder.hidden_size=32", "train.batch_size=16", "train.device=cpu"),
)
"""Settings of the presets `tree` and `graph`, whose encoders read letters."""
NODES = (
    *("encoder.word_size=16", "encoder.hidden_size=24", "supertag.hidden_size=24"),
    *("edge.hidden_size=24", "edge.operation_size=24", "train.batch_tokens=200"),
    *("train.learning_rate=1e-2", "train.device=cpu"),
)
