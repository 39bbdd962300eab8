"""Invented names: what stands beside a text in train, and what may stand in it."""

from random import Random

from amparser.induction.augmentation.by_classes import NewNames
from amparser.lexicon.encoded import CONTINUE_TAG, IGNORE_TAG, Encoded
from amparser.logic.term import is_number

REMIND, TEXT, DATE, PLAN, TOPIC = range(2, 7)


def hung(*words: tuple[str, int, int, int], text: str | None = None) -> Encoded:
    tokens, tags, heads, owners = zip(*words, strict=True)
    labels = tuple(f'"{text}"' if tag == TEXT else None for tag in tags)
    none = (0,) * len(words)
    return Encoded(tokens, tags, none, heads, none, labels, owners)


REMINDER = hung(
    ("remind", REMIND, -1, 0), ("feed", TEXT, 0, 1), ("the", CONTINUE_TAG, -1, 1),
    ("cat", CONTINUE_TAG, -1, 1), ("on", IGNORE_TAG, -1, 5), ("monday", DATE, 0, 5),
    text="feed the cat",
)  # fmt: skip
PLANNED = hung(
    ("plan", PLAN, -1, 0), ("it", IGNORE_TAG, -1, 0), ("about", IGNORE_TAG, -1, 3),
    ("hiring", TOPIC, 0, 3), ("on", IGNORE_TAG, -1, 5), ("monday", DATE, 0, 5),
)  # fmt: skip


def having(words: str, rows: list[Encoded]) -> int:
    """How many of 400 invented texts have these words; a few do by chance."""
    invention, random = NewNames(rows, 1.0), Random(0)
    made = [invention.invented(REMINDER, random) for _ in range(400)]
    return sum(words in " ".join(one.words(one.tags.index(TEXT))) for one in made)


def test_what_is_never_beside_a_text_may_stand_in_it() -> None:
    rows = [REMINDER, PLANNED] * 10
    assert having("about hiring", rows) > 60
    assert having("on monday", rows) < 20, "this stands beside texts"
    assert having("plan it", rows) < 20, "commands are no parts of others"


def test_rare_constants_say_nothing() -> None:
    assert having("about hiring", [REMINDER] * 20 + [PLANNED] * 2) < 20


def test_some_contents_alone_may_be_replaced() -> None:
    waiting = hung(("wait", REMIND, -1, 0), ("20", TEXT, 0, 1), text="20")
    numbers = NewNames([REMINDER, waiting], 1.0, only=is_number)
    assert numbers.invented(REMINDER, Random(0)) == REMINDER
    assert numbers.invented(waiting, Random(0)).tokens != waiting.tokens
