"""The same meanings on another surface: present tense, contractions, pauses, objects in front."""

from __future__ import annotations

from collections.abc import Mapping

from family_draw import Draw
from family_events import (
    GIVEN_TO,
    PRESENT,
    WAS_GIVEN,
    WAS_GIVEN_TO,
    WAS_GIVEN_TO_BY,
    Event,
    Phrase,
    Row,
    preposed,
    with_words,
)
from family_registry import Item, Theme, asks, chained, says

TENSE = Theme("present tense")
SHORTENED = Theme("contractions")
PAUSES = Theme("filled pauses")
FRONTED = Theme("objects in front")

PAUSE_WORDS = ("um", "uh")
CONTRACTED = {"is": "'s", "did": "'d"}


@TENSE("active")
def _active(draw: Draw) -> Item:
    return says(draw.does(draw.modified(draw.being()), draw.thing()), PRESENT)


@TENSE("giving")
def _giving(draw: Draw) -> Item:
    return says(draw.gives(draw.person(), draw.thing(), draw.person()), PRESENT)


@TENSE("clauses and infinitives")
def _clauses(draw: Draw) -> Item:
    agent = draw.person()
    return says(draw.says(draw.person(), draw.wants(agent, draw.runs(agent))), PRESENT)


@TENSE("passive")
def _passive(draw: Draw) -> Item:
    theme = draw.thing()
    return asks(draw.done(theme, draw.person()), theme, PRESENT)


@TENSE("passive of giving")
def _passive_giving(draw: Draw) -> Item:
    theme = draw.thing()
    return asks(draw.gives(None, theme, draw.person(), WAS_GIVEN_TO), theme, PRESENT)


@TENSE("question for an object")
def _question(draw: Draw) -> Item:
    theme = draw.thing()
    return asks(draw.does(draw.person(), theme), theme, PRESENT)


@TENSE("question out of a clause")
def _long(draw: Draw) -> Item:
    theme = draw.thing()
    return asks(chained(draw, draw.does(draw.person(), theme), 1), theme, PRESENT)


@TENSE("passive, stranded to")
def _stranded(draw: Draw) -> Item:
    recipient = draw.person()
    event = draw.gives(None, draw.thing(), recipient, WAS_GIVEN_TO)
    return asks(chained(draw, event, 1), recipient, PRESENT)


@TENSE("relative clauses")
def _relatives(draw: Draw) -> Item:
    noun = draw.thing()
    noun.relative = draw.gives(None, noun, draw.person(), WAS_GIVEN_TO)
    return says(draw.does(draw.person(), noun), PRESENT)


def _contracted(row: Row | None, words: Mapping[str, str] = CONTRACTED) -> Row | None:
    if row is None:
        return None
    return Row(tuple(words.get(token, token) for token in row.tokens), row.form)


def _shortened(item: Item) -> Item:
    return Item(_contracted(item.statement), _contracted(item.question), item.answer)


@SHORTENED("'s in passives", determined=False)
def _short_passive(draw: Draw) -> Item:
    theme = draw.thing()
    return _shortened(asks(draw.done(theme, draw.person()), theme, PRESENT))


@SHORTENED("'s, stranded to", determined=False)
def _short_stranded(draw: Draw) -> Item:
    recipient = draw.person()
    event = draw.gives(None, draw.thing(), recipient, WAS_GIVEN_TO)
    return _shortened(asks(event, recipient, PRESENT))


@SHORTENED("'d in questions", determined=False)
def _short_did(draw: Draw) -> Item:
    theme = draw.thing()
    return _shortened(asks(draw.does(draw.person(), theme), theme))


def hesitant(draw: Draw, row: Row, first: int = 0) -> Row:
    """The sentence with one or two pauses, none behind its last word."""
    places = range(first, len(row.tokens) - 1)
    count = draw.random.choice([1, 1, 2])
    chosen = draw.random.sample(places, min(count, len(places)))
    return with_words(row, [(place, draw.random.choice(PAUSE_WORDS)) for place in chosen])


def _paused(draw: Draw, item: Item) -> Item:
    statement, question = item.statement, item.question
    return Item(
        None if statement is None else hesitant(draw, statement),
        None if question is None else hesitant(draw, question, 1),
        item.answer,
    )


@PAUSES("before a noun", determined=False)
def _before_noun(draw: Draw) -> Item:
    noun = Phrase(draw.word("inanimate").lemma, "the", animate=False)
    item = says(draw.does(draw.person(), noun))
    assert item.statement is not None
    place = item.statement.tokens.index(noun.word)
    word = draw.random.choice(PAUSE_WORDS)
    return Item(with_words(item.statement, [(place, word)]))


@PAUSES("simple clauses", determined=False)
def _simple(draw: Draw) -> Item:
    theme = draw.thing()
    return _paused(draw, asks(draw.does(draw.person(), theme), theme))


@PAUSES("giving, active and passive", determined=False)
def _giving_paused(draw: Draw) -> Item:
    recipient = draw.person()
    frame = draw.random.choice([GIVEN_TO, WAS_GIVEN_TO, WAS_GIVEN_TO_BY])
    agent = None if frame is WAS_GIVEN_TO else draw.person()
    return _paused(draw, asks(draw.gives(agent, draw.thing(), recipient, frame), recipient))


@PAUSES("clauses", determined=False)
def _clauses_paused(draw: Draw) -> Item:
    theme = draw.thing()
    return _paused(draw, asks(chained(draw, draw.does(draw.person(), theme), 1), theme))


@PAUSES("places and relative clauses", determined=False)
def _modified_paused(draw: Draw) -> Item:
    return _paused(draw, says(draw.does(draw.modified(draw.being()), draw.modified(draw.thing()))))


def _fronted(event: Event, theme: Phrase) -> Item:
    return Item(preposed(event, theme))


@FRONTED("object", determined=False)
def _object(draw: Draw) -> Item:
    theme = draw.thing()
    return _fronted(draw.does(draw.person(), theme), theme)


@FRONTED("object with a place", determined=False)
def _object_placed(draw: Draw) -> Item:
    theme = draw.placed(draw.thing())
    return _fronted(draw.does(draw.person(), theme), theme)


@FRONTED("theme given to someone", determined=False)
def _given(draw: Draw) -> Item:
    theme = draw.thing()
    return _fronted(draw.gives(draw.person(), theme, draw.person(), GIVEN_TO), theme)


@FRONTED("theme with a place, given to someone", determined=False)
def _given_placed(draw: Draw) -> Item:
    theme = draw.placed(draw.thing())
    return _fronted(draw.gives(draw.person(), theme, draw.person(), GIVEN_TO), theme)


@FRONTED("theme that someone was given", determined=False)
def _was_given(draw: Draw) -> Item:
    theme = draw.thing()
    return _fronted(draw.gives(None, theme, draw.person(), WAS_GIVEN), theme)
