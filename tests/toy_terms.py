"""An invented language of questions with terms, for tests of induction without a grammar.

    which heavy jars lie in Old Attic ?    ask(heavy(jar(within(roomid('old attic', _)))))

Rooms are copied; `every` is the argument of a noun without a restriction.
"""

from random import Random
from typing import NamedTuple

from amparser.corpora.example import Example
from amparser.induction.derivations import AlignedGraph
from amparser.logic.term import Term, term_to_str
from amparser.notations.term import TERM

NOUNS = {"jar": "jars", "lid": "lids", "key": "keys"}
PLACES = {"within": "in", "near": "beside"}
QUALITIES = {"heavy": "heavy", "oldest": "eldest"}
ROOMS = ("Attic", "Old Attic", "Hall", "Blue Hall", "Pantry", "Loft", "Long Loft")


class Piece(NamedTuple):
    """Words, each with the symbols (by identity) that it is aligned to, and a term."""

    words: list[tuple[str, list[Term]]]
    term: Term


def _room(random: Random) -> Piece:
    name = random.choice(ROOMS)
    literal = Term(f"'{name.lower()}'")
    term = Term("roomid", (literal, Term("_")))
    return Piece([(word, [literal]) for word in name.split()], term)


def _things(random: Random, depth: int) -> Piece:
    symbol, word = random.choice(sorted(NOUNS.items()))
    if depth == 0 or random.random() < 0.25:
        every = Term("every")
        noun = Term(symbol, (every,))
        words = [(word, [noun, every])]
    else:
        relation, preposition = random.choice(sorted(PLACES.items()))
        below = _room(random) if random.random() < 0.6 else _things(random, depth - 1)
        relative = Term(relation, (below.term,))
        noun = Term(symbol, (relative,))
        words = [(word, [noun]), (preposition, [relative]), *below.words]
    if random.random() < 0.4:
        quality, adjective = random.choice(sorted(QUALITIES.items()))
        noun = Term(quality, (noun,))
        words = [(adjective, [noun]), *words]
    return Piece(words, noun)


def question(random: Random, depth: int = 2) -> tuple[AlignedGraph, str]:
    """Return one question with its alignment, and its meaning."""
    things = _things(random, depth)
    if random.random() < 0.5:
        count = Term("count", (things.term,))
        things = Piece([("How", [count]), ("many", [count]), *things.words], count)
    else:
        things = Piece([("Which", []), *things.words], things.term)
    term = Term("ask", (things.term,))
    numbers: dict[int, int] = {}
    agenda = [term]
    while agenda:
        current = agenda.pop()
        numbers[id(current)] = len(numbers)
        agenda.extend(reversed(current.arguments))
    words = [*things.words, ("?", [])]
    alignment = tuple(tuple(numbers[id(t)] for t in terms) for _, terms in words)
    text = term_to_str(term)
    return AlignedGraph(tuple(w for w, _ in words), TERM.graph((), text), alignment), text


def questions(count: int, seed: int = 0, depth: int = 2) -> list[tuple[AlignedGraph, str]]:
    random = Random(seed)
    return [question(random, depth) for _ in range(count)]


def examples(count: int, seed: int = 0, depth: int = 2) -> list[Example]:
    return [
        Example(item.tokens, text, alignment=item.alignment, line=line)
        for line, (item, text) in enumerate(questions(count, seed, depth), 1)
    ]
