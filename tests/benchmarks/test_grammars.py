"""Grammars of the package, compared with the sentences and exact meanings of published rows."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import ok, run
from toml_tables import tables

from amparser.benchmarks import fragments
from amparser.corpora.example import Example
from amparser.corpora.reading import iterate_examples
from amparser.corpora.tokens import tokenize
from amparser.grammar.library import Library, load_library
from amparser.grammar.reader import grammar_from_str, grammar_to_str
from amparser.resources import package_data

TABLES = tables(__file__)

# Primitives published with two meanings: the verb takes an object or a clause.
TWICE = {"like", "notice", "respect", "admire", "value", "tolerate", "appreciate"}


@pytest.fixture(scope="module", params=["cogs", "slog"])
def library(request) -> Library:
    return load_library(request.param)


@pytest.fixture(scope="module")
def slog() -> Library:
    return load_library("slog")


def golden_rows(name: str) -> list[list[str]]:
    text = package_data(f"grammars/{name}.golden.tsv").read_text(encoding="utf-8")
    return [[name, *line.split("\t")] for line in text.splitlines()[1:]]


@pytest.mark.parametrize(
    ("name", "sentence", "derivation", "short", "meaning"),
    [row for name in ("slog", "cogs", "monotonicity") for row in golden_rows(name)],
)
def test_golden_derivations_and_their_values(name, sentence, derivation, short, meaning) -> None:
    library = load_library(name)
    tokens = tokenize(sentence)
    found = library.chart(tokens).right_branching()
    assert str(found) == derivation
    assert library.words(library.tokens(found)) == library.words(tokens)
    assert fragments.meaning_of(library, found) == meaning
    if name == "monotonicity":
        assert library.tokens(found) == tokens
        assert len([*library.chart(tokens).derivations()]) == 1
        assert str(fragments.vf(found)) == short
        return
    assert str(fragments.varfree(found)) == short


@pytest.mark.parametrize(("name", "sentences"), TABLES["outside"])
def test_sentences_outside_a_fragment_have_no_derivation(name, sentences) -> None:
    for sentence in sentences.split("|"):
        assert not [*load_library(name).chart(tokenize(sentence)).derivations()], sentence


def rows(path: Path, step: int) -> Iterator[Example]:
    for number, example in enumerate(iterate_examples(path)):
        if number % step == 0:
            yield example


@pytest.mark.parametrize(("name", "path", "step"), TABLES["published"])
def test_published_rows_have_one_derivation_with_the_published_meaning(
    data_dir, name, path, step
) -> None:
    library = load_library(name)
    counts: Counter[int] = Counter()
    for example in rows(data_dir / path, step):
        chart = library.chart(example.tokens)
        counts[len([*chart.derivations()])] += 1
        found = chart.right_branching()
        assert found is not None, example.sentence
        forms = [fragments.meaning_of(library, found)]
        if example.sentence in TWICE:
            forms = [fragments.meaning_of(library, d) for d in chart.derivations()]
        assert example.meaning in forms, example.sentence
    assert set(counts) <= {1, 2}
    assert counts[2] <= 0.006 * counts[1]


def test_grammars_round_trip_through_text(library) -> None:
    assert grammar_from_str(grammar_to_str(library.grammar)) == library.grammar


def test_grammar_parse_prints_derivations_and_logical_forms() -> None:
    _, sentence, derivation, _, meaning = golden_rows("slog")[0]
    parse = ("grammar", "parse", "slog")
    assert ok(*parse, sentence) == f"{derivation}\t{meaning}\n\n"
    outcome = run(*parse, sentence, "Emma cake.")
    assert outcome.exit_code == 1
    assert outcome.stdout.endswith("# no derivation: Emma cake.\n\n")
    unknown = run(*parse, "Emma saw a wug.").stdout
    assert unknown == "# no derivation: unknown words 'wug'\n\n"
    assert len(ok(*parse, "Emma was lent a cup that was seen by Ava.").splitlines()) == 3
    shown = ok("grammar", "parse", "monotonicity", "Few dogs ran.")
    assert "\t-exists x1.(few(x1) & dog(x1) & run(x1))" in shown


def test_grammar_show_prints_a_readable_grammar(slog) -> None:
    assert grammar_from_str(ok("grammar", "show", "slog")) == slog.grammar
