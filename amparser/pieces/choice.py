"""Which parser a corpus asks for, where nobody names one."""

from __future__ import annotations

from dataclasses import replace

from amparser.corpora.corpus import Corpus
from amparser.corpora.splits import subset
from amparser.errors import AMParserError, CorpusError
from amparser.induction.derivation import FIRST_PIECE
from amparser.learn.decomposition import Source, decomposed
from amparser.learn.network_model import SYSTEM as AMPARSER
from amparser.pieces.gold import derived_train
from amparser.pieces.model import SYSTEM as PIECES

ENOUGH = 0.99
"""If one node a constant decomposes such a share of train, no pieces are looked for."""

_ROWS = 1000
"""No more examples of train are looked at."""


def parser_for(corpus: Corpus) -> str:
    """The name of the system that decomposes more of train: `amparser` or `pieces`.

    A derivation over pieces that leaves edges out, or that has one piece alone for a graph of
    several nodes, does not count. Equal shares, and those above `ENOUGH`, go to `amparser`.

    Raises:
        CorpusError: a meaning cannot be read; names file and line.
    """
    share = min(1.0, _ROWS / max(1, len(corpus.train)))
    corpus = replace(corpus, train=list(subset(corpus.train, share, 0)))
    count = max(1, len(corpus.train))
    trees, _, _ = decomposed(corpus.train, Source.of(corpus, "train"))
    usual = sum(tree is not None for tree in trees) / count
    if usual >= ENOUGH:
        return AMPARSER
    try:
        derived = derived_train(corpus)
    except CorpusError:
        raise
    except AMParserError:
        return AMPARSER
    whole = sum(
        sum(tag >= FIRST_PIECE for tag in derivation.tags) > 1 for derivation in derived.derivations
    )
    return PIECES if (whole - len(derived.cuts)) / count > usual else AMPARSER
