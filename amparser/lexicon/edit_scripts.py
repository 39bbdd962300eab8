"""Scripts: what a word loses at its end, and what it gets there, to become another."""

from __future__ import annotations

Script = tuple[str, str]
"""What is cut off at the end of a word, and what is put there."""


def common_letters(left: str, right: str) -> int:
    """Return how many letters two words have in common at their beginning."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(left), len(right)))


def script_of(form: str, text: str) -> Script:
    """The script that makes a text of a form.

    >>> script_of("frying", "fry"), script_of("fish", "fish")
    (('ing', ''), ('', ''))
    """
    common = common_letters(form, text)
    return form[common:], text[common:]


def scripted(form: str, script: Script) -> str | None:
    """The inverse; None if the form does not end so, or nothing would be left."""
    cut, added = script
    if not form.endswith(cut):
        return None
    return (form[: len(form) - len(cut)] + added) or None
