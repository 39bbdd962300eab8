"""The variable-free notation: every published form comes back to the very string."""

from amparser.logic.varfree import Term, varfree_from_str


def test_structure() -> None:
    text = "eat ( agent = ? , theme = * cake ( nmod . in = house ) )"
    cake = Term("cake", ((("nmod", "in"), Term("house")),), definite=True)
    assert varfree_from_str(text) == Term("eat", ((("agent",), Term("?")), (("theme",), cake)))
