"""The compiled type table lives with the algebra; decoders take it from here."""

from amparser.algebra.type_table import TypeTable, type_table

__all__ = ["TypeTable", "type_table"]
