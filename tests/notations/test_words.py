"""Meanings as sequences of words, and equality of meanings with different texts."""

from pathlib import Path

import pytest

from amparser.corpora.reading import read_examples
from amparser.errors import InputError, LogicError
from amparser.notations.notation import without_layout
from amparser.notations.registry import NOTATIONS, family_of

FILES = {
    "cogs": ("slog/cogs_lf/train.tsv.gz", "slog/cogs_lf/gen_sample.tsv.gz", "cogs/train.tsv.gz"),
    "varfree": ("slog/varfree_lf/train.tsv.gz", "slog/varfree_lf/gen_sample.tsv.gz"),
    "fol": ("sygns/depth/train.fol.tsv.gz", "sygns/depth/test_d4_sample.fol.tsv.gz"),
    "clf": ("sygns/depth/train.clf.tsv.gz", "sygns/depth/test_d4_sample.clf.tsv.gz"),
    "vf": ("sygns/depth/train.vf.tsv.gz", "sygns/depth/test_d4_sample.vf.tsv.gz"),
}


@pytest.mark.parametrize("name", FILES)
def test_published_rows_are_joined_from_their_words_and_equal_themselves(
    name: str, data_dir: Path
) -> None:
    notation = NOTATIONS[name]
    for file in FILES[name]:
        for example in read_examples(data_dir / file)[::29]:
            text = example.meaning
            assert text is not None
            words = notation.split(text)
            assert notation.join(words) == text
            assert notation.equality(example.tokens, text, text) == (True, True)
            assert notation.equality(example.tokens, text, None) == (False, False)
            assert notation.join(words[:-1]) != text


TEXTS = {
    "term": [
        "answer(city(loc_2(stateid('new york', _))), size = 3)",
        "answer(city(loc_2(stateid('new york',_))),size=3)",
        "answer(city(loc_2(stateid('new york', _))), size=3)",
        "answer(city(loc_2(stateid('new york',_))),size = 3)",
        "answer ( city ( loc_2 ( stateid ( 'new york' , _ ) ) ) , size = 3 )",
    ],
    "sexpr": [
        '(answer (city (loc_2 (stateid "new york" _))) \'x ((f)))',
        '( answer ( city ( loc_2 ( stateid "new york" _ ) ) ) \'x ( ( f ) ) )',
    ],
    "json": ['{"a": [1, "b c"], "d": {}}', '{"a":[1,"b c"],"d":{}}'],
    "penman": [
        "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
        "(b / boy :ARG0-of (w / want-01 :ARG1 (g / go-02 :ARG0 b)))",
        '(p / person :name (n / name :op1 "New" :op2 "York \\"C\\"") :quant 3 :age -2.5)',
        "(g / go-02 :mode imperative :polarity - :polite + :ARG0 (y / you))",
        # Roles that end in `-of` but are not inverse.
        "(r / ring :consist-of (g / gold) :prep-on-behalf-of (h / he))",
        "(p / person :ARG0-of (h / have-03 :ARG1 (b / book)) :mod (t / tall))",
        "(b / boy :ARG0-of (b2 / buy-01 :ARG1 (b3 / book) :ARG2 b) :mod (x / 3))",
        "(x / 's :mod (x2 / 3) :op1 3 :li a)",
        "(h / hello)",
        "(t / thing :quant-of 3)",
    ],
}


@pytest.mark.parametrize(("name", "text"), [(n, text) for n in TEXTS for text in TEXTS[n]])
def test_texts_round_trip_with_and_without_layout(name: str, text: str) -> None:
    notation = NOTATIONS[name].styled(NOTATIONS[name].style_of([text]))
    graph = notation.graph((), text)
    assert notation.write(graph) == notation.write(without_layout(graph)) == text
    assert notation.join(notation.split(text)) == text
    assert not notation.needs_alignment
    for same in TEXTS[name] if name != "penman" else ():
        assert notation.write(notation.graph((), same)) == same
        assert notation.write(without_layout(notation.graph((), same))) == text
        assert notation.equality((), text, same) == (True, True)


@pytest.mark.parametrize(("name", "text"), [(n, t) for n in ("term", "sexpr") for t in TEXTS[n]])
def test_the_most_frequent_style_is_chosen(name: str, text: str) -> None:
    notation = NOTATIONS[name]
    other = TEXTS[name][TEXTS[name].index(text) - 1]
    style = notation.style_of([other, text, "malformed ) (", text])
    assert notation.styled(style).write(without_layout(notation.graph((), other))) == text


CLAUSES = "b1 REF x1 [SEP] b1 dog x1 [SEP] b1 run x1"
FORMULA = "exists x1.(dog(x1) & run(x1))"
EQUALITY: dict[str, list[tuple[str, str | None, int, int]]] = {
    "varfree": [
        ("see ( agent = A , theme = b )", "see ( theme = b , agent = A )", 1, 1),
        ("see ( agent = A , theme = b )", "see ( agent = A , theme = * b )", 0, 0),
        ("see ( agent = A , theme = b )", "see ( agent = A , theme = b", 0, 0),
    ],
    "cogs": [("cat ( x _ 1 ) AND run . agent ( x _ 2 , x _ 1 )", "junk", 0, 0)],
    "fol": [
        (FORMULA, FORMULA, 1, 1),
        (FORMULA, "exists x9.(dog(x9) & run(x9))", 1, 1),
        (FORMULA, "exists x9.(run(x9) & dog(x9))", 0, 1),
        (FORMULA, "exists x9.(run(x9) & cat(x9))", 0, 0),
        (FORMULA, "exists x9.dog(x9)", 0, 0),
        (FORMULA, "exists x9.(run(x9) & ", 0, 0),
        (FORMULA, None, 0, 0),
    ],
    "clf": [
        (CLAUSES, "b2 run x3 [SEP] b2 REF x3 [SEP] b2 dog x3", 1, 1),
        (CLAUSES, CLAUSES.replace("run", "walk"), 0, 0),
        (CLAUSES, "b2 run x3 [SEP] b2 REF x3", 0, 0),
    ],
    "drs": [("([x],[run(x)])", "([y],[run(y)])", 1, 1)],
    "vf": [
        ("EXIST CAT RUN", "EXIST CAT RUN", 1, 1),
        ("EXIST AND DOG OLD RUN", "EXIST AND OLD DOG RUN", 0, 1),
        ("EXIST DOG RUN", "ALL DOG RUN", 0, 0),
    ],
    "term": [
        ("f(a, k = b, l = c)", "f(a,l=c,k=b)", 0, 1),
        ("f(a, k = b)", "f(k = b, a)", 0, 1),
        ("f(a, b)", "f(b, a)", 0, 0),
        ("f(a)", "f('a')", 0, 0),
        ("f(a)", "f(a", 0, 0),
        ("f(a)", None, 0, 0),
        ("f()", "f", 0, 0),
    ],
    "penman": [
        ("(b / boy :ARG0-of (g / go-02))", "(x / boy :ARG0-of-of-of (y / go-02))", 1, 1),
        ("(a / and :op1 (b / x) :op2 (c / y))", "(a / and :op2 (b / y) :op1 (c / x))", 1, 1),
        ("(w / w :A (g / g :B b) :C (b / b))", "(w / w :A (g / g :B (b / b)) :C b)", 1, 1),
        ("(g / go :quant 3)", "(g / go :quant (x / 3))", 0, 0),
        ("(g / go :mode imperative)", "(g / go :mode (i / imperative))", 0, 0),
        ("(g / go :mode imperative)", '(g / go :mode "imperative")', 0, 0),
        ("(g / go :ARG0 (b / boy))", "(g / go :ARG0-of (b / boy))", 0, 0),
        ("(g / go :ARG0 (b / boy))", "(b / boy :ARG0-of (g / go))", 0, 0),
        ("(r / ring :consist-of (g / gold))", "(r / ring :consist-of-of (g / gold))", 0, 0),
        ("(g / go)", "(g / go", 0, 0),
    ],
}


@pytest.mark.parametrize(
    ("name", "gold", "predicted", "reformatted", "graph"),
    [(name, *row) for name, table in EQUALITY.items() for row in table],
)
def test_equality_of_texts_and_of_graphs(
    name: str, gold: str, predicted: str | None, reformatted: int, graph: int
) -> None:
    found = NOTATIONS[name].equality(["A", "saw", "a", "b", "."], gold, predicted)
    assert found == (reformatted, graph)


def test_notations_of_a_family_write_the_same_graphs() -> None:
    assert family_of("varfree") == ("varfree", "cogs")
    assert set(family_of("fol")) == {"fol", "vf", "clf", "drs"}


def test_an_unknown_notation_and_a_malformed_meaning_are_named() -> None:
    with pytest.raises(InputError, match="unknown notation 'amr', expected one of cogs, varfree"):
        NOTATIONS["amr"]
    with pytest.raises(LogicError):
        NOTATIONS["cogs"].read("run ( agent = A )")
    assert not NOTATIONS["cogs"].is_readable("run ( agent = A )")
