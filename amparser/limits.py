"""Limits on input: what is larger is refused with a message, before it costs time or memory."""

LARGEST_NUMBER = 10**15
"""Greatest count, size or identifier."""

LARGEST_FILE = 1 << 30
"""Bytes of a file that is read as a whole, after unpacking."""
LONGEST_LINE = 1 << 26
"""Bytes of a line of a corpus, also in a compressed file."""
MOST_LINES = 10_000_000
"""Lines of a corpus: millions of empty ones are a few bytes of a compressed file."""
LONGEST_STREAMED_LINE = 1 << 20
"""Bytes of a line of sentences: a sentence of the most tokens has far fewer."""
LONGEST_HEAD = 100_000_000
"""Bytes of the head of a safetensors file."""

MAX_TOKENS = 400
"""Tokens of a sentence: memory grows with the square of the length."""
MOST_SOURCES = 10
"""Sources of a type: one with more has thousands of parts, which combine with each other."""
MOST_LAYERS = 1000
"""Layers of a pretrained encoder."""

MOST_BEST = 100
"""Meanings of a sentence that may be asked for."""
MOST_READINGS = 10
"""Meanings of a sentence that a request to the server may ask for."""
MOST_COST = 1000
"""Product of tokens, decoders and readings of a request to the server."""
HEAD_SECONDS = 10.0
"""Seconds in which a client must have sent the head of a request."""
