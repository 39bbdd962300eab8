"""Round trips of bracketed intents, flat clauses and Prolog goals."""

from typing import Any

import pytest

from amparser.corpora.formats import FORMATS
from amparser.corpora.reading import examples_of
from amparser.notations.registry import NOTATIONS

DECOUPLED = "[IN:REMIND [SL:PERSON me ] [SL:TODO [IN:CALL [SL:CONTACT my mom ] ] ] ]"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bracketed", DECOUPLED),
        ("bracketed", DECOUPLED.replace(" ]", "]")),
        ("bracketed", "[IN:STOP ]"),
        ("bracketed", '[IN:ADD [SL:ITEM 5" nails ] [SL:ITEM a \\ b ] [SL:NOTE ] ]'),
        ("clauses", 'GET event FILTER start lt "last Monday" TOP 3'),
        ("clauses", "SELECT * FROM t WHERE a = 3 AND b >= 'x y'"),
        ("clauses", "GET event (a (b c)) AND (NOT x) COUNT"),
        ("clauses", "GET event ( a ( b c ) )"),
        ("prolog", "answer(A,(capital(A),loc(A,B),const(B,stateid(texas))))"),
        ("prolog", "answer(A,(a:(b:A),\\+ (A=3)))"),
        ("prolog", "answer(A, largest(B, (state(A), population(A, B))))"),
        ("prolog", "answer(A, (job(A), \\+ (req(A, B), deg(B)), \\+old(A), (a(A);b(A))))"),
        ("prolog", "answer(A, (area(A, B), B>=3, C is 3, const(C, 'New York'), f(C, _, 3)))"),
    ],
)
def test_a_meaning_is_written_in_its_style(name: str, text: str) -> None:
    tokens = text.split()
    for notation in (NOTATIONS[name], NOTATIONS[name].for_corpus([(tokens, text)])):
        graph = notation.graph(tokens, text)
        assert notation.write(graph) == text
        style = notation.style_of([text])
        assert notation.styled(style).join(notation.split(text)) == text


@pytest.mark.parametrize(
    ("name", "gold", "answer", "same", "graph"),
    [
        (
            "bracketed",
            "[IN:REMIND tell [SL:PERSON me ] to [SL:TODO [IN:CALL call [SL:CONTACT my mom ] ] ] ]",
            DECOUPLED, True, True,
        ),
        ("bracketed", "[IN:A [SL:B x ] [SL:C y ] ]", "[IN:A [SL:C y ] [SL:B x ] ]", False, True),
        ("bracketed", "[IN:A [SL:B x ] ]", "[IN:A [SL:B y ] ]", False, False),
        ("clauses", "GET a (b)", "GET a ( b )", True, True),
        ("clauses", "GET a TOP b", "GET a b", False, False),
        ("prolog", "answer(X, (f(X), g(X, Y)))", "answer(A,(f(A),g(A,B)))", True, True),
        ("prolog", "answer(A, (f(A), g(A, B)))", "answer(A, (f(A), g(B, A)))", False, False),
    ],
)  # fmt: skip
def test_meanings_are_compared_by_value(
    name: str, gold: str, answer: str, same: bool, graph: bool
) -> None:
    assert NOTATIONS[name].equality((), gold, answer) == (same, graph)


@pytest.mark.parametrize(
    ("name", "text", "read"),
    [
        ("bracketed", "[IN:A x [SL:B y z ] [SL:B w ] ]", 'A(B = ["y z", "w"])'),
        ("clauses", "GET e FILTER (a = 3) COUNT", "[GET(e), FILTER([a, ==, 3]), COUNT]"),
        ("prolog", "answer(X,(f(X),g(X,Y),h(Y)))",
         "(answer $0 (∃ $1 (and (f $0) (g $0 $1) (h $1))))"),
        ("prolog", "f(X,g(X,Y))", "(f $0 (∃ $1 (g $0 $1)))"),
    ],
)  # fmt: skip
def test_a_text_is_read_as_a_tree(name: str, text: str, read: str) -> None:
    found: Any = NOTATIONS[name].read(text)
    assert str(found) == read


def test_prolog_facts_and_eds_blocks_are_rows() -> None:
    text = "% of Texas\nparse([what,is,'it''s',?], answer(A,(it(A),f(A)))).\n"
    [fact] = examples_of(FORMATS["prolog-facts"], enumerate(text.split("\n")[:-1], 1), "file")
    assert fact.tokens == ("what", "is", "it''s", "?")
    assert (fact.meaning, fact.line) == ("answer(A,(it(A),f(A)))", 2)
    text = "# ::snt Dogs bark.\n{e2:\n e2:_bark_v_1<5:10>[ARG1 x3]\n x3:_dog_n_1<0:4>[]\n}\n\n"
    [row] = examples_of(FORMATS["native-eds"], enumerate(text.split("\n")[:-1], 1), "file")
    assert (row.tokens, row.notation, row.line) == (("Dogs", "bark."), "eds", 1)
    again = FORMATS["native-eds"].write(row)
    assert again == f"# ::snt Dogs bark.\n{row.meaning}\n\n"
