"""Questions about the parts of simple clauses, active and passive."""

from __future__ import annotations

from family_draw import Draw
from family_events import (
    DOUBLE,
    GIVEN_TO,
    WAS_GIVEN,
    WAS_GIVEN_BY,
    WAS_GIVEN_TO,
    WAS_GIVEN_TO_BY,
)
from family_registry import Item, Theme, asks, chained

ACTIVES = Theme("questions, active")
PASSIVES = Theme("questions, passive")


@ACTIVES("subject, object modified")
def _subject(draw: Draw) -> Item:
    agent = draw.person()
    return asks(draw.does(agent, draw.modified(draw.thing())), agent)


@ACTIVES("object, subject modified")
def _object(draw: Draw) -> Item:
    theme = draw.thing()
    return asks(draw.does(draw.modified(draw.being()), theme), theme)


@ACTIVES("what changed")
def _changed(draw: Draw) -> Item:
    theme = draw.thing()
    return asks(draw.changes(theme), theme)


@ACTIVES("recipient, stranded to")
def _recipient(draw: Draw) -> Item:
    recipient = draw.person()
    return asks(draw.gives(draw.person(), draw.thing(), recipient, GIVEN_TO), recipient)


@ACTIVES("recipient, all else modified")
def _recipient_modified(draw: Draw) -> Item:
    recipient = draw.person()
    agent, theme = draw.modified(draw.being()), draw.modified(draw.thing())
    return asks(draw.gives(agent, theme, recipient, GIVEN_TO), recipient)


@ACTIVES("theme, recipient modified")
def _theme(draw: Draw) -> Item:
    theme = draw.thing()
    return asks(draw.gives(draw.person(), theme, draw.modified(draw.being())), theme)


@ACTIVES("giver, recipient modified")
def _giver(draw: Draw) -> Item:
    agent = draw.person()
    return asks(draw.gives(agent, draw.thing(), draw.modified(draw.being())), agent)


@ACTIVES("recipient, no to", determined=False)
def _recipient_double(draw: Draw) -> Item:
    recipient = draw.person()
    return asks(draw.gives(draw.person(), draw.thing(), recipient, DOUBLE), recipient)


@PASSIVES("subject, agent modified")
def _passive_subject(draw: Draw) -> Item:
    theme = draw.thing()
    return asks(draw.done(theme, draw.modified(draw.being())), theme)


@PASSIVES("theme, recipient modified")
def _passive_theme(draw: Draw) -> Item:
    theme = draw.thing()
    return asks(draw.gives(None, theme, draw.modified(draw.being()), WAS_GIVEN_TO), theme)


@PASSIVES("theme, recipient and agent")
def _passive_theme_by(draw: Draw) -> Item:
    theme, agent = draw.thing(), draw.modified(draw.being())
    return asks(draw.gives(agent, theme, draw.person(), WAS_GIVEN_TO_BY), theme)


@PASSIVES("recipient as subject")
def _passive_recipient(draw: Draw) -> Item:
    recipient, agent = draw.person(), draw.modified(draw.being())
    return asks(draw.gives(agent, draw.thing(), recipient, WAS_GIVEN_BY), recipient)


@PASSIVES("recipient, stranded to")
def _passive_stranded(draw: Draw) -> Item:
    recipient = draw.person()
    return asks(draw.gives(None, draw.thing(), recipient, WAS_GIVEN_TO), recipient)


@PASSIVES("recipient, stranded to, by")
def _passive_stranded_by(draw: Draw) -> Item:
    recipient = draw.person()
    return asks(draw.gives(draw.person(), draw.thing(), recipient, WAS_GIVEN_TO_BY), recipient)


@PASSIVES("recipient, stranded to, theme modified")
def _passive_stranded_modified(draw: Draw) -> Item:
    recipient, theme = draw.person(), draw.modified(draw.thing())
    return asks(draw.gives(None, theme, recipient, WAS_GIVEN_TO), recipient)


@PASSIVES("what was someone given")
def _was_given(draw: Draw) -> Item:
    theme = draw.thing()
    return asks(draw.gives(None, theme, draw.person(), WAS_GIVEN), theme)


@PASSIVES("what was someone given by")
def _was_given_by(draw: Draw) -> Item:
    theme, agent = draw.thing(), draw.modified(draw.being())
    return asks(draw.gives(agent, theme, draw.person(), WAS_GIVEN_BY), theme)


@PASSIVES("agent, stranded by")
def _stranded_by(draw: Draw) -> Item:
    agent = draw.person()
    return asks(draw.done(draw.thing(), agent), agent)


@PASSIVES("agent, stranded by after to")
def _stranded_by_after(draw: Draw) -> Item:
    agent = draw.person()
    return asks(draw.gives(agent, draw.thing(), draw.person(), WAS_GIVEN_TO_BY), agent)


@PASSIVES("below a clause, stranded to")
def _below(draw: Draw) -> Item:
    recipient = draw.person()
    event = draw.gives(None, draw.thing(), recipient, WAS_GIVEN_TO)
    return asks(chained(draw, event, 1), recipient)
