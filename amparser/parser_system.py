"""The system `amparser`: parsers, whatever their constants are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from amparser.calibration import finished
from amparser.corpora.corpus import Corpus
from amparser.decode.decoders import DecodersOf
from amparser.learn.processes import is_first_process
from amparser.learn.progress import OnProgress
from amparser.learn.report import OnReport
from amparser.learn.system import PARSER, Model
from amparser.learn.system_registry import CONSTANTS
from amparser.parser import Parser


class ParserSystem:
    """Parsers; a `System`. The settings say what their constants are."""

    name = PARSER
    about = "the parser: constants for words, and a tree or graph over them"
    variants = CONSTANTS

    @property
    def settings(self) -> Any:
        """The default settings of the simplest constants."""
        return CONSTANTS["node"].settings

    @property
    def decoding(self) -> tuple[str, ...]:
        """The settings that training does not depend on, of all constants."""
        return tuple(dict.fromkeys(key for one in CONSTANTS.values() for key in one.decoding))

    def check_decoders(self, settings: Any, decoders: Sequence[str]) -> None:
        """See `System`."""
        for name in decoders:
            DecodersOf(settings.constants).check(name)

    def train(
        self,
        corpus: Corpus,
        settings: Any,
        folder: Path,
        *,
        resume: bool = False,
        on_progress: OnProgress | None = None,
        on_report: OnReport | None = None,
    ) -> Model:
        """See `System`, and `Constants` for what is raised."""
        parser: Any = CONSTANTS[settings.constants].train(
            corpus,
            settings,
            folder,
            resume=resume,
            on_progress=on_progress,
            on_report=on_report,
        )
        return finished(parser, corpus, folder) if is_first_process() else parser

    def load(self, folder: Path, device: str = "auto") -> Parser:
        """See `System`."""
        return Parser.load(folder, device)


AMPARSER = ParserSystem()
