"""Segmentation of running text into sentences."""

import sys
from collections.abc import Iterator

import pytest
from hypothesis import given, strategies as st
from toml_tables import tables

from amparser.corpora.sentences import pieces_of

TEXT = (
    'Mr. Lee met J. Smith at 5 p.m. on Monday. He said: "Stop!"\r\nShe\r\nleft (see p. 3).'
    "\n\nA title\n \nIt rose 3.5 % in the U.S. last year. Why?  Nobody knows…\n"
)
WANTED = tables(__file__)["wanted"]
ALPHABET = st.text(alphabet='aB1.?! \n\r\t"(é…😀\u2028', max_size=60)


@pytest.fixture(params=["library", "rules"], scope="module")
def abbreviations(request) -> Iterator[set[str]]:
    if request.param == "library":
        pytest.importorskip("sentencex")
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "rules":
            patch.setitem(sys.modules, "sentencex", None)
        yield {"mr.", "p."}


def test_sentences_are_found(abbreviations) -> None:
    assert [piece.line for piece in pieces_of(TEXT, abbreviations)] == WANTED


@given(text=ALPHABET)
def test_pieces_and_offsets_cover_the_text(abbreviations, text) -> None:
    end = 0
    for piece in pieces_of(text, abbreviations):
        assert not text[end : piece.start].strip()
        end = piece.start + len(piece.text)
        assert text[piece.start : end] == piece.text == piece.text.strip() != ""
        assert len(piece.line) == len(piece.text)
    assert not text[end:].strip()
