"""A system that trains at once: it memorizes its training sentences except a few."""

from __future__ import annotations

import json
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from amparser.corpora.corpus import Corpus
from amparser.errors import InputError, ModelError
from amparser.learn.settings import DataSettings
from amparser.results import Result

NAME = "by-heart"


@dataclass(frozen=True)
class TrainSettings:
    seed: int = 1
    device: str = "cpu"
    epochs: int = 2


@dataclass(frozen=True)
class DecodeSettings:
    longest: int = 100


@dataclass(frozen=True)
class Settings:
    data: DataSettings = field(default_factory=lambda: DataSettings(notation="cogs"))
    train: TrainSettings = field(default_factory=TrainSettings)
    decode: DecodeSettings = field(default_factory=DecodeSettings)


@dataclass(frozen=True)
class ByHeart:
    """A model with two decoders: for new sentences `careful` fails, `written` writes nonsense."""

    settings: Settings
    meanings: Mapping[str, str | None]
    system: str = NAME
    benchmark: str = "toy"
    data: Mapping[str, Any] = field(default_factory=dict)
    metrics: Mapping[str, Any] = field(default_factory=dict)
    decoders: tuple[str, ...] = ("careful", "written")

    @property
    def notation(self) -> str:
        return self.settings.data.notation

    def with_settings(self, settings: Settings) -> ByHeart:
        return replace(self, settings=settings)

    def problem(self, tokens: Sequence[str]) -> str | None:
        return "too long" if len(tokens) > self.settings.decode.longest else None

    def answers(
        self,
        sentences: Sequence[Sequence[str]],
        decoders: Sequence[str] = (),
        *,
        seconds: MutableMapping[str, float] | None = None,
    ) -> Mapping[str, list[Result]]:
        found = {}
        for name in decoders or self.decoders[:1]:
            if name not in self.decoders:
                raise InputError(f"no decoder {name!r}, expected one of {', '.join(self.decoders)}")
            found[name] = [self._result(tuple(tokens), name) for tokens in sentences]
        if seconds is not None:
            for step in ("scoring", *(f"decoding {name}" for name in found)):
                seconds[step] = seconds.get(step, 0.0) + 0.5
        return found

    def _result(self, tokens: tuple[str, ...], decoder: str) -> Result:
        meaning = self.meanings.get(" ".join(tokens))
        output = None
        if decoder == "written":
            output = meaning or "cake ( x _ 1"
        unknown = "unclosed parenthesis" if decoder == "written" else "not known"
        failure = None if meaning is not None else unknown
        return Result(tokens, meaning, self.notation, failure=failure, output=output)


class ByHeartSystem:
    name = NAME
    about = "Knows what it has seen."
    settings = Settings()

    def check_decoders(self, settings: Settings, decoders: Sequence[str]) -> None:
        for name in decoders:
            if name not in ("careful", "written"):
                raise InputError(f"no decoder {name!r}, expected one of careful, written")

    def train(
        self,
        corpus: Corpus,
        settings: Settings,
        folder: Path,
        *,
        resume: bool = False,
        on_progress: object = None,
    ) -> ByHeart:
        assert resume
        if any(example.meaning == "nonsense" for example in corpus.train):
            raise InputError(f"{corpus.places['train']}:1: nothing to learn")
        # Each seed forgets different sentences.
        meanings = {
            example.sentence: example.meaning
            for number, example in enumerate(corpus.train)
            if (number + settings.train.seed) % 5
        }
        content = {"commit": "1d2de2d", "settings": asdict(settings), "meanings": meanings}
        (folder / "model.json").write_text(json.dumps(content))
        return self.load(folder)

    def load(self, folder: Path, device: str = "auto") -> ByHeart:
        try:
            content = json.loads((folder / "model.json").read_text())
        except OSError as error:
            raise ModelError(f"{folder}: {error.strerror}") from None
        kept = content["settings"]
        settings = Settings(
            DataSettings(**kept["data"]),
            TrainSettings(**kept["train"]),
            DecodeSettings(**kept["decode"]),
        )
        return ByHeart(settings, content["meanings"])


BY_HEART = ByHeartSystem()
