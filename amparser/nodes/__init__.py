"""Parsers whose constants are single nodes with types, and typed searches over them."""
