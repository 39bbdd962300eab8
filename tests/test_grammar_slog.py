"""The SLOG grammar against the published rows, with their meanings to the string."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from amparser.amtree.derived import constant, tree_of_derivation
from amparser.amtree.evaluate import evaluate, problems
from amparser.cli import app
from amparser.corpus import Example, iterate_examples
from amparser.errors import GrammarError, InputError
from amparser.grammar.library import Library, expanded, load_library
from amparser.grammar.reader import grammar_from_str, grammar_to_str
from amparser.logic.cogs import logical_form_to_str
from amparser.translate.cogs import logical_form_from_graph


@pytest.fixture(scope="module")
def slog() -> Library:
    return load_library("slog")


def meanings(library: Library, tokens: Sequence[str]) -> list[str]:
    """The logical form of each derivation of a sentence."""
    found = []
    for derivation in library.chart(tokens).derivations():
        tree, words = tree_of_derivation(derivation)
        assert words == library.words(tokens)
        assert problems(tree) == []
        found.append(logical_form_to_str(logical_form_from_graph(evaluate(tree))))
    return found


GOLDEN = [
    (
        "Who did Emma give a cake to ?",
        "question(asked_recipient(who, bare_recipient(name('Name Emma'), 'VDat_bare give', "
        "indefinite('N cake'), to)))",
        "give . agent ( x _ 3 , Emma ) AND give . theme ( x _ 3 , x _ 5 ) AND "
        "give . recipient ( x _ 3 , ? ) AND cake ( x _ 5 )",
    ),
    (
        "What did Ava hope that Noah liked ?",
        "question(asked_object(what, bare_clausal(name('Name Ava'), 'VCcomp_bare hope', that, "
        "gap(name('Name Noah'), 'VTrans_past liked'))))",
        "hope . agent ( x _ 3 , Ava ) AND hope . ccomp ( x _ 3 , x _ 6 ) AND "
        "like . agent ( x _ 6 , Noah ) AND like . theme ( x _ 6 , ? )",
    ),
    (
        "The cat wanted to run .",
        "statement(clause(definite(the, 'N cat'), control('VXcomp_past wanted', "
        "infinitive(to, 'VIntrans_bare run'))))",
        "* cat ( x _ 1 ) ; want . agent ( x _ 2 , x _ 1 ) AND want . xcomp ( x _ 2 , x _ 4 ) AND "
        "run . agent ( x _ 4 , x _ 1 )",
    ),
]


@pytest.mark.parametrize(("sentence", "derivation", "meaning"), GOLDEN)
def test_a_sentence_its_derivation_and_its_meaning(
    slog: Library, sentence: str, derivation: str, meaning: str
) -> None:
    tokens = sentence.split()
    [found] = slog.chart(tokens).derivations()
    assert str(found) == derivation.replace("'", "")
    assert meanings(slog, tokens) == [meaning]


def rows(path: Path, step: int) -> Iterator[Example]:
    for number, example in enumerate(iterate_examples(path)):
        if number % step == 0 and len(example.tokens) > 1:
            yield example


@pytest.mark.parametrize(
    ("name", "step"), [("train.tsv.gz", 20), ("dev.tsv.gz", 4), ("gen_sample.tsv.gz", 1)]
)
def test_published_rows_have_a_derivation_with_the_published_meaning(
    slog: Library, data_dir: Path, name: str, step: int
) -> None:
    count = unique = 0
    for example in rows(data_dir / "slog" / "cogs_lf" / name, step):
        found = meanings(slog, example.tokens)
        assert example.meaning in found, example.sentence
        count += 1
        unique += len(found) == 1
    assert count > 900
    assert unique / count > 0.99


def test_corrupted_sentences_are_rejected(slog: Library, data_dir: Path) -> None:
    grammar = slog.grammar
    words_of = {
        kind: {
            rule.terms["string"].label
            for rule in grammar.rules
            if not rule.children and rule.parent.startswith(kind)
        }
        for kind in ("V", "Name", "P")
    }
    count = 0
    for example in rows(data_dir / "slog" / "cogs_lf" / "dev.tsv.gz", 7):
        words = slog.words(example.tokens)
        verbs = [i for i, word in enumerate(words) if word in words_of["V"]]
        names = [i for i, word in enumerate(words) if word in words_of["Name"]]
        places = [i for i, word in enumerate(words) if word in words_of["P"]]
        corrupted = [words[:i] + words[i + 1 :] for i in verbs if len(verbs) == 1]
        corrupted += [(*words[:i], "the", *words[i:]) for i in names]
        corrupted += [words[: i + 1] + words[i + 3 :] for i in places]
        for wrong in corrupted:
            assert slog.chart(wrong).count() == 0, wrong
            count += 1
    assert count > 500


def test_the_expanded_grammar_is_plain(slog: Library) -> None:
    assert grammar_from_str(grammar_to_str(slog.grammar)) == slog.grammar


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("N\tcat\tcat\t1\nN\tdog", "toy.tsv:2: expected nonterminal, word, value and weight"),
        ("# words\nN\tcat\tcat\tmany", "toy.tsv:2: expected a positive weight, not 'many'"),
    ],
)
def test_a_malformed_table_is_refused_with_its_line(table: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        expanded("", table, "toy.tsv")


def test_an_unknown_grammar_is_named() -> None:
    with pytest.raises(InputError, match="no grammar 'klingon', expected one of slog"):
        load_library("klingon")


def test_the_command_prints_derivations_and_logical_forms() -> None:
    sentence, derivation, meaning = GOLDEN[0]
    runner = CliRunner()
    outcome = runner.invoke(app, ["grammar", "parse", "slog", sentence])
    assert outcome.exit_code == 0
    assert outcome.stdout == f"{derivation.replace(chr(39), '')}\t{meaning}\n\n"
    outcome = runner.invoke(app, ["grammar", "parse", "slog", sentence, "Emma cake."])
    assert outcome.exit_code == 1
    assert outcome.stdout.endswith("# no derivation: Emma cake.\n\n")
    outcome = runner.invoke(app, ["grammar", "parse", "slog", "Emma saw a wug."])
    assert outcome.stdout == "# no derivation: unknown words 'wug'\n\n"
    assert runner.invoke(app, ["grammar", "parse", "klingon", "nuqneH"]).exit_code == 2


def test_the_command_shows_a_grammar_that_can_be_read(slog: Library) -> None:
    outcome = CliRunner().invoke(app, ["grammar", "show", "slog"])
    assert outcome.exit_code == 0
    assert grammar_from_str(outcome.stdout) == slog.grammar


def test_a_constant_with_a_type_of_its_own() -> None:
    found = constant("(i1<root,C>) (C(L1()), L1())")
    assert (found.penman, str(found.lexical_type)) == ("(i1<root,C>)", "(C(L1()), L1())")
