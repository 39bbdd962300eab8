"""Repairs of EDS graphs before roles are read off them, and negated predicates."""

import pytest

from amparser.benchmarks.eds.repairs import repaired
from amparser.graph.penman_codec import sgraph_from_penman
from amparser.graph.sgraph import SGraph
from amparser.notations.roles import roles_of


def aligned(sentence: str, tokens: dict[str, int], penman: str) -> tuple[SGraph, list[str]]:
    graph = sgraph_from_penman(penman)
    nodes = {n: node._replace(token=tokens[node.label or ""]) for n, node in graph.nodes.items()}
    return SGraph(nodes, graph.edges, graph.root), sentence.split()


def rows(sentence: str, tokens: dict[str, int], penman: str) -> set[tuple[str, str, str, bool]]:
    graph, words = aligned(sentence, tokens, penman)
    places, end = [], 0
    for word in words:
        places.append((end, end + len(word)))
        end += len(word) + 1
    found = roles_of(graph, places, sentence, 0, "eds")
    return {(role.predicate, role.role, role.argument.text, role.negated) for role in found}


@pytest.mark.parametrize(
    ("sentence", "tokens", "penman", "expected"),
    [
        (
            "Tom was given tea by Ann",
            {"_give_v_1": 3, "_tea_n_1": 4, "_by_p_state": 5, "tom_n": 1, "ann_n": 6},
            "(g / _give_v_1 :ARG2 (t / _tea_n_1) :ARG3 (m / tom_n)"
            " :ARG1-of (b / _by_p_state :ARG2 (a / ann_n)))",
            ("give", "ARG1", "Ann", False),
        ),
        (
            "Tom is easy to please",
            {"_easy_a_for": 3, "_please_v_1": 5, "tom_n": 1},
            "(e / _easy_a_for :ARG1 (p / _please_v_1 :ARG1 (t / tom_n)))",
            ("please", "ARG2", "Tom", False),
        ),
        (
            "Tom promised Ann to come",
            {"_promise_v_1": 2, "_come_v_1": 5, "tom_n": 1, "ann_n": 3},
            "(p / _promise_v_1 :ARG1 (t / tom_n) :ARG2 (a / ann_n) :ARG3 (c / _come_v_1 :ARG1 a))",
            ("come", "ARG1", "Tom", False),
        ),
        (
            "Tom sings and dances",
            {"_sing_v_1": 2, "_and_c": 3, "_dance_v_1": 4, "tom_n": 1},
            "(a / _and_c :ARG1 (s / _sing_v_1 :ARG1 (t / tom_n)) :ARG2 (d / _dance_v_1))",
            ("dance", "ARG1", "Tom", False),
        ),
        (
            "Tom left without looking",
            {"_leave_v_1": 2, "_without_p": 3, "nominalization": 4, "_look_v_1": 4, "tom_n": 1},
            "(l / _leave_v_1 :ARG1 (t / tom_n) :ARG1-of"
            " (w / _without_p :ARG2 (n / nominalization :ARG1 (k / _look_v_1))))",
            ("look", "ARG1", "Tom", True),
        ),
        (
            "boys who paid left",
            {"_pay_v_1": 3, "_leave_v_1": 4, "_boy_n_1": 1},
            "(l / _leave_v_1 :ARG1 (p / _pay_v_1 :ARG1 (b / _boy_n_1)))",
            ("leave", "ARG1", "boys", False),
        ),
        (
            "Tom must not sleep",
            {"_must_v_modal": 2, "_sleep_v_1": 4, "tom_n": 1},
            "(m / _must_v_modal :ARG1 (s / _sleep_v_1 :ARG1 (t / tom_n)))",
            ("sleep", "ARG1", "Tom", True),
        ),
        (
            "Tom isn't here",
            {"neg": 2, "loc_nonsp": 3, "place_n": 3, "_here_a_1": 3, "tom_n": 1, "proper_q": 1},
            "(n / neg :ARG1 (l / loc_nonsp :ARG1 (t / tom_n :BV-of (q / proper_q))"
            " :ARG2 (p / place_n :ARG1-of (h / _here_a_1))))",
            ("here", "ARG1", "Tom", True),
        ),
        (
            "I know he never came",
            {"i_n": 1, "_know_v_1": 2, "he_n": 3, "_never_a_1": 4, "_come_v_1": 5},
            "(k / _know_v_1 :ARG1 (i / i_n) :ARG2 (n / _never_a_1 :ARG1 (c / _come_v_1"
            " :ARG1 (h / he_n))))",
            ("know", "ARG2", "came", False),
        ),
        (
            "not every boy came",
            {"_not_x_deg": 1, "_every_q": 2, "_boy_n_1": 3, "_come_v_1": 4},
            "(c / _come_v_1 :ARG1 (b / _boy_n_1 :BV-of (q / _every_q :ARG1-of (n / _not_x_deg))))",
            ("come", "ARG1", "boy", True),
        ),
        (
            "nobody 's car came",
            {"_no_q": 1, "person": 1, "poss": 2, "_car_n_1": 3, "_come_v_1": 4},
            "(c / _come_v_1 :ARG1 (b / _car_n_1 :ARG1-of (p / poss :ARG2"
            " (x / person :BV-of (q / _no_q)))))",
            ("come", "ARG1", "car", True),
        ),
    ],
)
def test_roles_follow_grammar(
    sentence: str,
    tokens: dict[str, int],
    penman: str,
    expected: tuple[str, str, str, bool],
) -> None:
    assert expected in rows(sentence, tokens, penman)


def test_complete_graph_is_kept() -> None:
    graph, words = aligned(
        "Tom does not want Ann to sleep",
        {"neg": 3, "_want_v_1": 4, "_sleep_v_1": 7, "tom_n": 1, "ann_n": 5},
        "(n / neg :ARG1 (w / _want_v_1 :ARG1 (t / tom_n)"
        " :ARG2 (s / _sleep_v_1 :ARG1 (a / ann_n))))",
    )
    assert repaired(graph, words) == graph
