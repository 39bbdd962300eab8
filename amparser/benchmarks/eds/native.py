"""EDS in the native format of DELPH-IN: structures separated by empty lines.

# ::snt Dogs bark.
{e2: e2:_bark_v_1<5:10>[ARG1 x3] x3:_dog_n_1<0:4>[]}
"""

from __future__ import annotations

from amparser.corpora.example import Example
from amparser.corpora.penman import fields_of
from amparser.corpora.tokens import split_tokens
from amparser.errors import InputError


class NativeEds:
    """Reader and writer of native EDS; a comment above each structure has the sentence."""

    name = "native-eds"
    suffixes = (".eds",)
    in_blocks = True
    sample = "# ::snt Dogs bark."

    def example(self, text: str) -> Example | None:
        """Return the example of a block; None if the block has only comments."""
        meaning = " ".join(line.strip() for line in text.split("\n") if line[:1] != "#")
        sentences = fields_of(text).get("snt", [])
        if meaning and not sentences:
            raise InputError(f"expected a comment with the sentence, such as {self.sample!r}")
        if not meaning:
            return None
        return Example(split_tokens(sentences[-1].value), meaning, notation="eds")

    def write(self, example: Example) -> str:
        """Return an example as a block that ends with an empty line."""
        if example.meaning is None or example.notation != "eds":
            raise InputError(example.failure or "the example has no EDS text")
        return f"# ::snt {example.raw}\n{example.meaning}\n\n"


NATIVE_EDS = NativeEds()
