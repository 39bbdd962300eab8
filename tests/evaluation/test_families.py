"""That families of probes are what they say, and that the bundled model reads some of them."""

from __future__ import annotations

from itertools import chain

import pytest
from families import FAMILIES, measured, training_rows
from family_draw import words_of
from family_events import Row, answered, relations
from family_registry import Family, Item
from probe_words import names_of, nouns_of, verbs_of

from amparser.logic.cogs import logical_form_from_str
from amparser.logic.equivalence import equivalent
from amparser.notations.cogs import COGS
from amparser.parser import Parser

READ = [
    "questions, passive: recipient, stranded to, by",
    "out of clauses: recipient, stranded to",
    "relative clauses: of a passive's recipient, stranded to",
    "mixed: statement and question, depth 2",
]


def name_of(family: Family) -> str:
    return f"{family.theme}: {family.name}"


BY_NAME = {name_of(family): family for family in FAMILIES}
FORMS: dict[str, set[str]] = {}
for verb in chain.from_iterable(words_of().values()):
    forms = {verb.lemma, verb.past, verb.participle, verb.present}
    FORMS.setdefault(verb.lemma, set()).update(forms)


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser.load()


def rows_of(items: list[Item]) -> list[Row]:
    return list(chain.from_iterable(item.rows for item in items))


def test_families_have_names_of_their_own_and_enough_are_determined() -> None:
    assert len(BY_NAME) == len(FAMILIES)
    assert sum(family.determined for family in FAMILIES) >= 40


@pytest.mark.parametrize("family", FAMILIES, ids=name_of)
def test_a_question_with_its_answer_says_what_the_statement_says(family: Family) -> None:
    items = family.items(20, 7)
    assert len(items) == 20
    for item in items:
        if item.statement and item.question and item.answer:
            said = relations(item.statement.form)
            assert said == answered(item.question.form, item.answer), item.question.text
            assert said != relations(item.question.form)


@pytest.mark.parametrize("family", FAMILIES, ids=name_of)
def test_meanings_stand_at_their_words_and_have_graphs(family: Family) -> None:
    for row in rows_of(family.items(10, 8)):
        nouns, verbs = nouns_of(row.form), verbs_of(row.form)
        for position, lemma in nouns:
            assert row.tokens[position] == lemma
        for verb in verbs:
            assert row.tokens[verb.position] in FORMS[verb.lemma]
        words = [lemma for _, lemma in nouns] + [v.lemma for v in verbs] + names_of(row.form)
        assert len(words) == len(set(words)), row.text
        back = COGS.write(COGS.graph(row.tokens, str(row.form)))
        assert equivalent(logical_form_from_str(back), row.form)


def test_training_rows_are_none_of_the_rows_that_are_counted() -> None:
    undetermined = [family for family in FAMILIES if not family.determined]
    lines = training_rows(undetermined, 10)
    themes = {family.theme for family in undetermined}
    assert len(lines) == 10 * len(themes)
    counted = {row.text for family in undetermined for row in rows_of(family.items(100, 1))}
    assert not counted & {line.split("\t")[0] for line in lines}


@pytest.mark.parametrize("name", READ)
def test_families_are_read_and_questions_agree(name: str, parser: Parser) -> None:
    family = BY_NAME[name]
    counts = measured(parser, family, family.items(10, 3))
    assert counts.wrong == []
    assert counts.agree == counts.pairs
