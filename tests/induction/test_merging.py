"""Symbols by description length: what is merged, and that nothing is lost."""

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from amparser.algebra.expand import expand
from amparser.graph.sgraph import isomorphic
from amparser.induction.derivations import AlignedGraph, derive
from amparser.induction.merging import Merging, with_symbols
from amparser.induction.spanning import Tree, spanning_tree
from amparser.induction.symbols import Symbols
from amparser.induction.words import Words
from amparser.logic.term import Term, term_to_str
from amparser.notations.term import TERM


def tree_of(text: str) -> Tree:
    return spanning_tree(TERM.graph((), text))[0]


def parts(tree: Tree, shapes: dict[str, tuple[tuple[tuple[str, ...], str], ...]]) -> list[str]:
    whole = [shapes.get(label, (((), label),)) for label in tree.labels]
    return [" ".join(label for _, label in shape) for shape in whole]


def merged(
    trees: Sequence[Tree],
    words: Sequence[Sequence[str]],
    spelled: Sequence[Sequence[int]] = (),
    others: Words | None = None,
) -> tuple[list[Tree], Symbols]:
    none = [()] * len(trees)
    merging = Merging(trees, Words(words), none, spelled or none, others)
    while (pair := merging.best() or (merging.implied() if others else None)) is not None:
        merging.merge(pair)
    return merging.trees()


TERMS = st.recursive(
    st.sampled_from("abc").map(Term),
    lambda below: st.builds(
        Term, st.sampled_from("fgh"), st.lists(below, min_size=1, max_size=3).map(tuple)
    ),
    max_leaves=8,
)


@given(st.lists(TERMS, min_size=3, max_size=12))
def test_merging_shortens_the_description_and_keeps_each_label(terms) -> None:
    trees = [tree_of(term_to_str(term)) for term in terms]
    none = [()] * len(trees)
    merging = Merging(trees, Words([["x"]] * len(trees)), none, none)
    bits = merging.bits()
    while (pair := merging.best()) is not None:
        merging.merge(pair)
        assert merging.bits() < bits
        bits = merging.bits()
    found, symbols = merging.trees()
    for old, new in zip(trees, found, strict=True):
        labels = " ".join(parts(new, symbols.shapes)).split()
        assert sorted(labels) == sorted(old.labels)
        assert all(parent < node for node, parent in enumerate(new.parents))


COLOURS = ["red", "blue", "green", "grey"]
NESTED = [
    (f"{verb} the {colour} one".split(), f"top({verb}(pair(key, is(value({colour})))))")
    for verb in ("take", "drop", "hold")
    for colour in COLOURS
] * 9


def test_structure_that_no_word_announces_joins_what_one_announces() -> None:
    trees = [tree_of(text) for _, text in NESTED]
    none = [()] * len(trees)
    found, symbols = with_symbols(trees, Words([words for words, _ in NESTED]), none, none)
    for tree, (words, _) in zip(found, NESTED, strict=True):
        named = [
            sum(word in part.split() for word in words) for part in parts(tree, symbols.shapes)
        ]
        assert sorted(named, reverse=True)[:2] == [1, 1]
        assert len(named) <= 3


def test_derivations_over_symbols_denote_the_same_graphs() -> None:
    corpus = [AlignedGraph(tuple(words), TERM.graph((), text)) for words, text in NESTED]
    induced = derive(corpus)
    assert max(len(one.labels) for one in induced.inventory.fragments) > 3
    for example, derivation in zip(corpus, induced.derivations, strict=True):
        whole = induced.inventory.decode(derivation)
        assert isomorphic(expand(whole, wrapper=induced.inventory.wrapper), example.graph)
        assert all(
            "\x1e" not in (label or "") for one in whole.fragments if one for label in one.labels
        )


@pytest.mark.parametrize("is_spelled", [True, False])
def test_leaves_that_sentences_spell_stay_open(is_spelled) -> None:
    names = ["oslo"] * 8 + ["rome", "lima"]
    trees = [tree_of(f"top(of('city', '{name}'))") for name in names]
    spelled = [[3] if is_spelled else [] for _ in names]
    found, _ = merged(trees, [["in", name] for name in names], spelled)
    alone = any("'oslo'" in tree.labels for tree in found)
    assert alone is is_spelled


def test_a_literal_alone_is_a_lexical_label() -> None:
    names = ["oslo"] * 8 + ["rome", "lima"]
    trees = [tree_of(f"top(of('{name}'))") for name in names]
    found, _ = merged(trees, [["in", name] for name in names])
    assert all("'oslo'" in tree.labels for tree in found[:8])


def test_a_leaf_that_no_word_says_stays_a_default_where_larger_parts_stand() -> None:
    rows = [("big jars", "big(jar(every))")] * 9 + [("big jars in bags", "big(jar(in(bag)))")] * 5
    trees = [tree_of(text) for _, text in rows]
    found, _ = merged(trees, [said.split() for said, _ in rows])
    assert all("every" in tree.labels for tree in found[:9])


def test_two_fragments_with_words_of_their_own_stay_apart() -> None:
    rows = [
        (f"{noun} {place}".split(), f"top({noun}({place}))")
        for noun in ("jar", "lid")
        for place in ("here", "there")
        for _ in range(40 if (noun, place) == ("jar", "here") else 20)
    ]
    trees = [tree_of(text) for _, text in rows]
    for words, are_joined in (([words for words, _ in rows], False), ([["so"]] * len(rows), True)):
        shapes = merged(trees, words)[1].shapes.values()
        joined = [shape for shape in shapes if {"jar", "here"} <= {label for _, label in shape}]
        assert bool(joined) is are_joined


def test_where_words_name_most_nodes_trees_stay_as_they_are() -> None:
    rows = [(f"{a} {b}".split(), f"{a}({b}({a}))") for a in "pqrs" for b in "tuvw"] * 3
    trees, none = [tree_of(text) for _, text in rows], [()] * len(rows)
    found, symbols = with_symbols(trees, Words([words for words, _ in rows]), none, none)
    assert found == trees
    assert symbols.shapes == {}


COUNTRY = {"Oslo": "no", "Bergen": "no", "Rome": "it", "Lima": "pe", "Quito": ""}


def chain(city: str, then: str) -> Tree:
    labels = ["top", "area", "name", f"'{city}'", *(["in", then] if then else []), "()"]
    places = ["arg0", "arg*", "arg0", *(["&", "arg0"] if then else []), "&"]
    parents = [0, 1, 2, *([2, 4] if then else []), 4 if then else 2]
    return Tree(tuple(labels), (-1, *parents), ("", *places), tuple(range(len(labels))))


KINDS = ["highest max height", "longest max length", "lowest min height", "shortest min length"]
SUPERLATIVES = [
    (f"the {word} {place} in {where}".split(), f"{most}({place}(in({where})), {what})")
    for word, most, what in map(str.split, KINDS)
    for place in ("peak", "lake", "road")
    for where in COLOURS
] * 2


@pytest.mark.parametrize("has_own_word", [False, True])
def test_fragments_with_one_word_for_both_are_one(has_own_word) -> None:
    words = [
        [*sentence, text.removesuffix(")").split()[-1]] if has_own_word else sentence
        for sentence, text in SUPERLATIVES
    ]
    trees = [tree_of(text) for _, text in SUPERLATIVES]
    found, symbols = with_symbols(trees, Words(words), [()] * len(trees), [()] * len(trees))
    whole = {part for tree in found for part in parts(tree, symbols.shapes)}
    pairs = {f"{most} {what}" for most in ("max", "min") for what in ("height", "length")}
    assert pairs & whole == (set() if has_own_word else pairs)


@pytest.mark.parametrize("is_said", [True, False])
def test_what_a_name_implies_joins_its_fragment(is_said) -> None:
    rows = [
        (city, country if not is_said or count % 2 else "")
        for count in range(12)
        for city, country in COUNTRY.items()
    ]
    words = [["bars", "in", city, *([country] if is_said else [])] for city, country in rows]
    others = [[word for word in sentence if word not in COUNTRY] for sentence in words]
    trees = [chain(*row) for row in rows]
    found, symbols = merged(trees, words, [[3]] * len(rows), Words(others))
    shapes = [part.split() for tree in found for part in parts(tree, symbols.shapes)]
    assert any({"name", "no"} <= set(shape) for shape in shapes) is not is_said


def test_an_item_joins_the_next_one_if_it_nearly_always_precedes_it() -> None:
    rows = [
        ("mosque", "muslim worship"),
        ("church", "christian worship"),
        ("bar smoke", "bar smoke"),
        ("bar music", "bar music"),
        ("bar", "bar"),
    ] * 12
    trees = []
    for _, items in rows:
        labels = ("top", *items.split(), "()")
        places = ("", "arg*", *["&"] * (len(labels) - 2))
        trees.append(
            Tree(labels, tuple(range(-1, len(labels) - 1)), places, tuple(range(len(labels))))
        )
    words = [said.split() for said, _ in rows]
    found, symbols = merged(trees, words, others=Words(words))
    shapes = {part for tree in found for part in parts(tree, symbols.shapes)}
    assert {"muslim worship", "christian worship"} <= shapes
    assert not any({"bar", "smoke"} <= set(shape.split()) for shape in shapes)


def test_a_sentence_without_other_words_is_counted() -> None:
    """All its words may spell values."""
    assert Words([["a"], []]).expressing([[0], [1]]).shape == (2, 2)
