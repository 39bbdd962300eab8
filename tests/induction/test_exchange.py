"""Exchange of constituents: what it may and may not do."""

from collections import Counter
from random import Random

import pytest

from amparser.algebra.derivation import Derivation
from amparser.algebra.projectivity import is_projective
from amparser.algebra.types import source_of
from amparser.corpora.reading import read_examples
from amparser.induction.analysis import analyse
from amparser.induction.augmentation.by_types import TypeAugmentation, term_type_indices
from amparser.lexicon.encoded import Targets
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.supertags import instantiate
from amparser.logic.cogs import logical_form_from_str
from amparser.notations.graph_from_cogs import graph_from_logical_form


@pytest.fixture(scope="module")
def pool(data_dir) -> tuple[list[Targets], Lexicon]:
    examples = read_examples(data_dir / "slog/cogs_lf/train.tsv.gz")[::20]
    graphs = [
        (e.tokens, graph_from_logical_form(e.tokens, logical_form_from_str(e.meaning)))
        for e in examples
    ]
    trees = [tree for tree in analyse(graphs).trees if tree is not None]
    lexicon = Lexicon.from_trees(trees, polymorphic=True)
    indexed = []
    for tree in trees:
        encoded = lexicon.encode(tree)
        assert encoded is not None
        indexed.append(encoded)
    return indexed, lexicon


def tree_of(lexicon: Lexicon, indexed: Targets) -> Derivation:
    indices = indexed.tags, indexed.heads, indexed.operations
    return instantiate(lexicon.derivation(indexed.tokens, *indices))


def test_every_new_tree_is_well_typed(pool) -> None:
    trees, lexicon = pool
    augmentation, random = TypeAugmentation(trees, lexicon), Random(3)
    changed = 0
    for i, old in enumerate(trees):
        new = augmentation.exchanged(trees[i], random)
        changed += new != old
        assert len(new.tokens) > 1 or new == old
        if new != old:
            assert tree_of(lexicon, new).problems() == []
            assert is_projective(
                [-1 if o == 0 else h for h, o in zip(new.heads, new.operations, strict=True)]
            )
    assert changed > 0.8 * len(trees)


def test_no_word_and_no_place_is_new(pool) -> None:
    """Words come from the pool; operation, side and classes of head and dependent do too."""
    trees, lexicon = pool

    def places(tree: Targets) -> set[tuple[int, bool, int, int]]:
        return {
            (o, i < h, tree.tags[h - 1], k)
            for i, (k, h, o) in enumerate(
                zip(tree.tags, tree.heads, tree.operations, strict=True), 1
            )
            if o > 1
        }

    words = {word.lower() for tree in trees for word in tree.tokens}
    seen = set().union(*(places(tree) for tree in trees))
    augmentation, random = TypeAugmentation(trees, lexicon), Random(5)
    for i in range(len(trees)):
        new = augmentation.exchanged(trees[i], random)
        assert {word.lower() for word in new.tokens} <= words
        assert places(new) <= seen


def test_marked_constituents_take_their_marker_along(pool) -> None:
    """What fills a source named by a marker begins with that marker."""
    trees, lexicon = pool
    augmentation, random = TypeAugmentation(trees, lexicon), Random(1)
    for i in range(len(trees)):
        new = augmentation.exchanged(trees[i], random)
        for word, o in zip(new.tokens, new.operations, strict=True):
            name = lexicon.operations[o]
            if name in ("APP_to", "APP_by", "APP_that"):
                assert word == source_of(name)


def test_ignored_words_belong_to_what_they_stand_before(pool) -> None:
    """'a' goes with its noun, 'was' and 'did' stay."""
    trees, lexicon = pool
    augmentation, random = TypeAugmentation(trees, lexicon), Random(2)
    before: Counter[tuple[str, bool]] = Counter()
    for i in range(len(trees)):
        new = augmentation.exchanged(trees[i], random)
        for word, following, k in zip(new.tokens, new.tokens[1:], new.tags[1:], strict=False):
            if word.lower() == "a":
                noun = lexicon.templates[k] == "$LEMMA$" and lexicon.table.lexical_type[k] == 0
                before["a", noun] += 1
            if word.lower() == "was":
                before["was", following.islower()] += 1
    assert before["a", True] > 0
    assert before["a", False] == 0
    assert before["was", False] == 0


def test_the_same_seed_gives_the_same_exchanges(pool) -> None:
    trees, lexicon = pool
    runs = []
    for _ in range(2):
        augmentation, random = TypeAugmentation(trees, lexicon), Random("1 2")
        runs.append([augmentation.exchanged(trees[i], random) for i in range(200)])
    assert runs[0] == runs[1]


def test_term_types_are_those_of_the_algebra(pool) -> None:
    trees, lexicon = pool
    for tree in trees[::10]:
        if len(tree.tokens) > 1:
            types = term_type_indices(tree, lexicon.table)
            root = tree.operations.index(1)
            assert types[root] == 0
