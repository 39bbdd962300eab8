"""The tokenizer of the English encoder."""

import importlib.util
from unicodedata import category, normalize

import pytest
from hypothesis import assume, given, strategies as st

from amparser.nn.english_encoder import ENGLISH
from amparser.nn.wordpieces import WordPieces

PIECES = list(ENGLISH.read()[1].numbers)

needs_transformers = pytest.mark.skipif(
    importlib.util.find_spec("transformers") is None,
    reason="transformers is not installed: pip install 'amparser[pretrained]'",
)


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cn"]), min_size=1, max_size=12)
ENGLISH_WORDS = st.sampled_from(["Untouchables", "can't", "naïve", "e-mail", "U.S.", "x" * 101])


@needs_transformers
@given(st.lists(WORDS | ENGLISH_WORDS, min_size=1, max_size=5))
def test_subwords_equal_the_library(tokens: list[str]) -> None:
    tokenizers = importlib.import_module("tokenizers")
    marks = [c for c in normalize("NFD", "".join(tokens)) if category(c) == "Mn"]
    # The library has an older table of accents, without those of some rare scripts.
    assume(not tokenizers.normalizers.StripAccents().normalize_str("".join(marks)))
    numbers = {piece: number for number, piece in enumerate(PIECES)}
    theirs = tokenizers.BertWordPieceTokenizer(numbers, lowercase=True)
    expected = theirs.encode(tokens, is_pretokenized=True)
    [found] = WordPieces(PIECES).encode_batch([tokens])
    assert found.ids == expected.ids
    firsts = [None, *expected.word_ids[:-1]]
    words = zip(expected.word_ids, firsts, strict=True)
    assert found.word_ids == [None if word == before else word for word, before in words]
