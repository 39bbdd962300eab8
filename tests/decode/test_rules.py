"""Head states must not depend on the order of dependents."""

import itertools
import random

import pytest
from decode_oracles import TYPE_SYSTEMS, system

from amparser.algebra.type_table import TypeTable
from amparser.decode.rules import rules_of

Taken = tuple[tuple[int, int], ...]  # (lexical type of the dependent, operation) of each


def state_after(table: TypeTable, lexical_type: int, taken: Taken) -> int | None:
    """Return the state of a head after it has taken some bare dependents in this order."""
    rules = rules_of(table)
    state_of = dict(zip(table.lexical_type.tolist(), rules.lexical_state.tolist(), strict=True))
    moves = {tuple(row[:3]): row[3] for row in rules.rule.tolist()}
    state: int | None = state_of[lexical_type]
    for dependent, operation in taken:
        state = moves.get((state, state_of[dependent], operation))
    return state


def types_after(table: TypeTable, lexical_type: int, taken: Taken) -> set[int]:
    """Return the types that a head can have after some order of its dependents."""
    found = set()
    for order in itertools.permutations(taken):
        current = lexical_type
        for dependent, operation in order:
            current = int(table.combine[current, dependent, operation]) if current >= 0 else -1
        found.add(current)
    return found - {-1}


@pytest.mark.parametrize("index", range(len(TYPE_SYSTEMS)))
def test_states_do_not_depend_on_the_order_of_dependents(index) -> None:
    table = system(index)
    rules = rules_of(table)
    lexical = sorted(set(table.lexical_type[1:].tolist()))
    steps = list(itertools.product(lexical, range(2, table.combine.shape[2])))
    generator = random.Random(index)
    well_typed = 0
    for _ in range(3000):
        head = generator.choice(lexical)
        taken = tuple(generator.choices(steps, k=generator.randint(0, 3)))
        states = {state_after(table, head, order) for order in itertools.permutations(taken)}
        assert len(states) == 1
        types = types_after(table, head, taken)
        assert len(types) <= 1
        state = states.pop()
        if 0 in types:
            well_typed += 1
            assert state is not None
            assert rules.is_root[state]
        elif state is not None:
            assert not rules.is_root[state]
    assert well_typed > 10 or index == 4  # a system without closed words
