"""Limits of input. Larger input is an error, because it would take too much time or memory."""

LARGEST_NUMBER = 10**15
"""Maximum count, size or identifier."""

LARGEST_FILE = 1 << 30
"""Maximum size in bytes of a file that is read as a whole, after decompression."""
LONGEST_LINE = 1 << 26
"""Maximum length in bytes of a corpus line, after decompression."""
MOST_LINES = 10_000_000
"""Maximum lines of a corpus; a small compressed file can have millions of empty lines."""
MOST_FAULTS = 10_000
"""Maximum malformed rows of a corpus; a file with more is probably in another format."""
LONGEST_STREAMED_LINE = 1 << 20
"""Maximum bytes of an input line with a sentence; `MAX_TOKENS` tokens take far fewer bytes."""

MAX_TOKENS = 400
"""Maximum tokens of a sentence; memory grows with the square of their number."""
MOST_SOURCES = 10
"""Maximum sources of a type; with more, it would have thousands of subtypes to combine."""
MOST_LAYERS = 1000
"""Maximum layers of a pretrained encoder."""

MOST_BEST = 100
"""Maximum meanings requested per sentence."""
MOST_READINGS = 10
"""Maximum meanings per sentence in a request to the server."""
MOST_COST = 1000
"""Maximum product of tokens, decoders and requested meanings in a request to the server."""
HEAD_SECONDS = 10.0
"""Time limit in seconds for a client to send the head of a request."""
