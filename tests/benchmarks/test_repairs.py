"""Repairs of EDS graphs before roles are read off them, and negated predicates."""

from pathlib import Path

import pytest

from amparser.benchmarks.eds.repairs import repaired
from amparser.corpora.example import Example
from amparser.notations.notation import without_layout
from amparser.notations.penman import PENMAN

CASES = Path(__file__).with_name("repairs.txt").read_text(encoding="utf-8")
"""Sentences, graphs that miss an edge or its label, and roles that grammar requires."""


@pytest.mark.parametrize("case", CASES.strip().split("\n\n"))
def test_roles_follow_grammar(case) -> None:
    sentence, penman, expected = case.split("\n")
    tokens = tuple(sentence.split())
    example = Example(tokens, graph=PENMAN.graph(tokens, penman), scheme="eds")
    roles = {
        f"{'not ' if role.negated else ''}{role.predicate} {role.role} {role.argument.text}"
        for role in example.roles()
    }
    assert expected in roles


def test_complete_graph_is_kept() -> None:
    words = ["Tom", "does", "not", "want", "Ann", "to", "sleep"]
    penman = "(n / neg~e.2 :ARG1 (w / _want_v_1~e.3 :ARG1 (t / tom_n~e.0) "
    penman += ":ARG2 (s / _sleep_v_1~e.6 :ARG1 (a / ann_n~e.4))))"
    graph = without_layout(PENMAN.graph(words, penman))
    assert repaired(graph, words) == graph
