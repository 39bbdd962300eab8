"""Random first-order formulas for property tests."""

from hypothesis import strategies as st

from amparser.logic.fol import All, And, Atom, Exists, Formula, Implies, Not, Or

UNARY = ("dog", "run", "small")
BINARY = ("see", "kick")


def _atoms(scope: tuple[str, ...]) -> st.SearchStrategy[Formula]:
    term = st.sampled_from(scope)
    return st.one_of(
        st.builds(Atom, st.sampled_from(UNARY), st.tuples(term)),
        st.builds(Atom, st.sampled_from(BINARY), st.tuples(term, term)),
    )


def formulas(
    scope: tuple[str, ...] = (), depth: int = 3, constants: tuple[str, ...] = ()
) -> st.SearchStrategy[Formula]:
    """Return formulas whose free variables are in `scope`; variables may be rebound."""
    terms = scope + constants
    if depth == 0:
        return _atoms(terms) if terms else _quantified(scope, 0, constants)
    below = st.deferred(lambda: formulas(scope, depth - 1, constants))
    parts = st.lists(below, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        *([_atoms(terms)] if terms else []),
        _quantified(scope, depth - 1, constants),
        below.map(Not),
        parts.map(And),
        parts.map(Or),
        st.builds(Implies, below, below),
    )


def _quantified(
    scope: tuple[str, ...], depth: int, constants: tuple[str, ...]
) -> st.SearchStrategy[Formula]:
    def with_variable(variable: str) -> st.SearchStrategy[Formula]:
        body = formulas(tuple(dict.fromkeys((*scope, variable))), depth, constants)
        return st.one_of(
            body.map(lambda b: Exists(variable, b)), body.map(lambda b: All(variable, b))
        )

    return st.sampled_from(("x", "y", "x1", "z2")).flatmap(with_variable)
