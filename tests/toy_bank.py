"""A small bank of sentences with graphs of boxes, like discourse representation structures."""

from collections.abc import Iterator
from itertools import product
from random import Random

from amparser.corpora.example import Example
from amparser.notations.penman import PENMAN

NAMES = ("Tom", "Ann", "Bob", "Sue")
VERBS = {"sees": "see.v.01", "likes": "like.v.02", "chases": "chase.v.01"}
NOUNS = ("dog", "cat", "horse", "ice cream")


def _object(noun: str) -> tuple[str, str]:
    if noun in NAMES:
        return noun, f'(o / "person.n.01" :Name "{noun}")'
    return f"a {noun}", f'(o / "{noun.replace(" ", "_")}.n.01")'


def sentences() -> Iterator[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    objects = (*NOUNS, *NAMES)
    for negated, name, (verb, sense), noun in product((0, 1), NAMES, VERBS.items(), objects):
        text, node = _object(noun)
        subject, now = f'(s / "person.n.01" :Name "{name}")', '(t / "time.n.08" :EQU "now")'
        event = f'(e / "{sense}" :Agent s :Time {"t" if negated else now} :Theme {node})'
        graph = f'(b / "box" :member {subject} :member {event} :member t :member o)'
        if negated:
            inside = f'(c / "box" :member {now} :member {event} :member o)'
            graph = f'(b / "box" :member {subject} :NEGATION {inside})'
        said = ("does", "n't", verb.removesuffix("s")) if negated else (verb,)
        words = (name, *said, *(("a", noun) if noun in NOUNS else (noun,)), ".")
        anchors = ["O"] * len(words)
        anchors[len(said)] = sense
        if noun in NOUNS:
            anchors[-2] = f"{noun.replace(' ', '_')}.n.01"
        spoken = " ".join(said).replace(" n't", "n't")
        yield f"{name} {spoken} {text}.", graph, words, tuple(anchors)


def _tags(words: tuple[str, ...]) -> tuple[str, ...]:
    tags = {"does": "NOW", "n't": "NOT", "a": "DIS", ".": "NIL"}
    tags |= dict.fromkeys(NAMES, "PER") | dict.fromkeys(VERBS, "ENS")
    return tuple(tags.get(word, "EXS" if f"{word}s" in VERBS else "CON") for word in words)


def examples(count: int, seed: int = 1) -> list[Example]:
    from amparser.corpora.tokens import tokenize

    rows = list(sentences())
    Random(seed).shuffle(rows)
    found = []
    for line, (text, written, words, anchors) in enumerate(rows[:count], 1):
        graph = PENMAN.graph((), written)
        found.append(
            Example(
                tokenize(text),
                PENMAN.on_one_line(graph),
                graph,
                notation="penman",
                layers=(("tok", words), ("sem", _tags(words)), ("sense", anchors)),
                line=line,
            )
        )
    return found
