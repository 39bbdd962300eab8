"""Clauses and infinitives as complements, and questions out of them."""

from __future__ import annotations

from family_draw import Draw
from family_events import GIVEN_TO, WAS_GIVEN_BY, WAS_GIVEN_TO_BY
from family_registry import Item, Theme, asks, chained, says

CLAUSES = Theme("out of clauses")
CONTROL = Theme("infinitives")


@CLAUSES("object, two clauses down")
def _object(draw: Draw) -> Item:
    theme = draw.thing()
    return asks(chained(draw, draw.does(draw.person(), theme), 2), theme)


@CLAUSES("object, four clauses down")
def _object_deep(draw: Draw) -> Item:
    theme = draw.thing()
    return asks(chained(draw, draw.does(draw.person(), theme), 4), theme)


@CLAUSES("object, subjects modified")
def _object_modified(draw: Draw) -> Item:
    theme = draw.thing()
    event = draw.does(draw.modified(draw.being()), theme)
    return asks(draw.says(draw.modified(draw.being()), event), theme)


@CLAUSES("recipient, stranded to")
def _recipient(draw: Draw) -> Item:
    recipient = draw.person()
    event = draw.gives(draw.person(), draw.thing(), recipient, GIVEN_TO)
    return asks(chained(draw, event, 2), recipient)


@CLAUSES("theme given")
def _theme(draw: Draw) -> Item:
    theme = draw.thing()
    event = draw.gives(draw.person(), theme, draw.person())
    return asks(chained(draw, event, 1), theme)


@CLAUSES("theme, passive of recipient")
def _passive_theme(draw: Draw) -> Item:
    theme = draw.thing()
    event = draw.gives(draw.person(), theme, draw.person(), WAS_GIVEN_BY)
    return asks(chained(draw, event, 1), theme)


@CLAUSES("agent, stranded by")
def _stranded_by(draw: Draw) -> Item:
    agent = draw.person()
    return asks(chained(draw, draw.done(draw.thing(), agent), 1), agent)


@CLAUSES("outer subject")
def _outer(draw: Draw) -> Item:
    agent = draw.person()
    event = draw.gives(draw.being(), draw.thing(), draw.person(), WAS_GIVEN_TO_BY)
    return asks(draw.says(agent, event), agent)


@CLAUSES("the clause itself")
def _clause(draw: Draw) -> Item:
    clause = draw.does(draw.person(), draw.thing())
    return asks(draw.says(draw.person(), clause, "clausal alone"), clause)


@CLAUSES("the clause below a clause")
def _clause_below(draw: Draw) -> Item:
    clause = draw.runs(draw.person())
    inner = draw.says(draw.person(), clause, "clausal alone")
    return asks(draw.says(draw.person(), inner), clause)


@CONTROL("with an object")
def _with_object(draw: Draw) -> Item:
    agent = draw.person()
    return says(draw.wants(agent, draw.does(agent, draw.thing())))


@CONTROL("giving")
def _giving(draw: Draw) -> Item:
    agent = draw.person()
    return says(draw.wants(agent, draw.gives(agent, draw.thing(), draw.person())))


@CONTROL("who wants, alone")
def _who_alone(draw: Draw) -> Item:
    agent = draw.person()
    return asks(draw.wants(agent, draw.runs(agent)), agent)


@CONTROL("who wants, with an object")
def _who(draw: Draw) -> Item:
    agent = draw.person()
    return asks(draw.wants(agent, draw.does(agent, draw.modified(draw.thing()))), agent)


@CONTROL("object")
def _object_of(draw: Draw) -> Item:
    agent, theme = draw.person(), draw.thing()
    return asks(draw.wants(agent, draw.does(agent, theme)), theme)


@CONTROL("recipient, stranded to")
def _recipient_of(draw: Draw) -> Item:
    agent, recipient = draw.person(), draw.person()
    event = draw.gives(agent, draw.thing(), recipient, GIVEN_TO)
    return asks(draw.wants(agent, event), recipient)


@CONTROL("below a clause")
def _below(draw: Draw) -> Item:
    agent = draw.person()
    return says(chained(draw, draw.wants(agent, draw.runs(agent)), 2))


@CONTROL("object, below a clause")
def _object_below(draw: Draw) -> Item:
    agent, theme = draw.person(), draw.thing()
    return asks(chained(draw, draw.wants(agent, draw.does(agent, theme)), 1), theme)


@CONTROL("infinitive in infinitive")
def _nested(draw: Draw) -> Item:
    agent = draw.person()
    return says(draw.wants(agent, draw.wants(agent, draw.runs(agent))))


@CONTROL("saying in an infinitive")
def _saying(draw: Draw) -> Item:
    agent = draw.person()
    return says(draw.wants(agent, draw.says(agent, draw.runs(draw.person()))))
