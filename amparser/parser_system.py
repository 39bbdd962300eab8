"""The system `amparser`: the parser with all its presets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amparser.decode.decoders import DecodersOf
from amparser.learn.system import PARSER
from amparser.nn.device import device_from_name
from amparser.nn.registry import ENCODERS
from amparser.parser import Parser
from amparser.presets.registry import PRESETS

if TYPE_CHECKING:
    from amparser.corpora.corpus import Corpus
    from amparser.learn.report import OnProgress, OnReport


class ParserSystem:
    """The parser as a `System`; the settings name the preset."""

    name = PARSER
    about = "the parser: constants for words, and a tree or graph over them"
    variants = PRESETS

    @property
    def settings(self) -> Any:
        """Default settings of the simplest preset."""
        return PRESETS["node"].settings

    def check_settings(self, settings: Any) -> None:
        """See `System`."""
        device_from_name(settings.train.device)
        ENCODERS[settings.encoder.kind].check_settings(settings.encoder)

    def check_decoders(self, settings: Any, decoders: Sequence[str]) -> None:
        """See `System`."""
        for name in decoders:
            DecodersOf(settings.preset).check(name)

    def train(
        self,
        corpus: Corpus,
        settings: Any,
        folder: Path,
        *,
        resume: bool = False,
        on_progress: OnProgress | None = None,
        on_report: OnReport | None = None,
    ) -> Parser:
        """See `System`. Each example has a meaning in the corpus's notation, a graph or a tree.

        Raises:
            InputError: no example can be learned, an example is too long for a pretrained encoder,
                or the folder cannot be written or holds a different training run.
            CorpusError: a meaning cannot be read; the message names file and line.
            ConfigError: the loss became infinite, a library is not installed, or the pretrained
                encoder does not exist.
            ModelError: the checkpoint to resume from is damaged.
        """
        # Loading a model must not import modules that only training needs.
        from amparser.parser_training import train_parser

        return train_parser(
            corpus, settings, folder, resume=resume, on_progress=on_progress, on_report=on_report
        )

    def load(self, folder: Path, device: str = "auto") -> Parser:
        """See `System`."""
        return Parser.load(folder, device)


AMPARSER = ParserSystem()
