"""Presets: how a corpus is decomposed, what the network predicts, how a model folder is read."""

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
    """Decomposed corpus.

    Attributes:
        learned: induced knowledge, an instance of `Preset.learned`.
        train: training rows with an attribute `tokens`, and a `repr` that shows all their content.
        dev: dev sentences with an attribute `tokens`.
        settings: settings, including those derived from the training set.
    """

    learned: Learned
    train: Sequence[Row]
    dev: Sequence[Any]
    report: TrainingReport
    settings: Any

    def announced(self, corpus: Corpus, remarks: Sequence[str] = ()) -> TrainingReport:
        """Return the report with the corpus's faults, further remarks, and the decoder's name."""
        report = self.report.with_faults(corpus)
        decoder = DECODERS[self.settings.decode.decoder]
        search = f"search: {decoder.name}, {decoder.trees}"
        return replace(report, remarks=(*report.remarks, *remarks, search))


@dataclass(frozen=True)
class Preset:
    """Definition of a parser for one kind of constants.

    Attributes:
        name: `node`, `tree` or `graph`.
        settings: default settings; `settings.preset` is the name.
        learned: dataclass of induced knowledge; a model folder stores its fields.
        needs: function of settings and induced knowledge that returns what the network predicts.
        one_thread: whether training uses a single thread, which is faster for small networks.
    """

    name: str
    about: str
    settings: Any
    learned: type[Any]
    needs: Callable[[Any, Any], Needs]
    model: type[ParserModel]
    module: str
    one_thread: bool = False

    @property
    def training(self) -> Any:
        """Module of the preset with the functions that training and `check` call.

        - `training_set(corpus, settings)`: the `TrainingSet` of a corpus. Raises InputError if no
          example has a derivation, and CorpusError, which names file and line, if a meaning cannot
          be read.
        - `coverage(corpus)`: share of training examples whose derivations denote their graphs.
        - `samples(training_set)`: the `Samples` that networks learn from.
        - `accuracy(model, dev, share)`: measures of a model's quality on a share of dev.
        - `tables(learned)`: induced knowledge as `InventoryTable`s.
        - `tags(learned)`: the supertags as texts, in the order of the network's outputs.
        """
        return import_module(self.module)

    def network(self, settings: Any, learned: Any, encoder: Callable[[], Encoder]) -> Ensemble:
        """Return untrained scorers; their weights are drawn from torch's global generator."""
        return Ensemble(self.needs(settings, learned), encoder, settings.train.members)

    def load(
        self, head: Head, weights: Mapping[str, Tensor], folder: Path, device: str
    ) -> ParserModel:
        """Return the model of a folder; raise ModelError, naming file and key, if it is damaged."""
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
