"""The mildly non-projective decoder against an integer program for the same class of trees."""

from pathlib import Path

import numpy as np
import pytest
from decode_oracles import NONE, TYPE_SYSTEMS, random_scores, system
from gap_program import best_by_program

from amparser.corpora.reading import read_examples
from amparser.decode import astar_gap
from amparser.decode.scores import Scores
from amparser.parser import Parser


@pytest.mark.parametrize("index", range(len(TYPE_SYSTEMS)))
def test_program_and_search_agree_on_random_scores(index: int) -> None:
    operations = ["IGNORE", "ROOT", *TYPE_SYSTEMS[index][1]]
    for seed in range(12):
        table = system(index, order=seed if seed % 3 == 0 else None)
        n = 2 + seed % 4
        scores = random_scores(table, n, seed, forbidden=0.1 * (seed % 2))
        rng = np.random.default_rng(seed)
        in_place = rng.random((n, 2, len(operations))) < 0.8
        mobile = rng.random(n) < 0.5
        scores = Scores(scores.supertag_logp, scores.edge_logp, in_place, mobile)
        best = best_by_program(scores, table, operations)
        parse = astar_gap.decode(scores, table, supertag_limit=None)
        assert parse.found == (best is not None)
        assert best is None or parse.logp == pytest.approx(best.logp, abs=1e-4)


@pytest.fixture(scope="module")
def sample(data_dir: Path, parser: Parser) -> list[Scores]:
    """The model's scores of three sentences a type of the generalization sample, if short."""
    chosen: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for example in read_examples(data_dir / "slog/cogs_lf/gen_sample.tsv.gz"):
        of_type = chosen.setdefault(example.tags, [])
        if len(of_type) < 3 and 5 <= len(example.tokens) <= 13:
            of_type.append(example.tokens)
    return parser.score([tokens for of_type in chosen.values() for tokens in of_type])


# How many supertags a token chooses from, how much the scores are flattened, how much noise
# is added.
@pytest.mark.parametrize(
    ("tags", "flat", "noise"), [(6, 1.0, 0.0), (5, 4.0, 0.5), (4, 10.0, 1.0), (4, 10.0, 3.0)]
)
def test_search_finds_the_optimum_of_the_program_on_real_scores(
    parser: Parser, sample: list[Scores], tags: int, flat: float, noise: float
) -> None:
    rng = np.random.default_rng(0)
    table, operations = parser.composition.restrictions.table, parser.composition.lexicon.operations
    assert len(sample) >= 30
    with_gap = 0
    for scores in sample:
        supertags, edges = (
            array / flat + rng.normal(scale=noise, size=array.shape)
            for array in (scores.supertag_logp, scores.edge_logp)
        )
        last = np.sort(scores.supertag_logp, axis=1)[:, -tags][:, None]
        supertags[scores.supertag_logp < last] = NONE
        given = Scores(
            supertags.astype(np.float32), edges.astype(np.float32), scores.in_place, scores.mobile
        )
        best = best_by_program(given, table, operations)
        parse = astar_gap.decode(given, table, supertag_limit=None)
        assert parse.found == (best is not None)
        if best is not None:
            assert parse.logp == pytest.approx(best.logp, abs=1e-3)
            with_gap += best.heads != best.hosts
    assert with_gap >= 3
