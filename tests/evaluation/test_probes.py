"""A few probes beyond the benchmark, and that the probes themselves are what they say."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from probe_nonce import nonce_probes
from probe_recursion import LEVELS, recursive, recursive_probes
from probe_sentences import GROUPS, hand_probes, probe_from_text
from probe_words import Probe, Words, names_of, nouns_of, verbs_of
from probes import Answer, answers, table

from amparser.corpora.example import Example
from amparser.corpora.reading import read_examples
from amparser.logic.cogs import Atom, LogicalForm, Name, Term, logical_form_from_str
from amparser.parser import Parser

NONCE = [
    (
        "Zorbo gave the wug a blicket .",
        "gave.agent=Zorbo gave.recipient=wug gave.theme=blicket",
    ),
    ("A cat flooshed the dax .", "flooshed.agent=cat flooshed.theme=dax"),
    (
        "What did Zorbo say that the wug flooshed ?",
        "say.agent=Zorbo say.ccomp=flooshed flooshed.agent=wug flooshed.theme=?",
    ),
]


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser.load()


@pytest.fixture(scope="module")
def lemmas(parser: Parser) -> dict[str, str]:
    counts = parser.composition.lexicon.lemmas.counts
    seen = {form: lemma for (form, _), found in counts.items() for lemma in found}
    return seen | {"flooshed": "floosh"}


@pytest.fixture(scope="module")
def train(data_dir: Path) -> list[Example]:
    return read_examples(data_dir / "slog" / "cogs_lf" / "train.tsv.gz")


@pytest.fixture(scope="module")
def words(train: list[Example]) -> Words:
    return Words.from_examples(train)


@pytest.mark.parametrize("kind", [kind for kind in GROUPS if "stranded" not in kind])
def test_sentences_by_hand_are_parsed(kind: str, parser: Parser, lemmas: dict[str, str]) -> None:
    found = answers(parser, [probe for probe in hand_probes(lemmas) if probe.kind == kind])
    assert table(found)[kind]["wrong"] == []


@pytest.mark.parametrize(("sentence", "relations"), NONCE)
def test_words_never_seen_are_parsed(
    sentence: str, relations: str, parser: Parser, lemmas: dict[str, str]
) -> None:
    (answer,) = answers(parser, [probe_from_text(sentence, relations, "nonce", lemmas)])
    assert answer.right, answer.predicted


@pytest.mark.parametrize("kind", LEVELS)
def test_recursion_of_depth_30_is_parsed(kind: str, parser: Parser, words: Words) -> None:
    (answer,) = answers(parser, [recursive(words, kind, 30, Random(0))])
    assert answer.right, (" ".join(answer.probe.tokens), answer.predicted)


def masked(tokens: tuple[str, ...], form: LogicalForm) -> tuple[str, str]:
    """A sentence and its meaning with words taken out, so that only structure is left.

    What stays of a verb are its roles, of a noun or name its kind.
    """
    at = {position: "noun" for position, _ in nouns_of(form)}
    at |= {verb.position: " ".join(verb.roles) for verb in verbs_of(form)}
    names = {name: f"N{tokens.index(name)}" for name in names_of(form)}

    def term(value: Term) -> str:
        return names[value.name] if isinstance(value, Name) else str(value)

    def atom(value: Atom) -> str:
        predicate = ("_", *value.predicate[1:])
        return f"{'.'.join(predicate)}({','.join(map(term, value.terms))})"

    sentence = (names.get(token, at.get(i, token)) for i, token in enumerate(tokens))
    definites, atoms = (sorted(map(atom, part)) for part in (form.definites, form.atoms))
    return " ".join(sentence), f"{definites} {atoms}"


def test_probes_have_the_structure_of_published_rows(
    data_dir: Path, train: list[Example], words: Words
) -> None:
    folder = data_dir / "slog" / "cogs_lf"
    published: dict[str, set[str]] = {}
    for example in [*train, *read_examples(folder / "gen_sample.tsv.gz")]:
        form = logical_form_from_str(example.meaning or "")
        if not form.bound and form.name is None:
            sentence, meaning = masked(example.tokens, form)
            published.setdefault(sentence, set()).add(meaning)
    common: dict[str, int] = {}
    for probe in recursive_probes(words, depths=(1, 2, 3, 4), count=100, seed=1):
        sentence, meaning = masked(probe.tokens, probe.gold)
        if sentence in published:
            assert published[sentence] == {meaning}, " ".join(probe.tokens)
            common[probe.kind] = common.get(probe.kind, 0) + 1
    assert len(common) >= 12, common


def test_nonce_probes_change_one_word_and_its_meaning(train: list[Example], words: Words) -> None:
    rows = {example.tokens: example.meaning or "" for example in train}
    probes = nonce_probes(train[:300], words, count=20, seed=1)
    assert len(probes) == 100
    for probe in probes:
        (place,) = (
            i for i, token in enumerate(probe.tokens) if token.lower() not in words.vocabulary
        )
        left, right = probe.tokens[:place], probe.tokens[place + 1 :]
        sources = [t for t in rows if t[:place] == left and t[place + 1 :] == right]
        (gold,) = {
            masked(tokens, logical_form_from_str(rows[tokens]))[1]
            for tokens in sources
            if masked(tokens, logical_form_from_str(rows[tokens]))[0]
            == masked(probe.tokens, probe.gold)[0]
        }
        assert gold == masked(probe.tokens, probe.gold)[1]
        assert probe.nonce in str(probe.gold).split()


def test_lemma_counts_apart_from_structure() -> None:
    probe = Probe(
        ("A", "cat", "flooshed", "."),
        logical_form_from_str("cat ( x _ 1 ) AND floosh . agent ( x _ 2 , x _ 1 )"),
        "verb",
        "floosh",
    )
    wrong_lemma = Answer(probe, "cat ( x _ 1 ) AND flooshe . agent ( x _ 2 , x _ 1 )", None)
    wrong_role = Answer(probe, "cat ( x _ 1 ) AND floosh . theme ( x _ 2 , x _ 1 )", None)
    assert (wrong_lemma.right, wrong_lemma.right_but_for_lemma) == (False, True)
    assert (wrong_role.right, wrong_role.right_but_for_lemma) == (False, False)
