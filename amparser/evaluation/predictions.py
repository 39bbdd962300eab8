"""What sequence-to-sequence models answer to gold rows, and what is wrong with it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import Progress

from amparser.baselines.notation import Notation
from amparser.corpora.examples import Example
from amparser.evaluation.metrics import Counts, by_type
from amparser.evaluation.metrics.malformed import malformed_counts, malformed_kind
from amparser.learn.systems import Prediction, Seq2SeqParser
from amparser.parser import CHUNK_SIZE, chunks


@dataclass
class Predictions:
    """What a model wrote for each gold row.

    Attributes:
        outputs: in the order of the rows.
        counts: each output compared with its gold text.
        kinds: what is wrong with each malformed output; None for a well-formed one.
        seconds: wall-clock time of the model; reading and comparing left out.
    """

    outputs: list[Prediction] = field(default_factory=list)
    counts: list[Counts] = field(default_factory=list)
    kinds: list[str | None] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def sentences_per_second(self) -> float:
        """Sentences a second."""
        return len(self.outputs) / max(self.seconds, 1e-9)

    def table(self, examples: Sequence[Example]) -> dict[str, Counts]:
        """The counts of each type."""
        kinds = (example.kind for example in examples)
        return by_type(zip(kinds, self.counts, strict=True))

    def malformed(self) -> dict[str, int]:
        """How many outputs are malformed, by kind."""
        return malformed_counts(self.kinds)

    def malformed_of_types(self, examples: Sequence[Example]) -> dict[str, dict[str, int]]:
        """The same for each type."""
        kinds: dict[str, list[str | None]] = {}
        for example, kind in zip(examples, self.kinds, strict=True):
            kinds.setdefault(example.kind, []).append(kind)
        return {type_: malformed_counts(of_type) for type_, of_type in kinds.items()}


def predictions_of(model: Seq2SeqParser, examples: Sequence[Example]) -> Predictions:
    """Ask a model and compare with gold, whose meanings are in the model's notation."""
    answers = Predictions()
    notation = model.notation
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("writing", total=len(examples))
        for chunk in chunks(examples, CHUNK_SIZE):
            started = time.perf_counter()
            outputs = model.outputs([example.tokens for example in chunk])
            answers.seconds += time.perf_counter() - started
            for example, output in zip(chunk, outputs, strict=True):
                text = output.text if output.finished else None
                answers.outputs.append(output)
                answers.counts.append(notation.compare(example.tokens, example.meaning, text))
                answers.kinds.append(kind_of(notation, output))
            progress.advance(task, len(chunk))
    return answers


def kind_of(notation: Notation, output: Prediction) -> str | None:
    """What is wrong with an output that is malformed, or None."""
    readable = notation.readable(output.text)
    tokens = notation.split(output.text)
    return malformed_kind(tokens, finished=output.finished, readable=readable)
