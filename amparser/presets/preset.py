"""A preset: what a corpus becomes, what is scored, and how a folder is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from torch import Tensor

from amparser.decode.decoders import DECODERS
from amparser.errors import ModelError
from amparser.learn.model_folder import MODEL, Head, built, settings_of_head
from amparser.nn.device import device_from_name
from amparser.nn.encoders.encoder import Encoder, encoder_from_dict
from amparser.nn.scorer import Ensemble, Needs
from amparser.presets.model import ParserModel
from amparser.schema import from_json

if TYPE_CHECKING:
    from amparser.corpora.corpus import Corpus
    from amparser.learn.report import TrainingReport

Learned = TypeVar("Learned")
Row = TypeVar("Row")


@dataclass(frozen=True)
class TrainingSet(Generic[Learned, Row]):
    """A decomposed corpus.

    Attributes:
        learned: what was induced, of the class `Constants.learned`.
        train: rows to learn from, which have `tokens`; the `repr` of a row shows all of it.
        dev: sentences to watch, which have `tokens`.
        report: their numbers, and which examples are left out.
        settings: with those that train decides.
    """

    learned: Learned
    train: Sequence[Row]
    dev: Sequence[Any]
    report: TrainingReport
    settings: Any

    def announced(self, corpus: Corpus, remarks: Sequence[str] = ()) -> TrainingReport:
        """Return the report with the rows that were left out on reading, and all decisions."""
        report = self.report.with_faults(corpus)
        decoder = DECODERS[self.settings.decode.decoder]
        search = f"search: {decoder.name}, {decoder.trees}"
        return replace(report, remarks=(*report.remarks, *remarks, search))


@dataclass(frozen=True)
class Preset:
    """How a parser of one kind of fragments is made of a corpus.

    Attributes:
        name: `node`, `tree` or `graph`.
        about: one line on what they are.
        settings: the default settings; `settings.preset` is the name.
        learned: the dataclass of what is induced; a model folder keeps its fields.
        needs: returns what is scored, given all settings and what was induced.
        model: parses, given all settings, what was induced, and a network.
        module: the name of the module `training`.
        decoding: the dotted names of settings, or of sections, that training does not depend on.
        one_thread: whether the networks are so small that several threads make training slower.
    """

    name: str
    about: str
    settings: Any
    learned: type[Any]
    needs: Callable[[Any, Any], Needs]
    model: type[ParserModel]
    module: str
    decoding: Sequence[str] = ("decode", "train.device")
    one_thread: bool = False

    @property
    def training(self) -> Any:
        """The module that only training, checks and listings need, with these functions.

        - `training_set(corpus, settings)`: the `TrainingSet` of a corpus. Raises InputError if
          there is nothing to learn from, and CorpusError, which names file and line, if a
          meaning cannot be read.
        - `coverage(corpus)`: the share of train's examples whose derivations denote their graphs.
        - `samples(training_set)`: the `Samples` that networks learn from.
        - `accuracy(model, dev, share)`: the figures of a share of dev.
        - `tables(learned)`: what was induced as `InventoryTable`s.
        - `tags(learned)`: the supertags as texts, in the order of the weights.
        """
        return import_module(self.module)

    def network(self, settings: Any, learned: Any, encoder: Callable[[], Encoder]) -> Ensemble:
        """Return scorers with fresh weights, drawn from torch's global generator."""
        return Ensemble(self.needs(settings, learned), encoder, settings.train.members)

    def load(
        self, head: Head, weights: Mapping[str, Tensor], folder: Path, device: str
    ) -> ParserModel:
        """Read a model folder; raises ModelError, naming file and key, if it is damaged."""
        target, where = device_from_name(device), folder / f"{MODEL}.json"
        settings = settings_of_head(head, self.settings, folder)
        content = dict(head.content)
        learned = from_json(content, self.learned, where, "content", error=ModelError)
        encoder = from_json(
            content.get("encoder"), dict[str, Any], where, "content.encoder", error=ModelError
        )

        def build() -> Ensemble:
            return self.network(
                settings, learned, lambda: encoder_from_dict(settings.encoder, encoder, where)
            )

        try:
            network = built(build, weights, folder, lambda network: network.state_dict())
            network.to(target).eval()
            network.encoder.check(where)
            return self.model(settings, learned, network)
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise ModelError(f"{where}: content does not fit together: {error!r}") from None
