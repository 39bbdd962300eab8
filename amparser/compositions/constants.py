"""One kind of constants: what a corpus becomes, what is scored, and how a folder is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from torch import Tensor

from amparser.compositions.composition import Composition, Induced
from amparser.corpora.corpus import Corpus
from amparser.errors import InputError, ModelError
from amparser.learn.ensemble_task import EnsembleTask, Samples
from amparser.learn.model_folder import MODEL, Head, built, settings_of_head
from amparser.learn.report import TrainingReport
from amparser.nn.device import device_from_name
from amparser.nn.encoders.encoder import Encoder, encoder_from_dict
from amparser.nn.scorer import Ensemble, Needs
from amparser.schema import from_json

Learned = TypeVar("Learned")
Row = TypeVar("Row")
Watched = TypeVar("Watched")


@dataclass(frozen=True)
class Gold(Generic[Learned, Row, Watched]):
    """What a parser learns from.

    Attributes:
        learned: what was induced, of the class `Constants.learned`.
        train: what to learn from; each row has `tokens`, and its `repr` says all of it.
        dev: the sentences to watch; they have `tokens`, too.
        report: how many there are, and which examples are left out.
    """

    learned: Learned
    train: Sequence[Row]
    dev: Sequence[Watched]
    report: TrainingReport


@dataclass(frozen=True)
class Constants:
    """One kind of constants: how a parser that has them is made of a corpus.

    Attributes:
        name: `node`, `tree` or `graph`.
        about: one line on what they are.
        settings: the default settings; `settings.constants` is the name.
        learned: the dataclass of what is induced; a model folder keeps its fields.
        gold: what a corpus becomes, whose examples have a meaning in its notation, a graph or a
            tree, given all settings. Raises InputError if there is nothing to learn from, and
            CorpusError, which names file and line, if a meaning cannot be read.
        needs: what is scored, given all settings and what was induced.
        samples: what networks learn from, given the gold and all settings.
        composition: what parses, given all settings, what was induced, and a network.
        given_back: what share of train's examples comes back from their derivations as they were.
            A derivation of a single constant does not count, if the graph has several nodes.
            Raises CorpusError, which names file and line, if a meaning cannot be read.
        settled: the settings with those that train decides, given the gold.
        decoding: the dotted names of settings, or of sections, that training does not depend on.
        one_thread: whether the networks are so small that several threads make training slower.
    """

    name: str
    about: str
    settings: Any
    learned: type[Any]
    gold: Callable[[Corpus, Any], Gold[Any, Any, Any]]
    needs: Callable[[Any, Any], Needs]
    samples: Callable[[Any, Any], Samples[Any]]
    composition: type[Composition]
    given_back: Callable[[Corpus], float]
    settled: Callable[[Any, Any], Any] = lambda settings, _: settings
    decoding: Sequence[str] = ("decode", "train.device")
    one_thread: bool = False

    def induced(self, corpus: Corpus, settings: Any) -> Induced:
        """What a corpus becomes, without training; raises what `gold` raises."""
        gold = self.gold(corpus, settings)
        return Induced(gold.report, partial(self.composition.tables, gold.learned))

    def network(self, settings: Any, learned: Any, encoder: Callable[[], Encoder]) -> Ensemble:
        """Scorers with fresh weights, drawn from torch's global generator."""
        return Ensemble(self.needs(settings, learned), encoder, settings.train.members)

    def task(self, network: Ensemble, gold: Gold[Any, Any, Any], settings: Any) -> EnsembleTask:
        """The task of a network with fresh weights.

        Raises:
            InputError: an example is too long for the encoder.
        """
        encoder = network.encoder
        for name, rows in (("training", gold.train), ("dev", gold.dev)):
            for number, row in enumerate(rows if encoder.limited else (), 1):
                if problem := encoder.problem(row.tokens):
                    raise InputError(f"{name} example {number}: {problem}")
        composition = self.composition(settings, gold.learned, network)
        samples = self.samples(gold, settings)
        return EnsembleTask(network, samples, settings, partial(composition.accuracy, gold.dev))

    def load(
        self, head: Head, weights: Mapping[str, Tensor], folder: Path, device: str
    ) -> Composition:
        """What a model folder has; raises ModelError, naming file and key, if it is damaged."""
        target, where = device_from_name(device), folder / f"{MODEL}.json"
        settings = settings_of_head(head, self.settings, folder)
        content = dict(head.content)
        learned = from_json(content, self.learned, where, "content", error=ModelError)
        told = from_json(
            content.get("encoder"), dict[str, Any], where, "content.encoder", error=ModelError
        )

        def build() -> Ensemble:
            return self.network(
                settings, learned, lambda: encoder_from_dict(settings.encoder, told, where)
            )

        try:
            network = built(build, weights, folder, lambda network: network.state_dict())
            network.to(target).eval()
            network.encoder.check(where)
            return self.composition(settings, learned, network)
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise ModelError(f"{where}: content does not fit together: {error!r}") from None
