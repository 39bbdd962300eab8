"""Gold rows, and a parser's answers to them: what `evaluate` and `compare` count."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from amparser.algebra.operations import IGNORE
from amparser.amtree.evaluate import problems
from amparser.amtree.tree import AMTree, is_projective
from amparser.corpora.examples import MAX_TOKENS, Example, iterate_examples
from amparser.errors import CorpusError, LogicError, located
from amparser.evaluation.metrics import Counts, by_type
from amparser.evaluation.metrics.forms import comparison
from amparser.evaluation.phenomena import phenomena_of
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS
from amparser.parser import CHUNK_SIZE, ParsedSentence, Parser, chunks


@dataclass
class Answers:
    """What one decoder answered to each gold row.

    Attributes:
        results: in the order of the rows.
        counts: each answer compared with its gold logical form.
        seconds: wall-clock time of `scoring`, `decoding` and `assembling`
            (tree to graph to logical form); reading and comparing left out.
    """

    results: list[ParsedSentence] = field(default_factory=list)
    counts: list[Counts] = field(default_factory=list)
    seconds: dict[str, float] = field(
        default_factory=lambda: {"scoring": 0.0, "decoding": 0.0, "assembling": 0.0}
    )

    @property
    def sentences_per_second(self) -> float:
        """Sentences parsed a second, scoring included."""
        return len(self.results) / max(sum(self.seconds.values()), 1e-9)

    @property
    def failure_count(self) -> int:
        """How many sentences have no logical form."""
        return sum(result.failure is not None for result in self.results)

    def milliseconds(self, step: str) -> float:
        """The mean time of a step for a sentence."""
        return 1000 * self.seconds[step] / max(len(self.results), 1)

    def share_of_trees(self, *, projective: bool | None = None) -> float:
        """Of the trees found, the share that is well typed, or (non-)projective."""
        trees = [result.tree for result in self.results if result.tree is not None]
        if projective is None:
            wanted = sum(not problems(tree) for tree in trees)
        else:
            wanted = sum(tree_is_projective(tree) == projective for tree in trees)
        return wanted / max(len(trees), 1)

    def table(self, examples: Sequence[Example]) -> dict[str, Counts]:
        """The counts of each type."""
        kinds = (example.kind for example in examples)
        return by_type(zip(kinds, self.counts, strict=True))


def tree_is_projective(tree: AMTree) -> bool:
    """Whether no two arcs cross, the root's included and ignored tokens left out."""
    return is_projective([-1 if e.operation == IGNORE else e.head for e in tree.entries])


def read_gold(
    path: Path, limit: int | None = None, notation_: Notation | None = None
) -> list[Example]:
    """The first rows of a data file, each with a well-formed meaning.

    Those of SyGNS have types made of their tags (`amparser.evaluation.phenomena`). The
    notation is "cogs"'s by default.

    Raises:
        CorpusError: naming file and line, and what was expected there.
    """
    examples = list(islice(iterate_examples(path), limit))
    if not examples:
        raise CorpusError(located("empty, expected SENTENCE<TAB>LOGICAL FORM<TAB>TYPE", path=path))
    notation_ = notation_ or NOTATIONS["cogs"]
    for example in examples:
        reason = None
        if len(example.tokens) > MAX_TOKENS:
            reason = f"{len(example.tokens)} tokens, expected at most {MAX_TOKENS}"
        try:
            notation_.read(example.meaning)
        except LogicError as error:
            reason = str(error)
        if reason is not None:
            raise CorpusError(located(reason, path=path, line=example.line))
    if notation_.family == "cogs":
        return examples
    return [replace(e, kind=phenomena_of(e.tokens, e.kind)) for e in examples]


def answers_to(
    parser: Parser, examples: Sequence[Example], decoders: Sequence[str]
) -> Mapping[str, Answers]:
    """Parse the rows with each decoder, all from the same scores, and compare with gold."""
    found = {decoder: Answers() for decoder in decoders}
    compare = comparison(parser.notation.name)
    # The first call of a search core loads or compiles it; that is no time of a sentence.
    warm = parser.score([example.tokens for example in examples[:1]])
    for decoder in decoders:
        parser.decode(warm, decoder)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("parsing", total=len(examples))
        for chunk in chunks(examples, CHUNK_SIZE):
            started = time.perf_counter()
            scores = parser.score([example.tokens for example in chunk])
            scoring = time.perf_counter() - started
            for decoder, answers in found.items():
                answers.seconds["scoring"] += scoring
                started = time.perf_counter()
                parses = parser.decode(scores, decoder)
                answers.seconds["decoding"] += time.perf_counter() - started
                started = time.perf_counter()
                results = [
                    parser.assemble(example.tokens, parse)
                    for example, parse in zip(chunk, parses, strict=True)
                ]
                answers.seconds["assembling"] += time.perf_counter() - started
                answers.results += results
                answers.counts += [
                    compare(example.meaning, result.logical_form)
                    for example, result in zip(chunk, results, strict=True)
                ]
            progress.advance(task, len(chunk))
    return found
