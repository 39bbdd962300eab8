"""S-expressions, read as trees (`lisp_variables`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from amparser.errors import TranslateError
from amparser.graph.sgraph import SGraph
from amparser.logic.sexpr import Sexpr, sexpr_from_str, sexpr_to_str, words_of
from amparser.notations.lisp_variables import Shapes, graph_of_sexpr, shapes_of
from amparser.notations.lisp_writing import Writer, is_of_variables, renamed
from amparser.notations.notation import Equality
from amparser.notations.styled import StyledNotation


class SexprNotation(StyledNotation):
    """S-expressions; in the style `spaced`, parentheses have spaces inside."""

    name = "sexpr"
    sample = '(select name (city "Rome"))'
    family = "sexpr"
    styles: ClassVar[Mapping[str, bool]] = {"": False, "spaced": True}

    def read(self, text: str) -> Sexpr:
        """Return the s-expression of a text. Raises LogicError."""
        return sexpr_from_str(text)

    def tree(self, tokens: Sequence[str], value: Sexpr) -> SGraph:
        """Return the graph of an s-expression."""
        return graph_of_sexpr(value, tokens, self.shapes)

    def value_of(self, graph: SGraph) -> Sexpr:
        """Return the s-expression of a graph. Raises TranslateError if it has none."""
        return Writer(graph).sexpr()

    def text_of(self, value: Sexpr, style: str) -> str:
        """Return the text of an s-expression."""
        return sexpr_to_str(value, spaced=self.styles[style])

    def shapes_of(self, rows: Sequence[tuple[Sequence[str], Sexpr]]) -> Shapes | None:
        """Return statistics of a corpus with variables; None if it has no variables."""
        return shapes_of(rows)

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """Return the checked text of a graph; see `Notation`.

        With variables only readability is checked, since reading may chain conjuncts in another
        order.
        """
        if not is_of_variables(graph):
            return super().written(tokens, graph)
        text = self.write(graph)
        if not self.is_readable(text):
            raise TranslateError(f"{text!r} is not an s-expression")
        return text

    def canonical(self, text: str) -> Sexpr:
        """Return the s-expression with variables renamed."""
        return renamed(self.read(text))

    def value(self, tokens: Sequence[str], text: str) -> str:
        """Return a text that ignores spaces and names of variables; see `Notation`."""
        return sexpr_to_str(self.canonical(text))

    def equal(self, tokens: Sequence[str], wanted: Any, found: Any) -> Equality:
        """See `Notation`."""
        return Equality(wanted == found, wanted == found)

    def split(self, text: str) -> Sequence[str]:
        """Return parentheses, quote marks and atoms; strings are cut at their spaces."""
        return words_of(text)


SEXPR = SexprNotation()
