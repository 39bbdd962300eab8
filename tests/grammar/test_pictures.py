"""Pictures of derivations."""

from xml.etree import ElementTree

import pytest

from amparser.grammar.library import load_library
from amparser.grammar.pictures import derivation_to_svg

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("slog", "Who did Emma give a cake to ?"), ("sygns", "fred did not chase all tigers")],
)
def test_a_derivation_shows_its_words_in_order(name: str, sentence: str) -> None:
    library = load_library(name)
    derivation = next(iter(library.chart(sentence.split()).derivations()))
    root = ElementTree.fromstring(derivation_to_svg(derivation))
    assert root.tag == f"{SVG}svg"
    places: list[tuple[float, str]] = []

    def collect(element: ElementTree.Element, dx: float) -> None:
        if moved := element.get("transform"):
            dx += float(moved.removeprefix("translate(").split()[0])
        for child in element:
            if child.tag == f"{SVG}text" and "am-italic" in child.get("class", ""):
                places.append((dx + float(child.get("x", "0")), child.text or ""))
            collect(child, dx)

    collect(root, 0)
    found = " ".join(word for _, word in sorted(places))
    assert found == " ".join(library.words(sentence.split()))
