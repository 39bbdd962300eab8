"""Boxes of concepts as graphs, as sequences (SBN) and as nested boxes."""

import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given, strategies as st
from published import missing

from amparser.errors import LogicError, TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph, isomorphic
from amparser.logic.clf import clauses_from_boxes, drs_from_boxes
from amparser.logic.concept_boxes import (
    BOX_RELATIONS,
    INVERTIBLE,
    BoxTarget,
    Concept,
    ConceptBoxes,
    Link,
    Role,
    sorted_roles,
)
from amparser.logic.sbn import boxes_from_sbn, boxes_to_sbn
from amparser.notations.box_graph import boxes_from_graph, graph_from_boxes
from amparser.notations.boxes_penman import boxes_from_penman, boxes_to_penman
from amparser.notations.notation import without_layout
from amparser.notations.penman import PENMAN
from amparser.notations.registry import NOTATIONS

GRAPH, SBN = NOTATIONS["drs-graph"], NOTATIONS["sbn"]

FISH = (
    "person.n.01 EQU speaker NEGATION <1 time.n.08 EQU now "
    "fry.v.02 Agent -2 Time -1 Patient +1 fish.n.02"
)
FISH_GRAPH = (
    '(b0 / "box" :member (s0 / "person.n.01" :EQU "speaker") :NEGATION (b1 / "box" '
    ':member (s1 / "time.n.08" :EQU "now") :member (s2 / "fry.v.02" :Agent s0 :Time s1 '
    ':Patient (s3 / "fish.n.02")) :member s3))'
)
FISH_DRS = (
    '([x1],[person.n.01(x1), EQU(x1,"speaker"), -([x2,x3,x4],[time.n.08(x2), EQU(x2,"now"), '
    "fry.v.02(x3), Agent(x3,x1), Time(x3,x2), Patient(x3,x4), fish.n.02(x4)])])"
)


def bank(data: Path) -> Iterator[str]:
    for part in ("dev", "train"):
        path = data / "pmb" / "pmb4" / f"{part}.penman.gz"
        if not path.is_file():
            pytest.skip(missing(path))
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for block in file.read().strip().split("\n\n"):
                yield "\n".join(line for line in block.split("\n") if not line.startswith("#"))


# Laws on the bank


def test_graphs_of_the_bank_round_trip_in_every_notation(data_dir) -> None:
    count = same_ends = 0
    for text in bank(data_dir):
        graph = GRAPH.graph((), text)
        plain = without_layout(graph)
        boxes = boxes_from_graph(graph)
        assert boxes_to_penman(boxes, lines=True) == text
        sequence = SBN.write(graph)
        assert boxes_from_sbn(sequence) == boxes
        assert SBN.write(SBN.graph((), sequence)) == sequence
        # Nested boxes do not record at which end a role was written.
        nested = drs_from_boxes(boxes)
        assert drs_from_boxes(boxes_from_sbn(SBN.write(plain))) == nested
        count += 1
        same_ends += GRAPH.write(plain) == boxes_to_penman(boxes)
    assert count == 1_161 + 7_638
    # Graphs do not record the end of `PartOf` either; `written_inversely` guesses it.
    assert same_ends >= 0.96 * count


RELEASED = ["de/dev", "de/train", "en/dev", "en/long-dev", "en/train", "it/dev", "it/train",
            "nl/dev", "nl/train"]  # fmt: skip
"""Files of release 5.1.0, each available as SBN and as PENMAN."""


def released(path: Path) -> list[list[str]]:
    if not path.is_file():
        pytest.skip(missing(path))
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [block.strip("\n").split("\n") for block in file.read().strip().split("\n\n")]


@pytest.mark.parametrize("name", RELEASED)
def test_released_sequences_equal_their_graphs(data_dir, name) -> None:
    folder = data_dir / "pmb" / "pmb51"
    sequences = {lines[0]: lines[2] for lines in released(folder / f"{name}.sbn.gz")}
    graphs = {
        lines[0].removeprefix("# ::id "): "\n".join(x for x in lines if not x.startswith("#"))
        for lines in released(folder / f"{name}.penman.gz")
    }
    assert sequences.keys() == graphs.keys()
    same = 0
    for number, sequence in sequences.items():
        boxes = boxes_from_sbn(sequence)
        written = boxes_to_sbn(boxes)
        assert boxes_from_sbn(written) == boxes
        same += written == sequence
        graph = graphs[number]
        assert boxes_to_penman(boxes, lines=True) == graph.strip()
        # Variables give the order of concepts, hence of boxes, except empty ones.
        assert isomorphic(graph_from_boxes(boxes), graph_from_boxes(boxes_from_penman(graph)[0]))
    # Indices before the first box, quotes, and relations of detached boxes are not kept.
    assert same >= 0.97 * len(sequences)


# Laws on generated meanings

SENSES = st.sampled_from(
    ["dog.n.01", "bark.v.01", "ping-pong.n.01", "'s.n.01", "café.n.02", "24-hour.a.01", "x_y.r.10"]
)
NAMES = st.sampled_from(["Agent", "Co-Agent", "Of", "MadeOf", "EQU", "SY1", *sorted(INVERTIBLE)])
EXCLUDED = '"\\\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029'
PRESETS = st.one_of(
    st.sampled_from(
        ["now", "+", "?", "-1", "New York", "NEGATION", "dog.n.01", "", "'80s", "%", 'a \\"b\\"']
    ),
    st.text(st.characters(codec="utf-8", exclude_characters=EXCLUDED)),
)


@st.composite
def meanings(draw: st.DrawFn, *, chain: bool = False, detached: bool = False) -> ConceptBoxes:
    relations = st.sampled_from(sorted(BOX_RELATIONS))
    links = [
        Link(draw(relations), box if chain else draw(st.integers(0, box)))
        for box in range(draw(st.integers(0, 3)))
    ]
    if detached:
        below = draw(st.integers(1, len(links) + 1))
        links.insert(below - 1, Link("CONTINUATION", below))
        links = [
            Link(relation, above + (above >= below) if at > below else above)
            for at, (relation, above) in enumerate(links, 1)
        ]
    boxes = sorted(draw(st.lists(st.integers(0, len(links)), min_size=1, max_size=6)))
    concepts = [Concept(draw(SENSES), box) for box in boxes]
    numbers = st.integers(0, len(concepts) - 1)
    roles = []
    for _ in range(draw(st.integers(0, 6))):
        label = draw(NAMES)
        target = draw(st.one_of(numbers, PRESETS))
        inverse = label in INVERTIBLE and draw(st.booleans())
        roles.append(Role(draw(numbers), label, target, inverse))
    if detached:
        top, other = draw(st.permutations([0, below]))
        inside = [n for n, concept in enumerate(concepts) if top_of(links, concept.box) == top]
        assume(inside)
        owners = st.lists(st.sampled_from(inside), min_size=1, max_size=2)
        roles += [Role(owner, "Proposition", BoxTarget(other)) for owner in draw(owners)]
    return ConceptBoxes(tuple(links), tuple(concepts), sorted_roles(roles))


def top_of(links: list[Link], box: int) -> int:
    """Return the topmost box above a box: a detached box or box 0."""
    while box and links[box - 1].above != box:
        box = links[box - 1].above
    return box


def has_distant_role(boxes: ConceptBoxes) -> bool:
    """Return True if a role joins concepts of two boxes and neither box is below the other."""
    pairs = [
        (boxes.concepts[role.owner].box, boxes.concepts[role.target].box)
        for role in boxes.roles
        if isinstance(role.target, int)
    ]
    return any(not boxes.is_below(*pair) and not boxes.is_below(*pair[::-1]) for pair in pairs)


@given(meanings())
def test_meanings_round_trip_through_sequences_and_graphs(boxes) -> None:
    assert boxes_from_sbn(boxes_to_sbn(boxes)) == boxes
    for lines in (False, True):
        assert boxes_from_penman(boxes_to_penman(boxes, lines=lines))[0] == boxes
    graph = graph_from_boxes(boxes)
    again = boxes_from_graph(graph)
    assert (again.links, again.concepts) == (boxes.links, boxes.concepts)
    assert isomorphic(graph_from_boxes(again), graph)
    shuffled = SGraph(graph.nodes, graph.edges[::-1], graph.root)
    assert isomorphic(graph_from_boxes(boxes_from_graph(shuffled)), graph)


@given(meanings(detached=True))
def test_meanings_with_roles_to_boxes_round_trip(boxes) -> None:
    assert boxes_from_sbn(boxes_to_sbn(boxes)) == boxes
    graph = graph_from_boxes(boxes)
    assert graph.nodes[graph.root].label == "box"
    assert isomorphic(graph_from_boxes(boxes_from_graph(graph)), graph)
    for lines in (False, True):
        again = boxes_from_penman(boxes_to_penman(boxes, lines=lines))[0]
        assert isomorphic(graph_from_boxes(again), graph)
    with pytest.raises(LogicError, match="the role Proposition leads to a box"):
        drs_from_boxes(boxes)


@given(meanings())
def test_nested_boxes_are_complete_unless_a_role_joins_unrelated_boxes(boxes) -> None:
    if has_distant_role(boxes):
        with pytest.raises(LogicError, match="neither box is below the other"):
            drs_from_boxes(boxes)
        return
    clauses = clauses_from_boxes(boxes)
    words = Counter(word for _, word, *_ in clauses)
    assert words["REF"] == len(boxes.concepts)
    senses = Counter(f"{word}.{rest[0][1:-1]}" for _, word, *rest in clauses if len(rest) == 2)
    assert Counter(concept.sense for concept in boxes.concepts) <= senses
    assert sum(words[link] for link in BOX_RELATIONS) >= len(boxes.links)


@given(meanings())
def test_a_graph_of_boxes_is_an_amr_graph(boxes) -> None:
    text = boxes_to_penman(boxes)
    amr = PENMAN.graph((), text)
    assert boxes_from_graph(amr) == boxes
    assert SBN.write(amr) == boxes_to_sbn(boxes)


# Examples


def test_one_sentence_in_every_notation() -> None:
    assert GRAPH.convert((), FISH, SBN) == FISH_GRAPH
    assert SBN.convert((), FISH_GRAPH, GRAPH) == FISH
    assert str(drs_from_boxes(boxes_from_sbn(FISH))) == FISH_DRS


BANK_FILE = Path(__file__).with_name("bank.sbn").read_text(encoding="utf-8")


def test_a_file_of_the_bank_round_trips() -> None:
    graph = SBN.graph((), BANK_FILE)
    assert SBN.write(graph) == BANK_FILE
    assert SBN.write(without_layout(graph)) == (
        'male.n.02 Name "Tom Smith" born.a.01 Theme -1 Time +1 '
        "time.n.08 YearOfCentury 1941 TPR now NEGATION <1 leave.v.01 Agent -3"
    )


def test_a_changed_graph_is_written_anew() -> None:
    graph = SBN.graph((), BANK_FILE)
    nodes = {n: Node("cat.n.01") if v.label == "male.n.02" else v for n, v in graph.nodes.items()}
    changed = type(graph)(nodes, graph.edges, graph.root, {}, graph.notation, graph.layout)  # type: ignore[call-arg, attr-defined]
    assert SBN.write(changed).startswith('cat.n.01 Name "Tom Smith" born.a.01')


def test_an_inverse_role_is_the_same_edge() -> None:
    there, back = "wheel.n.01 PartOf +1 car.n.01", "wheel.n.01 car.n.01 Part -1"
    assert isomorphic(SBN.graph((), there), SBN.graph((), back))
    assert SBN.equality((), there, back) == (True, True)
    text = '(b0 / "box" :member (s0 / "wheel.n.01" :PartOf (s1 / "car.n.01")) :member s1)'
    assert isomorphic(GRAPH.graph((), text), SBN.graph((), there))
    assert SBN.write(SBN.graph((), 'wheel.n.01 PartOf "car"')) == 'wheel.n.01 PartOf "car"'
    box = drs_from_boxes(boxes_from_sbn("wheel.n.01 PartOf car"))
    assert str(box) == '([x1],[wheel.n.01(x1), PartOf(x1,"car")])'
    assert SBN.equality((), there, "wheel.n.01 Part +1 car.n.01") == (False, False)


def test_tokens_order_the_concepts_of_a_graph() -> None:
    graph = SGraph(
        {1: Node("box"), 2: Node("bark.v.01", 3), 3: Node("dog.n.01", 2), 4: Node('"Rex"', 1)},
        (Edge(1, "member", 2), Edge(2, "Agent", 3), Edge(1, "member", 3), Edge(3, "Name", 4)),
        1,
    )
    assert SBN.write(graph) == 'dog.n.01 Name "Rex" bark.v.01 Agent -1'
    text, tokens = GRAPH.penman_text(graph) or ("", [])
    assert text.split("\n\t")[1] == ':member (s0 / "dog.n.01"'
    assert tokens == [None, 2, None, 3]


def test_alignments_in_the_text_are_read() -> None:
    text = '(b0 / "box" :member (s0 / "dog.n.01"~e.1) :member (s1 / "bark.v.01"~e.2 :Agent s0))'
    graph = GRAPH.graph(("a", "dog", "barked"), text)
    assert {n.label: n.token for n in graph.nodes.values()}["bark.v.01"] == 3
    assert GRAPH.write(graph) == text
    with pytest.raises(LogicError, match="expected a token from 0 to 1"):
        GRAPH.graph(("dog", "barked"), text)


# Ill-formed texts


BOX, FOX = Node("box"), Node("a.n.01")
IN = Edge(1, "member", 2)
ILL_FORMED_GRAPHS = {
    "node 3 (box): no box is above it; it is not connected to the root": ([BOX, FOX, BOX], []),
    "node 3 (box): it is below itself, a cycle of boxes; it is not connected to the root": (
        [BOX, FOX, BOX, BOX], [Edge(3, "NEGATION", 4), Edge(4, "NEGATION", 3)]
    ),
    'node 3 ("now"): a constant without a role; it is not connected': (
        [BOX, FOX, Node('"now"')], []
    ),
    'node 3 ("now"): a constant with two roles, expected one': (
        [BOX, FOX, Node('"now"')], [Edge(2, "EQU", 3), Edge(2, "TPR", 3)]
    ),
    "has no label": ([BOX, Node()], []),
}  # fmt: skip


@pytest.mark.parametrize("reason", ILL_FORMED_GRAPHS)
def test_ill_formed_graphs_are_refused_with_the_reason(reason) -> None:
    nodes, edges = ILL_FORMED_GRAPHS[reason]
    for notation in (GRAPH, SBN):
        with pytest.raises(TranslateError) as refusal:
            notation.write(SGraph(dict(enumerate(nodes, 1)), (IN, *edges), 1))
        assert reason in str(refusal.value)
        with pytest.raises(TranslateError, match="open sources s"):
            notation.write(SGraph({1: BOX}, (), 1, {"s": 1}))


def test_sequences_refuse_spaces_in_concepts() -> None:
    graph = GRAPH.graph((), '(b0 / "box" :member (s0 / "ice cream.n.01"))')
    with pytest.raises(TranslateError, match="cannot be one word"):
        SBN.write(graph)


def test_meanings_may_be_deep_and_long() -> None:
    deep = "a.n.01" + " NEGATION <1 a.n.01 Of -1" * 5_000
    graph = SBN.graph((), deep)
    assert SBN.write(without_layout(graph)) == deep
    with pytest.raises(LogicError, match="nested too deeply"):
        GRAPH.graph((), GRAPH.write(graph))
    with pytest.raises(LogicError, match="nested too deeply"):
        SBN.clauses(deep)  # type: ignore[attr-defined]
    long = "a.n.01" + " a.n.01 Of -1" * 5_000
    graph = SBN.graph((), long)
    assert SBN.write(without_layout(GRAPH.graph((), GRAPH.write(graph)))) == long


def test_rows_are_grouped_by_length_boxes_and_reentrancy() -> None:
    words = ("I", "am", "not", "frying", "fish", ".")
    assert SBN.groups(words, FISH) == ("length 5-8", "boxes 2", "not reentrant")
    many = FISH.replace("Time", "Theme -2 Time").replace("NEGATION <1", "NEGATION <1 NEGATION <1")
    assert SBN.groups(words * 3, many) == ("length 13 or more", "boxes 3 or more", "reentrant")
