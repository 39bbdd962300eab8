"""Operations of the web page, from JSON requests to JSON answers, independent of HTTP.

A request that cannot be answered raises an AMParserError with the message that the command line
would print.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from amparser.benchmarks.registry import BENCHMARKS
from amparser.corpora.tokens import checked_tokens
from amparser.decode.decoders import DECODERS
from amparser.doubts import reasons_in_words
from amparser.draw.examples import pictures_of
from amparser.draw.linked_json import linked_json
from amparser.draw.roles import draw_roles, role_cards
from amparser.errors import AMParserError, InputError, one_of
from amparser.hub import model_folder
from amparser.learn.system import Model, tokenizer_of
from amparser.learn.systems import load
from amparser.limits import MOST_COST, MOST_READINGS
from amparser.misses import Log
from amparser.notations.registry import NOTATIONS
from amparser.parser import Parser
from amparser.resources import bundled_model, bundled_models
from amparser.results import Result

Request = Mapping[str, Any]


class Service:
    """Models that answer requests; each model is loaded by the first request that uses it.

    Args:
        folders: model folders (default: the packaged models, starting with the default model).
        log: file that collects doubtful answers (see `amparser.misses`).

    Raises:
        InputError: two folders have the same name.
    """

    def __init__(
        self, folders: Sequence[str | Path] = (), device: str = "auto", log: Path | None = None
    ) -> None:
        chosen = [model_folder(folder) for folder in folders] or _bundled()
        self.folders = {folder.resolve().name: folder for folder in chosen}
        if len(self.folders) < len(chosen):
            raise InputError("two model folders have the same name, expected different names")
        self.device = device
        self._log = None if log is None else Log(log).checked()
        self._models: dict[str, Model] = {}

    def wait(self) -> None:
        """Load all models and compile their decoders, so that the first request is fast.

        Raises AMParserError if a model cannot be loaded.
        """
        for name in self.folders:
            model = self._model(name)
            # The first use compiles a decoder; the first unknown word loads dictionaries.
            sentence = next(iter(_examples(model)), "a")
            tokens = checked_tokens(sentence, tokenizer_of(model))
            model.answers([tokens, ("unheardof", *tokens)], model.decoders)

    def about(self, request: Request) -> dict[str, Any]:
        """Return the models with their decoders and notations."""
        _fields(request)
        # The model with the largest files comes first, because it covers the most words.
        names = sorted(self.folders, key=lambda name: -_size(self.folders[name]))
        return {"models": [self._about_model(name) for name in names]}

    def _about_model(self, name: str) -> dict[str, Any]:
        model = self._model(name)
        notation = model.notation
        family = NOTATIONS[notation].family if notation else None
        others = [n for n in NOTATIONS if family and NOTATIONS[n].family == family]
        return {
            "name": name,
            "reads": BENCHMARKS[model.benchmark].about if model.benchmark in BENCHMARKS else "",
            "languages": list(getattr(model, "languages", ())),
            "examples": list(_examples(model)),
            "system": model.system,
            "notation": notation,
            "notations": others,
            "decoders": [{"name": d, "trees": _trees(d)} for d in model.decoders],
        }

    def parse(self, request: Request) -> dict[str, Any]:
        """Return the answers of one or more decoders to a sentence.

        The request has the key `sentence` and the optional keys `model`, `notation`, `decoders` and
        `best`, the number of meanings (default 1). All meanings except the best are in
        `alternatives`.
        """
        _fields(request, "sentence", "model", "notation", "decoders", "best")
        name = _text(request, "model", next(iter(self.folders)))
        if name not in self.folders:
            raise InputError(f"unknown model {name!r}, {one_of(name, self.folders)}")
        model = self._model(name)
        if notation := _text(request, "notation", ""):
            model = model.with_notation(notation)
        model = _with_options(model, request.get("best", 1))
        decoders = request.get("decoders") or list(model.decoders[:1])
        if not isinstance(decoders, list) or not all(isinstance(d, str) for d in decoders):
            raise InputError("'decoders': expected a list of names")
        for decoder in decoders:
            if decoder not in model.decoders:
                raise InputError(f"unknown decoder {decoder!r}, {one_of(decoder, model.decoders)}")
        sentence = _text(request, "sentence")
        tokens = checked_tokens(sentence, tokenizer_of(model))
        if problem := model.problem(tokens):
            raise InputError(problem)
        best = request.get("best", 1)
        if (cost := len(tokens) * len(decoders) * best) > MOST_COST:
            what = f"{len(tokens)} tokens, {len(decoders)} decoders and {best} readings"
            raise InputError(f"{what} are {cost} steps, expected at most {MOST_COST}")
        seconds: dict[str, float] = {}
        answers = model.answers([tokens], decoders, seconds=seconds)
        results = {decoder: answer.altered(text=sentence) for decoder, [answer] in answers.items()}
        if self._log is not None:
            self._log.add(results[decoder] for decoder in decoders[:1])
        return {
            "model": name,
            "tokens": tokens,
            "places": next(iter(results.values())).places,
            "milliseconds": {step: round(1000 * s, 3) for step, s in seconds.items()},
            "answers": {decoder: _answer(result) for decoder, result in results.items()},
        }

    def _model(self, name: str) -> Model:
        if name not in self._models:
            self._models[name] = load(self.folders[name], self.device)
        return self._models[name]


def _bundled() -> list[Path]:
    default = bundled_model()
    return [default, *(path for path in bundled_models() if path != default)]


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir() if path.is_file())


def _examples(model: Model) -> Sequence[str]:
    if model.benchmark in BENCHMARKS:
        return BENCHMARKS[model.benchmark].examples
    head = getattr(model, "head", None)
    return head.examples if head else ()


def _with_options(model: Model, best: object) -> Model:
    if type(best) is not int or not 1 <= best <= MOST_READINGS:
        raise InputError(f"'best': expected a number from 1 to {MOST_READINGS}")
    if best == 1 or not isinstance(model, Parser):
        return model
    return model.with_options(k_best=best)


def _trees(decoder: str) -> str:
    return DECODERS[decoder].trees if decoder in DECODERS else ""


def _answer(result: Result) -> dict[str, Any]:
    example = result.example()
    # Without a role scheme, the edges of a graph are not roles but, for example, keys of JSON.
    roles = result.roles() if result.graph is not None and result.scheme else []
    drawn = [draw_roles(example)] if roles else []
    text = result.meaning if result.notation == "json" else None
    answer: dict[str, Any] = {
        "meaning": result.meaning,
        "notation": result.notation,
        "failure": result.failure,
        "output": result.output,
        "logp": result.logp,
        "unknown": result.unknown,
        "ignored": result.ignored,
        "reasons": result.reasons,
        "in_words": reasons_in_words(result),
        "confidence": result.confidence,
        "projective": None,
        "pictures": [
            {"title": picture.title, "svg": picture.to_svg()}
            for picture in (*drawn, *pictures_of(example))
        ],
        "cards": role_cards(roles),
        "json": linked_json(text, result.tokens, result.derivation) if text else [],
        "alternatives": [_answer(other.altered(text=result.text)) for other in result.alternatives],
        "result": result.to_dict(),
        "texts": {"JSON": result.to_json()},
        "explanation": None,
    }
    if result.tree is not None:
        answer["projective"] = result.tree.projective
    if result.derivation is not None:
        answer["texts"]["AM-CoNLL"] = result.to_amconll()
    if result.graph is not None:
        answer["texts"]["PENMAN"] = _or_reason(result.to_penman)
    if result.explainer is not None:
        answer["explanation"] = result.explain().to_dict()
    return answer


def _or_reason(write: Callable[[], str]) -> str:
    try:
        return write()
    except AMParserError as error:
        return f"# {error}"


def _fields(request: Request, *known: str) -> None:
    for key in request:
        if key not in known:
            raise InputError(f"unknown key {key!r}, {one_of(key, known)}")


def _text(request: Request, key: str, default: str | None = None) -> str:
    value = request.get(key, default)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise InputError(f"{key!r}: expected a text")
    return value
