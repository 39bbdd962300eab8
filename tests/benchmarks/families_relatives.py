"""Relative clauses in every place, out of every place, and all of it mixed."""

from __future__ import annotations

from family_draw import Draw
from family_events import (
    DOUBLE,
    GIVEN_TO,
    WAS_GIVEN,
    WAS_GIVEN_BY,
    WAS_GIVEN_TO,
    WAS_GIVEN_TO_BY,
    Event,
    Phrase,
    alone,
)
from family_registry import Item, Theme, asks, chained, says

RELATIVES = Theme("relative clauses")
MIXED = Theme("mixed")


@RELATIVES("on a recipient before the theme")
def _on_recipient(draw: Draw) -> Item:
    return says(draw.gives(draw.person(), draw.thing(), draw.seen(draw.being()), DOUBLE))


@RELATIVES("on the agent of a passive")
def _on_agent(draw: Draw) -> Item:
    return says(draw.done(draw.thing(), draw.related(draw.being())))


@RELATIVES("of a recipient, stranded to")
def _of_recipient(draw: Draw) -> Item:
    noun = draw.being()
    noun.relative = draw.gives(draw.person(), draw.thing(), noun, GIVEN_TO)
    return says(draw.does(draw.person(), noun))


@RELATIVES("of a recipient, on the subject")
def _of_recipient_subject(draw: Draw) -> Item:
    noun = draw.being()
    noun.relative = draw.gives(draw.person(), draw.thing(), noun, GIVEN_TO)
    return says(draw.runs(noun))


@RELATIVES("of a passive's recipient, stranded to")
def _of_passive_recipient(draw: Draw) -> Item:
    noun = draw.being()
    noun.relative = draw.gives(None, draw.thing(), noun, WAS_GIVEN_TO)
    return says(draw.runs(noun))


@RELATIVES("of a passive's agent, stranded by")
def _of_agent(draw: Draw) -> Item:
    noun = draw.being()
    noun.relative = draw.done(draw.thing(), noun)
    return says(draw.does(draw.person(), noun))


@RELATIVES("of the theme given")
def _of_theme(draw: Draw) -> Item:
    noun = draw.thing()
    noun.relative = draw.gives(draw.person(), noun, draw.person(), DOUBLE)
    return says(draw.changes(noun))


@RELATIVES("of the theme someone was given")
def _of_passive_theme(draw: Draw) -> Item:
    noun = draw.thing()
    noun.relative = draw.gives(None, noun, draw.person(), WAS_GIVEN)
    return says(draw.does(draw.person(), noun))


@RELATIVES("passive, in a question")
def _passive(draw: Draw) -> Item:
    agent, noun = draw.person(), draw.thing()
    noun.relative = draw.gives(draw.person(), noun, draw.person(), WAS_GIVEN_TO_BY)
    return asks(draw.does(agent, noun), agent)


@RELATIVES("out of a clause")
def _long(draw: Draw) -> Item:
    noun = draw.thing()
    noun.relative = chained(draw, draw.does(draw.person(), noun), 1)
    return says(draw.changes(noun))


@RELATIVES("out of two clauses")
def _longer(draw: Draw) -> Item:
    noun = draw.thing()
    noun.relative = chained(draw, draw.does(draw.person(), noun), 2)
    return says(draw.does(draw.person(), noun))


@RELATIVES("out of a clause, stranded to")
def _long_stranded(draw: Draw) -> Item:
    noun = draw.being()
    noun.relative = chained(draw, draw.gives(None, draw.thing(), noun, WAS_GIVEN_TO), 1)
    return says(draw.does(draw.person(), noun))


@RELATIVES("out of an infinitive")
def _of_infinitive(draw: Draw) -> Item:
    noun, agent = draw.thing(), draw.person()
    noun.relative = draw.wants(agent, draw.does(agent, noun))
    return says(draw.does(draw.person(), noun))


@RELATIVES("with an infinitive")
def _with_infinitive(draw: Draw) -> Item:
    noun = draw.being()
    noun.relative = draw.wants(noun, draw.runs(noun))
    return says(draw.does(draw.person(), noun))


@RELATIVES("with a clause")
def _with_clause(draw: Draw) -> Item:
    noun = draw.being()
    noun.relative = draw.says(noun, draw.runs(draw.person()))
    return says(draw.does(draw.person(), noun))


def _center(draw: Draw, depth: int) -> Phrase:
    """A noun with so many relative clauses, one in the subject of the other."""
    noun = draw.being()
    if depth:
        noun.relative = draw.does(_center(draw, depth - 1), noun)
    return noun


@RELATIVES("center embedding, in a question")
def _center_question(draw: Draw) -> Item:
    theme = draw.thing()
    return asks(draw.does(_center(draw, draw.random.choice([2, 3])), theme), theme)


@RELATIVES("center embedding, recipient asked for")
def _center_recipient(draw: Draw) -> Item:
    recipient = draw.person()
    agent = _center(draw, draw.random.choice([1, 2]))
    return asks(draw.gives(agent, draw.seen(draw.thing()), recipient, GIVEN_TO), recipient)


@MIXED("noun phrase alone")
def _alone(draw: Draw) -> Item:
    noun = draw.being() if draw.random.random() < 0.5 else draw.thing()
    agent = draw.placed(draw.being(), draw.random.choice([1, 2]))
    noun.relative = draw.does(agent, noun)
    return Item(alone(noun))


def _deep(draw: Draw, depth: int) -> tuple[Event, list[Phrase]]:
    """A clause with embeddings in all its places, and the phrases one may ask for."""
    choice = draw.random.randrange(5) if depth else draw.random.randrange(3)
    agent, theme = _noun(draw, depth, animate=True), draw.thing()
    if choice == 0:
        return draw.does(agent, theme), [theme]
    if choice == 1:
        recipient = draw.person()
        return draw.gives(agent, theme, recipient, GIVEN_TO), [theme, recipient]
    if choice == 2:
        recipient = draw.person()
        return draw.gives(None, theme, recipient, WAS_GIVEN_TO), [recipient]
    if choice == 3:
        inner, open_to = _deep(draw, depth - 1)
        return draw.says(agent, inner), open_to
    return draw.done(theme, agent), [agent]


def _noun(draw: Draw, depth: int, *, animate: bool) -> Phrase:
    """A noun phrase with embeddings that end in a verb or a place."""
    if not depth:
        return draw.person() if animate else draw.thing()
    noun = draw.being() if animate else draw.thing()
    choice = draw.random.randrange(4)
    if choice == 0:
        draw.placed(noun, depth)
    elif choice == 1:
        noun.relative = draw.does(_noun(draw, depth - 1, animate=True), noun)
    elif choice == 2:
        inner = draw.does(_noun(draw, depth - 1, animate=True), noun)
        noun.relative = draw.says(draw.person(), inner)
    return noun


@MIXED("statement and question, depth 2")
def _mixed(draw: Draw) -> Item:
    event, open_to = _deep(draw, 2)
    return asks(event, draw.random.choice(open_to))


@MIXED("statement and question, depth 3")
def _mixed_deeper(draw: Draw) -> Item:
    event, open_to = _deep(draw, 3)
    return asks(chained(draw, event, 1), draw.random.choice(open_to))


@MIXED("objects of depth 2")
def _mixed_objects(draw: Draw) -> Item:
    agent = draw.person()
    theme = _noun(draw, 2, animate=False)
    return asks(draw.gives(agent, theme, draw.modified(draw.being()), GIVEN_TO), agent)


@MIXED("passives of depth 2")
def _mixed_passives(draw: Draw) -> Item:
    theme = _noun(draw, 2, animate=False)
    recipient = draw.person()
    if draw.random.random() < 0.5:
        event = draw.gives(None, theme, recipient, WAS_GIVEN_TO)
    else:
        event = draw.gives(_noun(draw, 1, animate=True), theme, recipient, WAS_GIVEN_TO_BY)
    return asks(event, recipient)


@MIXED("passive of the recipient, all modified")
def _mixed_recipient(draw: Draw) -> Item:
    theme = draw.thing()
    recipient, agent = _noun(draw, 1, animate=True), _noun(draw, 1, animate=True)
    return asks(draw.gives(agent, theme, recipient, WAS_GIVEN_BY), theme)
