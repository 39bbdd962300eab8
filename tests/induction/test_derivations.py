from functools import cache
from random import Random

import pytest
from toy_terms import questions

from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.induction.augmentation.by_classes import ClassAugmentation
from amparser.induction.derivations import AlignedGraph, Induced, derive
from amparser.induction.selectional_classes import induce_classes, tag_tree
from amparser.induction.spanning import spanning_tree
from amparser.lexicon.encoded import Encoded
from amparser.notations.term import TERM

CORPUS = questions(80)
ALIGNED = [example for example, _ in CORPUS]
BARE = [AlignedGraph(e.tokens, e.graph) for e in ALIGNED]


@pytest.mark.parametrize("corpus", [ALIGNED, BARE], ids=["aligned", "bare"])
def test_pieces_wrapper_defaults_and_copied_names(corpus) -> None:
    inventory = derive(corpus).inventory
    assert inventory.contraction.wrapper == (("ask", "arg0"),)
    texts = {fragment.to_text() for fragment in inventory.fragments}
    assert "roomid(arg0 --LEX--, arg1 _)" in texts or "roomid(arg0 --LEX--, arg1 [_])" in texts
    assert {"jar(arg0 [every])", "lid(arg0 [every])"} <= texts
    assert inventory.labels.label("roomid", ["Far", "Cellar"]) == "'far cellar'"


def texts_of(rows: list[tuple[str, str]]) -> set[str]:
    corpus = [AlignedGraph(tuple(said.split()), TERM.graph((), text)) for said, text in rows]
    return {fragment.to_text() for fragment in derive(corpus).inventory.fragments}


def test_rare_names_without_quotes_are_copied() -> None:
    rows = [(f"open {a}{b}", f"open({a}{b})") for a in "bdgklm" for b in "ao"]
    switches = [(f"switch {to}", f"switch({to})") for to in ("on", "off") * 5]
    assert texts_of([*rows, *switches]) == {"open(arg0 --LEX--)", "switch(arg0 [H0])", "on", "off"}


def test_a_minus_that_no_number_says_is_part_of_the_constant() -> None:
    rows = [(f"lower by {n}", f"step(-{n})") for n in (5, 20, 35)]
    rows += [(f"raise by {n}", f"step({n})") for n in (5, 20, 60)]
    rows += [("stop", "stop(all)")] * 3
    assert {"step(arg0 ---LEX--)", "step(arg0 --LEX--)"} <= texts_of(rows)
    assert "step(arg0 ---LEX--)" not in texts_of([("cool to -5", "step(-5)"), *rows[3:]])


def test_names_with_endings_are_anchors() -> None:
    def inflected(tokens: tuple[str, ...]) -> tuple[str, ...]:
        names = [token[:1].isupper() and i > 0 for i, token in enumerate(tokens)]
        last = [name and not names[i + 1] for i, name in enumerate(names[:-1])]
        return tuple(
            f"{token}ta" if ends and tokens.index("in") < i else token
            for i, (token, ends) in enumerate(zip(tokens, [*last, False], strict=True))
            if token != "in"
        )

    bare = [e for e in BARE if "in" in e.tokens]
    corpus = [AlignedGraph(inflected(e.tokens), e.graph) for e in bare]
    induced = derive(corpus)
    assert induced.inventory.labels.rule.losses == (("", "ta", ""),)
    assert induced.inventory.labels.looked_up == 0
    for derivation in induced.derivations:
        for token, label in enumerate(derivation.labels):
            if label is not None:
                words = " ".join(derivation.words(token)).lower()
                assert label in (f"'{words}'", f"'{words.removesuffix('ta')}'")


def test_induced_anchors_agree_with_given_ones() -> None:
    induced = derive(BARE)
    right = total = 0
    for derivation, example in zip(induced.derivations, ALIGNED, strict=True):
        for token, tag in enumerate(derivation.tags):
            if tag < 2:
                continue
            top = induced.inventory.fragments[tag - 2].labels[0]
            labels = [example.graph.nodes[n].label for n in example.alignment[token]]
            total += 1
            right += top in labels or derivation.labels[token] in labels
    assert right > 0.95 * total


def test_a_word_that_an_alignment_has_for_the_wrapper_may_be_an_anchor() -> None:
    def question(words: str, text: str, *alignment: tuple[int, ...]) -> AlignedGraph:
        return AlignedGraph(tuple(words.split()), TERM.graph((), text), alignment)

    names = ["peru", "chad", "iran", "oman"]
    corpus = [
        question(f"{w} streams {v} through {x}", f"ask(stream(into(placeid('{x}'))))", *groups)
        for x in names
        for w in ("which", "what")
        for v in ("flow", "run", "go", "pass")
        for groups in [((1,), (1,), (2,), (2,), (4,))]
    ]
    corpus += [
        question(
            f"{w} much does {x} hold", f"ask({n}(placeid('{x}')))", (1,), (1,), (1,), (3,), (1,)
        )
        for x in names
        for w, n in (("how", "volume"), ("so", "load"), ("as", "price"), ("too", "size"))
    ]
    given = (0,), (1,), (1,), (2,), (4,), (2,)
    rare = [
        question(f"through which lands does {x} {v}", f"ask(land(past(placeid('{x}'))))", *given)
        for x, v in zip(names, ("flow", "run", "go", "pass"), strict=True)
    ]
    induced = derive([*corpus, *rare])
    for derivation in induced.derivations[-4:]:
        words = [w for w, tag in zip(derivation.tokens, derivation.tags, strict=True) if tag >= 2]
        assert words == ["through", "lands", derivation.tokens[4]]


def test_an_anchor_is_spelled_as_its_constant_where_words_alone_do_not_tell() -> None:
    words = ["greatest", "greatest", "biggest", "highest"]
    corpus = [
        AlignedGraph(
            ("what", noun, "has", "the", word, size),
            TERM.graph((), f"ask(greatest_one({size}({noun}(every))))"),
            ((0,), (3, 4), (1,), (1,), (1,), (2,)),
        )
        for noun in ("lake", "town", "hill")
        for size in ("price", "load")
        for word in words
    ]
    corpus += [
        AlignedGraph(
            ("what", noun, "is", "the", word),
            TERM.graph((), f"ask({constant}({noun}(every)))"),
            ((0,), (2, 3), (0,), (0,), (1,)),
        )
        for noun in ("lake", "town", "hill")
        for word, constant in (("biggest", "big"), ("highest", "high"), ("greatest", "great"))
    ]
    induced = derive(corpus)
    [tag] = [
        tag
        for tag, fragment in enumerate(induced.inventory.fragments, 2)
        if fragment.labels[0] == "greatest_one"
    ]
    anchors = {
        token
        for derivation in induced.derivations
        if derivation is not None
        for token, other in zip(derivation.tokens, derivation.tags, strict=True)
        if other == tag
    }
    assert anchors == {*words}


def test_a_piece_joins_nodes_that_share_one_token() -> None:
    text = "ask(largest(size(jar(every))))"
    example = AlignedGraph(("biggest", "jars"), TERM.graph((), text), ((1, 2), (3, 4)))
    induced = derive([*ALIGNED, example])
    texts = {fragment.to_text() for fragment in induced.inventory.fragments}
    assert texts & {"largest(arg0 size(arg0 [every]))", "largest(arg0 size(arg0 [H0]))"}
    derivation = induced.derivations[-1]
    assert TERM.write(induced.inventory.graph(induced.inventory.decode(derivation))) == text


def test_edges_that_no_tree_has_are_cut_and_listed() -> None:
    graph = SGraph(
        {0: Node("want"), 1: Node("go"), 2: Node("dog")},
        (Edge(0, "agent", 2), Edge(0, "theme", 1), Edge(1, "agent", 2)),
        0,
    )
    tree, cut = spanning_tree(graph)
    assert cut == (Edge(1, "agent", 2),)
    assert [tree.labels[i] for i in range(3)] == ["want", "dog", "go"]
    tree, cut = spanning_tree(SGraph(graph.nodes, (Edge(1, "agent", 2), Edge(1, "x", 0)), 0))
    assert not cut
    assert tree.places == ("", "<-x", "agent")


@cache
def classified() -> tuple[Induced, list[Encoded], list[int]]:
    induced = derive(ALIGNED)
    derivations = [d for d in induced.derivations if d is not None]
    tag_count = 2 + len(induced.inventory.fragments)
    return induced, derivations, induce_classes([tag_tree(d) for d in derivations], tag_count)


def test_recombined_derivations_are_derivations() -> None:
    induced, derivations, classes = classified()
    pool = ClassAugmentation(derivations, classes)
    random = Random(0)
    fresh = [pool.draw(random) for _ in range(200)]
    words = {token.lower() for d in derivations for token in d.tokens}
    for derivation in fresh:
        text = TERM.write(induced.inventory.graph(induced.inventory.decode(derivation)))
        assert text.startswith("ask(")
        assert {token.lower() for token in derivation.tokens} <= words
        assert all(o == -1 or derivation.tags[o] >= 2 for o in derivation.owners)
    known = {d.tokens for d in derivations}
    assert sum(d.tokens not in known for d in fresh) > 50


def test_constituents_of_one_kind_take_each_others_places() -> None:
    induced, derivations, _ = classified()
    tag_count = 2 + len(induced.inventory.fragments)

    def heads_below(kinds: list[int]) -> set[tuple[int, int]]:
        pool = ClassAugmentation(derivations, kinds)
        random = Random(0)
        drawn = [pool.draw(random) for _ in range(300)]
        return {
            (d.tags[head], tag)
            for d in drawn
            for tag, head in zip(d.tags, d.heads, strict=True)
            if head >= 0
        }

    apart = heads_below(list(range(tag_count)))
    assert apart == {
        (d.tags[head], tag)
        for d in derivations
        for tag, head in zip(d.tags, d.heads, strict=True)
        if head >= 0
    }
    assert heads_below([0] * tag_count) > apart


def test_what_follows_belongs_to_the_nearest_that_it_can_belong_to() -> None:
    lid, key, beside, heaviest, count = range(2, 7)

    def derivation(words: str, tags: tuple[int, ...], heads: tuple[int, ...]) -> Encoded:
        n = len(tags)
        ports = tuple(-1 if head < 0 else 0 for head in heads)
        return Encoded(
            tuple(words.split()), tags, (0,) * n, heads, ports, (None,) * n, tuple(range(n))
        )

    derivations = [
        derivation("lid heaviest", (lid, heaviest), (1, -1)),
        derivation("key heaviest", (key, heaviest), (1, -1)),
        derivation("count key", (count, key), (-1, 0)),
        derivation("count lid beside key", (count, lid, beside, key), (-1, 0, 1, 2)),
    ]

    def drawn(kinds: list[int]) -> set[str]:
        pool = ClassAugmentation(derivations, kinds)
        random = Random(0)
        return {" ".join(pool.draw(random).tokens).lower() for _ in range(300)}

    said = drawn([0, 1, 2, 2, 4, 5, 6])
    assert "count lid beside lid" in said
    assert "lid beside key heaviest" in drawn(list(range(7))) - said
    assert not any(sentence.endswith("beside key heaviest") for sentence in said)


def test_words_that_begin_sentences_stay() -> None:
    _, derivations, classes = classified()
    pool = ClassAugmentation(derivations, classes)
    assert "which" in pool.initial_words
    random = Random(1)
    for _ in range(200):
        assert "which" not in [t.lower() for t in pool.draw(random).tokens[1:]]
