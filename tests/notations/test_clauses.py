"""Round trips of bracketed intents, flat clauses and Prolog goals."""

from amparser.corpora.formats import FORMATS
from amparser.corpora.reading import examples_of


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
