"""Laws that hold on public corpora of other people; `AMPARSER_PUBLIC` says where they are."""

import os
from pathlib import Path

import public
import pytest

from amparser.corpora.tokens import tokenize
from amparser.errors import AMParserError
from amparser.graph.sgraph import SGraph
from amparser.lexicon.local_shapes import local_shapes
from amparser.notations.notation import without_layout
from amparser.notations.registry import NOTATIONS

PUBLIC = Path(os.environ.get("AMPARSER_PUBLIC", ""))
CORPORA = {
    **dict.fromkeys(("jobs-funql", "nlmaps-en", "geo-de"), "term"),
    **dict.fromkeys(("overnight-calendar", "overnight-blocks", "okapi-length-email"), "sexpr"),
    **dict.fromkeys(("ha-en", "ha-de", "snips-2"), "json"),
}
MOST = 500
pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(
        not os.environ.get("AMPARSER_PUBLIC"), reason="AMPARSER_PUBLIC names no public corpora"
    ),
]
Rows = list[tuple[tuple[str, ...], str]]


def rows_of(name: str) -> Rows:
    path = PUBLIC / name / "train.tsv.gz"
    if not path.exists():
        pytest.skip(f"{path} is absent")
    rows = [(tuple(tokenize(text)), meaning) for text, meaning in public.rows_of(path)][:MOST]
    readable = NOTATIONS[CORPORA[name]].is_readable
    return [row for row in rows if readable(row[1])]


def graphs(name: str, known: Rows, rows: Rows) -> list[SGraph]:
    notation = NOTATIONS[CORPORA[name]].for_corpus(known)
    return [notation.plain(without_layout(notation.graph(*row))) for row in rows]


@pytest.mark.parametrize("name", CORPORA)
def test_held_out_meanings_have_local_shapes_of_train(name) -> None:
    rows = rows_of(name)
    held = {tokens for tokens, _ in rows[::5]}
    learned = [row for row in rows if row[0] not in held]
    asked = [row for row in rows if row[0] in held]
    shapes = local_shapes(graphs(name, learned, learned))
    problems = [shapes.problem(graph) for graph in graphs(name, learned, asked)]
    # A label that train lacks is in no answer anyway.
    wrong = [one for one in problems if one and not one.endswith("is not a label in train")]
    assert len(wrong) <= 0.005 * len(problems), wrong


@pytest.mark.parametrize("name", CORPORA)
def test_chains_are_written_as_they_were_read(name) -> None:
    rows = rows_of(name)
    plain = NOTATIONS[CORPORA[name]]
    notation = plain.for_corpus(rows)
    writer = plain.styled(plain.style_of(text for _, text in rows), plain.order_of(rows))
    lost = 0
    for tokens, text in rows:
        try:
            again = writer.write(without_layout(notation.graph(tokens, text)))
        except AMParserError:
            lost += 1
            continue
        lost += sorted(again.split()) != sorted(text.split()) and sorted(again) != sorted(text)
    assert lost <= (0.4 if name == "snips-2" else 0.1) * len(rows)
