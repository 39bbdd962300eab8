"""The words of a sentence, and vectors for them from a file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from amparser.errors import InputError, located

_END = "."


def words_of(tokens: Sequence[str]) -> tuple[str, ...]:
    """The tokens in lower case, without the final point.

    >>> words_of(["Some", "dogs", "ran", "."])
    ('some', 'dogs', 'ran')
    """
    words = tuple(token.lower() for token in tokens)
    return words[:-1] if words[-1:] == (_END,) else words


def read_vectors(
    path: str | Path, words: Collection[str], size: int
) -> dict[str, npt.NDArray[np.float32]]:
    """The vectors of words from a file in GloVe's text format.

    A line is a word (it may contain spaces) and `size` numbers, separated by spaces. If a
    word occurs twice, the first line counts.

    Args:
        path: the path of the file.
        words: the words to read; words that the file lacks are left out.
        size: the length of a vector.

    Raises:
        InputError: the message names file and line, and what was expected.
    """
    found: dict[str, npt.NDArray[np.float32]] = {}
    try:
        with Path(path).open("rb") as file:
            for number, line in enumerate(file, 1):
                word, *numbers = line.rstrip().rsplit(b" ", size)
                if len(numbers) != size or not word:
                    raise InputError(
                        located(
                            f"expected a word and {size} numbers, "
                            f"found {len(line.split()) - 1} numbers",
                            path=path,
                            line=number,
                        )
                    )
                text = word.decode("utf-8", errors="replace")
                if text in words and text not in found:
                    found[text] = _vector(numbers, path, number)
    except OSError as error:
        raise InputError(located(error.strerror or str(error), path=path)) from None
    return found


def _vector(numbers: list[bytes], path: str | Path, line: int) -> npt.NDArray[np.float32]:
    try:
        vector = np.array([float(number) for number in numbers], dtype=np.float32)
    except ValueError as error:
        raise InputError(located(f"expected numbers: {error}", path=path, line=line)) from None
    if not np.isfinite(vector).all():
        raise InputError(located("expected finite numbers", path=path, line=line))
    return vector
