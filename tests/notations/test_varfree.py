"""Conversion between variable-free and COGS forms of a sentence gives the exact strings."""

from pathlib import Path

import pytest

from amparser.corpora.reading import read_examples
from amparser.errors import AMParserError, TranslateError
from amparser.logic.cogs import logical_form_from_str
from amparser.logic.varfree import varfree_from_str
from amparser.notations.registry import NOTATIONS
from amparser.notations.varfree import logical_form_from_varfree, varfree_from_logical_form

SPLITS = [("train", 10), ("dev", 1), ("test", 1), ("gen_sample", 1)]


def parallel(data_dir: Path, split: str, step: int) -> list[tuple[tuple[str, ...], str, str]]:
    """Return tokens, COGS form and variable-free form of every `step`-th row."""
    folder = data_dir / "slog"
    cogs = read_examples(folder / f"cogs_lf/{split}.tsv.gz")[::step]
    varfree = read_examples(folder / f"varfree_lf/{split}.tsv.gz")[::step]
    assert [e.tokens for e in cogs] == [e.tokens for e in varfree]
    return [(a.tokens, a.meaning, b.meaning) for a, b in zip(cogs, varfree, strict=True)]


@pytest.mark.parametrize(("split", "step"), SPLITS)
def test_published_rows_convert_both_ways(data_dir, split, step) -> None:
    for tokens, cogs, varfree in parallel(data_dir, split, step):
        form = logical_form_from_str(cogs)
        assert str(varfree_from_logical_form(form)) == varfree
        if not form.bound:
            assert str(logical_form_from_varfree(tokens, varfree_from_str(varfree))) == cogs


def test_a_primitive_verb_cannot_be_converted_back() -> None:
    form = logical_form_from_str("LAMBDA a . LAMBDA e . giggle . agent ( e , a )")
    term = varfree_from_logical_form(form)
    assert str(term) == "giggle"
    with pytest.raises(TranslateError, match="does not say which arguments"):
        logical_form_from_varfree(["giggle"], term)


def test_deep_forms_are_refused() -> None:
    chain = " AND ".join(f"say . ccomp ( x _ {n} , x _ {n + 1} )" for n in range(3000))
    form = logical_form_from_str(f"{chain} AND run . agent ( x _ 3000 , Emma )")
    with pytest.raises(TranslateError, match="too deep"):
        varfree_from_logical_form(form)


def test_a_node_that_the_root_does_not_reach_is_an_error() -> None:
    """The variable-free notation can only write descendants of the root."""
    tokens = ("The", "cat", "saw", "a", "dog", ".")
    text = "* cat ( x _ 1 ) ; see . theme ( x _ 2 , x _ 4 ) AND dog . nmod ( x _ 4 , x _ 1 )"
    with pytest.raises(AMParserError):
        NOTATIONS["varfree"].written(tokens, NOTATIONS["cogs"].graph(tokens, text))
