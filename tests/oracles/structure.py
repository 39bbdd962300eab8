"""Truth of formulas in finite structures (Tarski 1933)."""

from collections.abc import Mapping

from amparser.logic.fol import All, And, Atom, Exists, Formula, Implies, Not, Or

Relations = Mapping[str, frozenset[tuple[int, ...]]]
"""Extension of each predicate; predicates without an entry are false everywhere."""


def satisfies(
    size: int, relations: Relations, formula: Formula, values: Mapping[str, int] | None = None
) -> bool:
    """Return whether a formula is true in the domain 1 to `size` under an assignment `values`.

    >>> from amparser.logic.fol import fol_from_str
    >>> see = {"see": frozenset({(1, 2)})}
    >>> satisfies(2, see, fol_from_str("exists x.all y.see(x,y)"))
    False
    """
    known = values or {}

    def holds(part: Formula, more: Mapping[str, int] | None = None) -> bool:
        return satisfies(size, relations, part, {**known, **(more or {})})

    match formula:
        case Atom(predicate, arguments):
            return tuple(known[one] for one in arguments) in relations.get(predicate, ())
        case Not(body):
            return not holds(body)
        case And(parts):
            return all(map(holds, parts))
        case Or(parts):
            return any(map(holds, parts))
        case Implies(antecedent, consequent):
            return not holds(antecedent) or holds(consequent)
        case Exists(variable, body):
            return any(holds(body, {variable: x}) for x in range(1, size + 1))
        case All(variable, body):
            return all(holds(body, {variable: x}) for x in range(1, size + 1))
