"""Finite structures, in which formulas are true or false (Tarski 1933)."""

from collections.abc import Mapping
from dataclasses import dataclass

from amparser.logic.fol import All, And, Atom, Exists, Formula, Implies, Not, Or


@dataclass(frozen=True)
class Structure:
    """A domain of things 1, 2, ... and the relations between them.

    Attributes:
        size: how many things there are, 1 or more.
        relations: for each predicate the tuples of things of which it is true. A
            missing predicate is true of none.
    """

    size: int
    relations: Mapping[str, frozenset[tuple[int, ...]]]

    def satisfies(self, formula: Formula, values: Mapping[str, int] | None = None) -> bool:
        """Whether a formula is true; `values` are those of its free variables and constants.

        Complexity: O(size ** n) for n nested quantifiers.

        >>> from amparser.logic.fol import fol_from_str
        >>> Structure(2, {"see": frozenset({(1, 2)})}).satisfies(
        ...     fol_from_str("exists x.all y.see(x,y)")
        ... )
        False
        """
        values = values or {}
        match formula:
            case Atom(predicate, arguments):
                found = tuple(values[argument] for argument in arguments)
                return found in self.relations.get(predicate, ())
            case Not(body):
                return not self.satisfies(body, values)
            case And(parts):
                return all(self.satisfies(part, values) for part in parts)
            case Or(parts):
                return any(self.satisfies(part, values) for part in parts)
            case Implies(antecedent, consequent):
                return not self.satisfies(antecedent, values) or self.satisfies(consequent, values)
            case Exists(variable, body):
                things = range(1, self.size + 1)
                return any(self.satisfies(body, {**values, variable: x}) for x in things)
            case All(variable, body):
                things = range(1, self.size + 1)
                return all(self.satisfies(body, {**values, variable: x}) for x in things)
