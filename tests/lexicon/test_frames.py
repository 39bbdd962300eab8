"""What arguments the nodes of a label have."""

from __future__ import annotations

from math import inf

from chosen import choice_of

from amparser.algebra.derivation import Derivation
from amparser.algebra.fragment import Fragment
from amparser.lexicon.frames import NODES, Frames, cost, frames_of
from amparser.lexicon.senses import Senses

TAGS = Fragment(("_\x00_v_",)), Fragment(("_\x00_n_",))
SENSES = Senses(("_n_", "_v_"))
UNIQUE = frozenset({"ARG1", "ARG2"})


def sentence(verb: str, *edges: str) -> Derivation:
    """A verb with a noun below it for each arc."""
    count = len(edges)
    choice = choice_of(TAGS, [0, *[1] * count], ["", *edges], [-1, *[0] * count])
    choice.fillers = [[verb], *[["dog_n_1"]] * count]
    return choice.derivation()


def test_frames_count_nodes_and_their_arguments() -> None:
    rows = [sentence("see_v_1", "ARG1>00", "ARG2>00", "loc>00")] * 4 + [
        sentence("nap_v_1", "ARG1>00")
    ]
    found = frames_of(rows, SENSES, UNIQUE)
    assert found["_see_v_1"] == {NODES: 4, "ARG1": 4, "ARG2": 4}
    # A label with one node is known by its kind alone.
    assert found["_\x00_v_1"] == {NODES: 5, "ARG1": 5, "ARG2": 4}
    assert found["_dog_n_1"] == {NODES: 13} == found["_\x00_n_1"]
    assert "_nap_v_1" not in found


def test_an_arc_gives_an_argument_to_the_node_that_its_edge_leads_down_from() -> None:
    row = sentence("see_v_1", "ARG1<00")
    assert frames_of([row] * 3, SENSES, UNIQUE)["_dog_n_1"] == {NODES: 3, "ARG1": 3}


def test_arguments_cost_less_that_train_shows() -> None:
    rows = [sentence("see_v_1", "ARG1>00", "ARG2>00")] * 9 + [sentence("nap_v_1", "ARG1>00")] * 9
    frames = Frames(frames_of(rows, SENSES, UNIQUE), SENSES, UNIQUE)
    both, one = {"ARG1": 1, "ARG2": 1}, {"ARG1": 1}
    see, nap = frames.costs("_see_v_1"), frames.costs("_nap_v_1")
    assert cost(see, both) < 0.5 < 2 < cost(see, one) < inf
    assert cost(nap, one) < 0.5 < 2 < cost(nap, both)
    assert cost(see, both) < cost(see, {"ARG1": 2, "ARG2": 1})
    # A verb that train does not have is in between; of other labels nothing is known.
    ran = frames.costs("_run_v_1")
    assert cost(see, one) > cost(ran, one) > cost(nap, one)
    assert cost(frames.costs("unknown"), both) == 0
