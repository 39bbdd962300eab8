"""Parsers over pieces: constants of several nodes, induced with their sorts from any graphs."""
