"""The packaged SLOG model on structures that neither train nor the generalization types have."""

from pathlib import Path

from amparser import api
from amparser.corpora.reading import read_examples
from amparser.logic.cogs import logical_form_from_str

FAMILIES = Path(__file__).with_name("families.tsv.gz")
IRREGULAR = {"ate": "eat"}


def test_predicates_are_aligned_to_their_words() -> None:
    for row in read_examples(FAMILIES):
        form = logical_form_from_str(row.meaning or "")
        for atom in (*form.definites, *form.atoms):
            event = atom.terms[0]
            token = row.tokens[event.position].lower()
            assert atom.predicate[0][0].lower() == IRREGULAR.get(token, token)[0], row.sentence


def test_the_packaged_model_parses_all_families() -> None:
    [(_, answers)] = api.evaluate(None, FAMILIES, metrics=["match"]).answers.items()
    right = sum(counts["graph"].numerator for counts in answers.counts)
    assert right >= 0.995 * len(answers.counts)
