"""Compare the parser with other matchers on Home Assistant commands: right, wrong and refused.

    pip install hassil gazetteer-matcher home-assistant-intents scikit-learn
    AMPARSER_PUBLIC=.. python tests/benchmarks/matchers.py FOLDER

The test sentences are a fold of `ha-en`, those of `rewordings.tsv`, and the requests of
`foreign.txt`, which every matcher should refuse. `hassil` has the templates of Home Assistant and
`gazetteer-matcher` its own rules; both are given the names of the home. The parser and linear SVMs
(one per key) are trained on the other folds. The key `domain` is ignored, since gold rarely has it.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from public import Row, folds, rows_of

from amparser import api
from amparser.parser import Parser

Answer = dict[str, Any] | None
Matcher = Callable[[str], Answer]

NAMES: Mapping[str, str] = {
    "Bedroom Lamp": "light", "Overhead Light": "light", "Play Corner": "light",
    "Ceiling Fan": "fan", "Curtain Left": "cover", "Garage Door": "cover", "Front Door": "lock",
    "Patio Door": "lock", "Clippy": "lawn_mower", "Rover": "vacuum", "TV": "media_player",
    "Office Thermostat": "climate", "Outside Temperature": "sensor", "Party Mode": "scene",
    "Stealth Mode": "script", "Main Valve": "valve", "London": "weather",
    "Los Angeles": "weather", "Jane": "person", "Chores": "todo", "Trader Joes": "todo",
}  # fmt: skip
AREAS = ("Kitchen", "Living Room", "Bedroom", "Hallway", "Garage", "Entryway", "Office")
FLOORS = ("First Floor", "Second Floor", "Upstairs")
HERE = "Attic"
"""Area of the microphone, which answers omit."""


def reworded() -> list[Row]:
    rows = []
    text_of_file = Path(__file__).with_name("rewordings.tsv").read_text(encoding="utf-8")
    for line in text_of_file.splitlines():
        text, intent, *slots = line.split("\t")
        rows.append((text, json.dumps({"intent": intent, **dict(s.split("=") for s in slots)})))
    return rows


def comparable(answer: Mapping[str, Any]) -> dict[str, str]:
    """Return an answer with string values, without `domain` and the area of the microphone."""

    def text(value: object) -> str:
        try:
            return str(float(str(value)))
        except ValueError:
            return str(value).strip().lower()

    found = {key: text(value) for key, value in answer.items() if key != "domain"}
    return {key: value for key, value in found.items() if value != HERE.lower()}


def hassil() -> Matcher:
    import home_assistant_intents
    from hassil import Intents, TextSlotList, recognize_best

    intents = Intents.from_dict(home_assistant_intents.get_intents("en"))
    names = [(name, name, {"domain": domain}) for name, domain in NAMES.items()]
    lists = {
        "name": TextSlotList.from_tuples(names, name="name"),
        "area": TextSlotList.from_tuples([(one, one) for one in AREAS], name="area"),
        "floor": TextSlotList.from_tuples([(one, one) for one in FLOORS], name="floor"),
    }

    def answer(text: str) -> Answer:
        here = {"area": HERE}
        found = recognize_best(text, intents, slot_lists=lists, intent_context=here)
        if found is None:
            return None
        return {"intent": found.intent.name, **{e.name: e.value for e in found.entities_list}}

    return answer


def gazetteer() -> Matcher:
    from gazetteer_matcher import GazetteerMatcher

    home = {
        "areas": {one: {"name": one} for one in (*AREAS, HERE)},
        "floors": {one: {"name": one} for one in FLOORS},
        "entities": {name: {"name": name, "domain": domain} for name, domain in NAMES.items()},
    }
    matcher = GazetteerMatcher(home=home)

    def answer(text: str) -> Answer:
        found = matcher.interpret(text, context_area=HERE)
        frames = found.frames if found.accepted else ()
        return {"intent": frames[0].intent, **frames[0].slots} if len(frames) == 1 else None

    return answer


def svm(rows: list[Row]) -> Matcher:
    """Return linear SVMs over word n-grams (n up to 3), one per key; a missing key is a class."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    texts = [text.lower() for text, _ in rows]
    meanings = [json.loads(meaning) for _, meaning in rows]
    models: dict[str, Any] = {}
    for key in {key for meaning in meanings for key in meaning}:
        values = [str(meaning.get(key, "")) for meaning in meanings]
        words = CountVectorizer(ngram_range=(1, 3), token_pattern=r"[^\s,]+", binary=True)
        models[key] = make_pipeline(words, LinearSVC()).fit(texts, values)

    def answer(text: str) -> Answer:
        found = {key: model.predict([text.lower()])[0] for key, model in models.items()}
        return {key: value for key, value in found.items() if value}

    return answer


def parser(rows: list[Row], folder: Path, least: float) -> Matcher:
    folder.mkdir(parents=True, exist_ok=True)
    data, model = folder / "train.tsv", folder / "model"
    data.write_text("".join(f"{s}\t{m}\n" for s, m in rows), encoding="utf-8")
    if not model.exists():
        api.train(data, model, overrides=["train.device=cpu"])
    loaded = Parser.load(model).with_options(min_confidence=least, allow_unknown=False)

    def answer(text: str) -> Answer:
        meaning = loaded(text).meaning
        return None if meaning is None else dict(json.loads(meaning))

    return answer


def judged(matcher: Matcher, rows: list[Row]) -> str:
    counts = {"right": 0, "wrong": 0, "refused": 0}
    for text, meaning in rows:
        answer = matcher(text)
        if answer is None:
            counts["refused"] += 1
        else:
            right = bool(meaning) and comparable(answer) == comparable(json.loads(meaning))
            counts["right" if right else "wrong"] += 1
    return ", ".join(f"{name} {100 * count / len(rows):.0f}" for name, count in counts.items())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path)
    folder = options.parse_args().folder
    torch.set_num_threads(1)
    public = Path(os.environ["AMPARSER_PUBLIC"])
    learned, held = next(folds(rows_of(public / "ha-en" / "train.tsv.gz"), 5, 0))
    foreign = [(text, "") for text in (public / "foreign.txt").read_text().splitlines()]
    matchers = {
        "hassil": hassil(),
        "gazetteer-matcher": gazetteer(),
        "linear SVMs": svm(learned),
        "amparser": parser(learned, folder, 0.0),
        "amparser, confidence 0.5": parser(learned, folder, 0.5),
    }
    for name, matcher in matchers.items():
        matcher("turn on the lights")
        begun = time.process_time()
        figures = f"{len(held)} held out: {judged(matcher, held)}"
        milliseconds = 1000 * (time.process_time() - begun) / len(held)
        new = f"{len(reworded())} reworded: {judged(matcher, reworded())}"
        others = f"{len(foreign)} foreign: {judged(matcher, foreign)}"
        print(f"{name}: {figures}; {new}; {others}; {milliseconds:.1f} ms", flush=True)


if __name__ == "__main__":
    main()
