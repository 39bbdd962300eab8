"""Repairs of EDS graphs before roles are read off them, and negated predicates."""

import pytest

from amparser.benchmarks.eds.repairs import repaired
from amparser.corpora.example import Example
from amparser.notations.notation import without_layout
from amparser.notations.penman import PENMAN

CASES = """
Tom was given tea by Ann
(g / _give_v_1~e.2 :ARG2 (t / _tea_n_1~e.3) :ARG3 (m / tom_n~e.0) \
:ARG1-of (b / _by_p_state~e.4 :ARG2 (a / ann_n~e.5)))
give ARG1 Ann

Tom is easy to please
(e / _easy_a_for~e.2 :ARG1 (p / _please_v_1~e.4 :ARG1 (t / tom_n~e.0)))
please ARG2 Tom

Tom promised Ann to come
(p / _promise_v_1~e.1 :ARG1 (t / tom_n~e.0) :ARG2 (a / ann_n~e.2) :ARG3 (c / _come_v_1~e.4 :ARG1 a))
come ARG1 Tom

Tom sings and dances
(a / _and_c~e.2 :ARG1 (s / _sing_v_1~e.1 :ARG1 (t / tom_n~e.0)) :ARG2 (d / _dance_v_1~e.3))
dance ARG1 Tom

Tom left without looking
(l / _leave_v_1~e.1 :ARG1 (t / tom_n~e.0) :ARG1-of (w / _without_p~e.2 \
:ARG2 (n / nominalization~e.3 :ARG1 (k / _look_v_1~e.3))))
not look ARG1 Tom

boys who paid left
(l / _leave_v_1~e.3 :ARG1 (p / _pay_v_1~e.2 :ARG1 (b / _boy_n_1~e.0)))
leave ARG1 boys

Tom must not sleep
(m / _must_v_modal~e.1 :ARG1 (s / _sleep_v_1~e.3 :ARG1 (t / tom_n~e.0)))
not sleep ARG1 Tom

Tom isn't here
(n / neg~e.1 :ARG1 (l / loc_nonsp~e.2 :ARG1 (t / tom_n~e.0 :BV-of (q / proper_q~e.0)) \
:ARG2 (p / place_n~e.2 :ARG1-of (h / _here_a_1~e.2))))
not here ARG1 Tom

I know he never came
(k / _know_v_1~e.1 :ARG1 (i / i_n~e.0) :ARG2 (n / _never_a_1~e.3 \
:ARG1 (c / _come_v_1~e.4 :ARG1 (h / he_n~e.2))))
know ARG2 came

not every boy came
(c / _come_v_1~e.3 :ARG1 (b / _boy_n_1~e.2 :BV-of (q / _every_q~e.1 :ARG1-of (n / _not_x_deg~e.0))))
not come ARG1 boy

nobody 's car came
(c / _come_v_1~e.3 :ARG1 (b / _car_n_1~e.2 :ARG1-of (p / poss~e.1 \
:ARG2 (x / person~e.0 :BV-of (q / _no_q~e.0)))))
not come ARG1 car
"""
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
