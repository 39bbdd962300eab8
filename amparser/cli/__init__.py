"""Command line, one module per command; commands only translate arguments and print."""
