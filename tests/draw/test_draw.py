"""Pictures: valid XML, legible layouts, deterministic output, complete content."""

import runpy
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st
from toml_tables import tables

from amparser.algebra.conll import am_trees_from_str
from amparser.algebra.derivation import Derivation
from amparser.algebra.tree import AMTree, Entry
from amparser.corpora.example import Example
from amparser.draw import (
    box_to_svg,
    draw_graph,
    draw_sentence,
    draw_tree,
    graph_to_svg,
    tree_to_svg,
)
from amparser.draw.arcs import Arc, Layout, layout_of
from amparser.draw.examples import pictures_of
from amparser.draw.html import html_page
from amparser.draw.svg import escaped, text_width
from amparser.graph.penman_codec import sgraph_from_penman
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.logic.drs import drs_from_fol
from amparser.logic.fol import fol_from_str

TABLES = tables(__file__)

SVG = "{http://www.w3.org/2000/svg}"
TREE = Path(__file__).with_name("question.amconll").read_text(encoding="utf-8")
BOX = drs_from_fol(
    fol_from_str("exists x.(dog(x) & -exists y.cat(y) & all z.(fox(z) -> (a(x) | b(x))))")
)


@pytest.fixture
def question() -> Derivation:
    [tree] = am_trees_from_str(TREE)
    return tree.derivation()


def parsed(svg: str) -> ElementTree.Element:
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return root


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in parsed(svg).iter(f"{SVG}text")]


def arcs(draw: st.DrawFn, count: int) -> list[Arc]:
    found = []
    for _ in range(draw(st.integers(0, 12))):
        dependent = draw(st.integers(1, count))
        head = draw(st.integers(0, count).filter(lambda h, d=dependent: h != d))
        label = draw(st.sampled_from(["APP_s", "MOD_very_long_source_name", "x"]))
        found.append(Arc(head, dependent, label, text_width(label)))
    return found


@st.composite
def drawings(draw: st.DrawFn) -> tuple[list[float], list[Arc]]:
    count = draw(st.integers(2, 9))
    widths = draw(st.lists(st.floats(5, 200), min_size=count, max_size=count))
    return widths, arcs(draw, count)


def overlaps(left: Sequence[int], right: Sequence[int]) -> bool:
    return left[0] < right[1] and right[0] < left[1]


@given(drawings())
def test_arcs_that_overlap_run_on_different_levels(drawing) -> None:
    widths, given_arcs = drawing
    layout = layout_of(widths, given_arcs)
    for one, other in combinations([p for p in layout.arcs if p.arc.head], 2):
        if overlaps(one.arc.ends, other.arc.ends):
            assert one.level != other.level
        inner = other.arc.ends[0] <= one.arc.ends[0] and one.arc.ends[1] <= other.arc.ends[1]
        if inner and one.arc.ends != other.arc.ends:
            assert one.level < other.level


@given(drawings())
def test_words_and_labels_have_room(drawing) -> None:
    widths, given_arcs = drawing
    layout = layout_of(widths, given_arcs)
    for i in range(1, len(widths)):
        distance = layout.centres[i] - layout.centres[i - 1]
        assert distance >= (widths[i - 1] + widths[i]) / 2
    for placed in layout.arcs:
        if placed.arc.head:
            left, right = sorted((placed.head_x, placed.dependent_x))
            assert right - left >= placed.arc.width
            assert left <= placed.label_x <= right


@given(drawings())
def test_arcs_meet_a_word_at_different_places(drawing) -> None:
    layout = layout_of(*drawing)
    ends = [
        x for p in layout.arcs for x in ((p.head_x, p.dependent_x) if p.arc.head else (p.head_x,))
    ]
    assert all(abs(one - other) > 1 for one, other in combinations(ends, 2))


@given(drawings())
def test_arcs_of_one_word_do_not_cross(drawing) -> None:
    layout: Layout = layout_of(*drawing)
    for one, other in combinations([p for p in layout.arcs if p.arc.head], 2):
        lower, upper = sorted((one, other), key=lambda placed: placed.level)
        common = set(lower.arc.ends) & set(upper.arc.ends)
        strange = [
            x
            for word, x in (
                (upper.arc.head, upper.head_x),
                (upper.arc.dependent, upper.dependent_x),
            )
            if word in common
        ]
        left, right = sorted((lower.head_x, lower.dependent_x))
        assert not any(left < x < right for x in strange)


def test_a_tree_shows_words_labels_and_constants(question) -> None:
    shown = texts(tree_to_svg(question))
    for wanted in ("Who", "did", "APP_C", "ROOT", "agent L1", "marker C", '"Emma"'):
        assert wanted in shown


def test_modifiers_and_ignored_words_do_not_differ_by_colour_alone() -> None:
    entries = (Entry("a"), Entry("b", 3, "MOD_m"), Entry("c", 0, "ROOT"))
    svg = tree_to_svg(AMTree(entries).derivation())
    assert "am-dashed" in svg.split("</style>")[1]
    assert "am-italic" in svg.split("</style>")[1]


def test_light_and_dark_screens_have_colours(question) -> None:
    svg = tree_to_svg(question)
    assert "prefers-color-scheme:dark" in svg
    assert 'class="am-ground"' in svg
    assert "<style>" not in draw_tree(question).to_svg(standalone=False)


words = st.text(min_size=1, max_size=12)


@given(st.lists(words, min_size=1, max_size=12), st.data())
def test_any_tree_and_any_word_gives_valid_xml(forms, data) -> None:
    entries = tuple(
        Entry(
            form,
            data.draw(st.integers(0, len(forms) + 2)),
            data.draw(st.sampled_from(["IGNORE", "ROOT", "APP_<s>", "MOD_&"])),
        )
        for form in forms
    )
    tree = AMTree(entries).derivation()
    parsed(tree_to_svg(tree))
    parsed(draw_sentence(forms, forms[0]).to_svg())


@given(st.lists(st.sampled_from(["a", "long_word_of_many_letters"]), min_size=1), st.data())
def test_every_text_is_inside_the_picture(forms, data) -> None:
    heads = st.integers(0, len(forms))
    picture = draw_tree(
        AMTree(tuple(Entry(f, data.draw(heads), "APP_some_source") for f in forms)).derivation()
    )
    for shown in parsed(picture.to_svg()).iter(f"{SVG}text"):
        size, x = float(shown.get("font-size", "0")), float(shown.get("x", "0"))
        width = text_width(shown.text or "", size)
        left = x if shown.get("text-anchor") == "start" else x - width / 2
        assert left >= 0
        assert left + width <= picture.width
        assert size <= float(shown.get("y", "0")) <= picture.height


# --- graphs


GRAPH = "(i1<root> / want :ARG0 (i2<S> / boy :self i2) :ARG1 (i3 / go :ARG0 i2 :back i1) :ARG0 i3)"


def test_a_graph_shows_every_node_and_edge() -> None:
    shown = texts(graph_to_svg(sgraph_from_penman(GRAPH)))
    for wanted in ("want", "boy <S>", "go", "self itself", "back"):
        assert wanted in shown
    assert shown.count("ARG0") == 3


@st.composite
def graphs(draw: st.DrawFn) -> SGraph:
    count = draw(st.integers(1, 9))
    nodes = {n: Node(draw(st.sampled_from(["a", "long label", None]))) for n in range(count)}
    edges = [
        Edge(draw(st.integers(0, count - 1)), "e", draw(st.integers(0, count - 1)))
        for _ in range(draw(st.integers(0, 14)))
    ]
    return SGraph(nodes, tuple(edges), draw(st.integers(0, count - 1)))


@given(graphs())
def test_nodes_of_any_graph_do_not_overlap(graph) -> None:
    """The graphs include cycles, loops, parallel edges and unconnected parts."""
    picture = draw_graph(graph)
    bold = "am-ink am-bold"
    nodes = [t for t in parsed(picture.to_svg()).iter(f"{SVG}text") if t.get("class") == bold]
    assert len(nodes) == len(graph.nodes)
    ends = [0.0]
    for node in nodes:
        half = text_width(node.text or "", bold=True) / 2
        assert ends[-1] <= float(node.get("x", "0")) - half
        ends.append(float(node.get("x", "0")) + half)
    assert ends[-1] <= picture.width


def test_nodes_are_drawn_in_the_order_of_their_words() -> None:
    graph = sgraph_from_penman("(a / give :x (b / one) :y (c / two) :z (d / six))")
    order = ["give", "one", "six", "two"]
    tokens = {"give": None, "one": 1, "two": 4, "six": 3}
    words = {n: v._replace(token=tokens[str(v.label)]) for n, v in graph.nodes.items()}
    for one, wanted in (
        (graph, ["give", "one", "two", "six"]),
        (replace(graph, nodes=words), order),
    ):
        assert [text for text in texts(graph_to_svg(one)) if text in order] == wanted


# --- boxes, derivations, other texts


def test_boxes_show_referents_conditions_and_operators() -> None:
    shown = texts(box_to_svg(BOX))
    for wanted in ("x1", "dog(x1)", "¬", "x2", "⇒", "∨", "b(x1)"):  # noqa: RUF001
        assert wanted in shown


@pytest.mark.parametrize(("notation", "meaning", "sign", "condition"), TABLES["boxes"])
def test_formulas_and_concepts_are_drawn_as_boxes_too(notation, meaning, sign, condition) -> None:
    pictures = pictures_of(Example(("a", "dog", "did", "not", "run"), meaning, notation=notation))
    assert len(pictures) == 2
    shown = texts(pictures[1].to_svg())
    assert sign in shown
    assert any(text.startswith(condition) for text in shown)


def test_meanings_without_boxes_have_none(parser) -> None:
    [result] = parser.parse(["Emma slept ."])
    assert len(pictures_of(result.example())) == 2, "tree and graph"
    for notation, meaning in (("cogs", "sleep . agent ( x _ 1 , Emma )"), ("fol", "x(")):
        assert len(pictures_of(Example(("a",), meaning, notation=notation))) == 1


def test_inner_boxes_lie_inside_outer_ones() -> None:
    root = parsed(box_to_svg(BOX))

    def check(element: ElementTree.Element, dx: float, dy: float) -> None:
        if moved := element.get("transform"):
            x, y = moved.removeprefix("translate(").removesuffix(")").split()
            dx, dy = dx + float(x), dy + float(y)
        for child in element:
            if child.tag == f"{SVG}rect":
                right = dx + float(child.get("x", "0")) + float(child.get("width", "0"))
                bottom = dy + float(child.get("y", "0")) + float(child.get("height", "0"))
                assert right <= float(root.get("width", "0"))
                assert bottom <= float(root.get("height", "0"))
            check(child, dx, dy)

    check(root, 0, 0)


def test_the_pictures_of_the_documentation_are_up_to_date() -> None:
    docs = Path(__file__).parents[2] / "docs"
    drawn = runpy.run_path(str(docs / "draw_pictures.py"))["pictures"]()
    for name, svg in drawn.items():
        assert (docs / "pictures" / name).read_text(encoding="utf-8") == svg + "\n", name


def test_page_allows_only_its_own_style() -> None:
    page = html_page("a < b", "<p>x</p>")
    assert "<title>a &lt; b</title>" in page
    assert "default-src 'none'" in page
    assert "unsafe" not in page
    assert "http" not in page.replace("http-equiv", "")


@pytest.mark.parametrize("character", ["\0", "\x0b", "\ud800", "\uffff"])
def test_characters_that_xml_cannot_hold_are_replaced(character) -> None:
    assert escaped(f"a{character}") == "a\ufffd"
