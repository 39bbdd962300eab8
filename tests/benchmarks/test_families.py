"""Families of sentences are what they say, and the bundled model reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import pytest
from families import FAMILIES, Family, Item, measured, training_rows
from family_draw import words_of
from family_events import Row, answered, relations
from nonce_words import SPELLINGS

from amparser.corpora.reading import read_examples
from amparser.logic.cogs import Atom, LogicalForm, Name, Term, Variable, logical_form_from_str
from amparser.logic.equivalence import equivalent
from amparser.notations.cogs import COGS
from amparser.parser import Parser

BY_NAME = {f"{family.theme}: {family.name}": family for family in FAMILIES}
FORMS: dict[str, set[str]] = {}
for verb in chain.from_iterable(words_of().values()):
    forms = {verb.lemma, verb.past, verb.participle, verb.present}
    FORMS.setdefault(verb.lemma, set()).update(forms)

every_family = pytest.mark.parametrize("family", FAMILIES, ids=list(BY_NAME))


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser.load()


def rows_of(items: Iterable[Item]) -> list[Row]:
    return list(chain.from_iterable(item.rows for item in items))


def lemmas_of(form: LogicalForm) -> dict[Term, str]:
    """The lemma of each noun and verb."""
    return {atom.terms[0]: atom.predicate[0] for atom in (*form.definites, *form.atoms)}


def test_85_families_beyond_the_benchmark_have_names_of_their_own() -> None:
    assert len(BY_NAME) == len(FAMILIES)
    beyond = [f for f in FAMILIES if f.theme not in ("recursion", "unseen words")]
    assert (len(beyond), sum(family.determined for family in beyond)) == (85, 71)


@every_family
def test_a_question_with_its_answer_says_what_the_statement_says(family: Family) -> None:
    items = family.items(20, 7)
    assert len(items) == 20
    for item in items:
        if item.question and item.answer:
            said = relations(item.statement.form)
            assert said == answered(item.question.form, item.answer), item.question.text
            assert said != relations(item.question.form)


@every_family
def test_meanings_stand_at_their_words_and_have_graphs(family: Family) -> None:
    for row in rows_of(family.items(10, 8)):
        lemmas = lemmas_of(row.form)
        for term, lemma in lemmas.items():
            assert isinstance(term, Variable)
            token = row.tokens[term.position]
            if family.coined in SPELLINGS and lemma not in FORMS:
                assert token.startswith(lemma.removesuffix("e"))
            else:
                assert token in FORMS.get(lemma, {lemma})
        if family.theme != "recursion":
            assert len(set(lemmas.values())) == len(lemmas), row.text
        back = COGS.write(COGS.graph(row.tokens, str(row.form)))
        assert equivalent(logical_form_from_str(back), row.form)


@pytest.mark.parametrize("family", [f for f in FAMILIES if f.coined], ids=lambda f: f.coined)
def test_one_word_is_made_up(family: Family) -> None:
    known = {form.lower() for forms in FORMS.values() for form in forms}
    known |= {"a", "the", "to", "was", "by", "that", "in", "on", "beside", "."}
    for item in family.items(50, 1):
        words = [word.lower() for word in item.statement.tokens]
        assert len(set(words) - known) == 1, words


def test_training_rows_are_none_of_the_rows_that_are_counted() -> None:
    undetermined = [family for family in FAMILIES if not family.determined]
    lines = training_rows(undetermined, 10)
    assert len(lines) == 10 * len({family.theme for family in undetermined})
    counted = {row.text for family in undetermined for row in rows_of(family.items(100, 1))}
    assert not counted & {line.split("\t")[0] for line in lines}


def masked(tokens: tuple[str, ...], form: LogicalForm) -> tuple[str, str]:
    """A sentence and its meaning with words taken out, so that only structure is left.

    What stays of a verb are its roles, of a noun or name its kind.
    """
    roles: dict[int, list[str]] = {}
    for atom in (*form.definites, *form.atoms):
        if isinstance(event := atom.terms[0], Variable) and "nmod" not in atom.predicate:
            roles.setdefault(event.position, []).extend(atom.predicate[1:] or ["noun"])
    terms = (term for atom in form.atoms for term in atom.terms)
    names = {t.name: f"N{tokens.index(t.name)}" for t in terms if isinstance(t, Name)}

    def atoms(part: Iterable[Atom]) -> list[str]:
        return sorted(
            f"{('_', *a.predicate[1:])}{[names.get(str(t), str(t)) for t in a.terms]}" for a in part
        )

    sentence = (names.get(t, " ".join(roles.get(i, [t]))) for i, t in enumerate(tokens))
    return " ".join(sentence), f"{atoms(form.definites)} {atoms(form.atoms)}"


def test_families_have_the_structure_of_published_rows(data_dir: Path) -> None:
    folder = data_dir / "slog" / "cogs_lf"
    published: dict[str, set[str]] = {}
    for name in ("train.tsv.gz", "gen_sample.tsv.gz"):
        for example in read_examples(folder / name):
            form = logical_form_from_str(example.meaning or "")
            if not form.bound and form.name is None:
                sentence, meaning = masked(example.tokens, form)
                published.setdefault(sentence, set()).add(meaning)
    common: Counter[str] = Counter()
    for family in FAMILIES:
        for row in rows_of(family.items(20, 1)):
            sentence, meaning = masked(row.tokens, row.form)
            if sentence in published and family.say != "paused":
                assert published[sentence] == {meaning}, row.text
                common[f"{family.theme}: {family.name}"] += 1
    assert len(common) >= 30, common


@pytest.mark.parametrize(
    "name",
    [
        "questions, passive: recipient, stranded to, by",
        "out of clauses: recipient, stranded to",
        "relative clauses: of a passive's recipient, stranded to",
        "mixed: statement and question, depth 2",
        *(name for name in BY_NAME if name.endswith("depth 30")),
        "unseen words: noun",
        "unseen words: name",
    ],
)
def test_families_are_read_and_questions_agree(name: str, parser: Parser) -> None:
    family = BY_NAME[name]
    counts = measured(parser, family, family.items(1 if family.theme == "recursion" else 10, 3))
    assert counts.wrong == []
    assert counts.agree == counts.pairs


def test_what_train_determines_is_read(parser: Parser) -> None:
    families = [f for f in FAMILIES if f.determined and f.theme != "recursion"]
    counts = [measured(parser, family, family.items(3, 3)) for family in families]
    assert sum(one.right for one in counts) >= 0.98 * sum(one.sentences for one in counts)
