"""AM-CoNLL round trips, and error messages for malformed text."""

import pytest
from hypothesis import given, strategies as st

from amparser.algebra.conll import am_tree_to_str, am_trees_from_str
from amparser.algebra.fragment import fragment_from_penman
from amparser.algebra.tree import AMTree, Entry
from amparser.algebra.types import IGNORE, type_from_str
from amparser.errors import AMTreeError

IGNORED = "1\ta\t_\t_\t_\t_\t_\t_\t_\t0\tIGNORE\ttrue"
SUPERTAG = "(x<root> / --LEX--  :theme (o<O>))"
RAISING = f"2\tseems\t_\tseem\tVBZ\tO\t{SUPERTAG}\t$LEMMA$\t(O(S()))\t0\tROOT\tfalse"


def test_example_file_round_trips_byte_for_byte(data_dir) -> None:
    text = (data_dir / "amconll" / "example.amconll").read_bytes().decode()
    trees = am_trees_from_str(text)
    assert [len(tree) for tree in trees] == [17, 10]
    assert trees[0].attributes == (("id", "#22058015"),)
    assert "".join(f"{am_tree_to_str(tree)}\n" for tree in trees) == text


def test_errors_name_the_line() -> None:
    with pytest.raises(AMTreeError, match=r"^line 3: expected 12, 13 or 16 "):
        am_trees_from_str(f"{IGNORED}\n\n1\ta\n")


def test_columns_become_fields() -> None:
    text = f"#id:1\n#raw:a seems: b\n{IGNORED}\t0:1\n{RAISING}\t2:7\n"
    (tree,) = am_trees_from_str(text)
    assert tree.attributes == (("id", "1"), ("raw", "a seems: b"))
    assert tree.entries == (
        Entry("a", token_range="0:1"),
        Entry(
            "seems",
            0,
            "ROOT",
            fragment_from_penman(SUPERTAG, type_from_str("(O(S()), S())")),
            "$LEMMA$",
            lemma="seem",
            pos="VBZ",
            ner="O",
            aligned=False,
            token_range="2:7",
        ),
    )
    assert am_tree_to_str(tree) == text
    assert AMTree(tree.entries).with_attributes(*tree.attributes) == tree


def test_equivalent_notations_are_read() -> None:
    plain = f"#id:1\n{IGNORED}\n\n"
    expected = am_trees_from_str(plain)
    assert am_trees_from_str(plain.replace("\n", "\r\n")) == expected
    assert am_trees_from_str(plain.rstrip("\n")) == expected, "no blank line at the end"
    assert am_trees_from_str("\n\n" + plain + "\n \n") == expected
    assert am_trees_from_str(plain.replace("true", "True")) == expected
    assert am_trees_from_str(plain.replace("IGNORE", "_")) == expected
    assert am_trees_from_str("") == []


def test_equal_supertags_are_one_object() -> None:
    one, other = am_trees_from_str(f"{IGNORED}\n{RAISING}\n\n" * 2)
    assert one.entries[1].supertag is other.entries[1].supertag


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (AMTree(()), "without tokens"),
        (AMTree((Entry("a"), Entry(""))), "token 2, form: '' cannot be written"),
        (AMTree((Entry("a", lemma="b\nc"),)), "token 1, lemma: 'b\\\\nc' cannot be written"),
        (AMTree((Entry("a", pos="\r"),)), "token 1, POS"),
        (AMTree((Entry("a", token_range=""),)), "token 1, token range"),
        (AMTree((Entry("a", lexical_label="_"),)), "token 1, lexical label: '_'"),
        (AMTree((Entry("a"),), (("a:b", "c"),)), "attribute 'a:b'"),
        (AMTree((Entry("a"),), (("a", "b\nc"),)), "attribute 'a'"),
    ],
)
def test_values_without_notation_are_refused(tree, message) -> None:
    with pytest.raises(AMTreeError, match=message):
        am_tree_to_str(tree)


column = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r"), min_size=1, max_size=4
)
optional = st.none() | column.filter(lambda text: text != "_")


@st.composite
def trees(draw: st.DrawFn) -> AMTree:
    size = draw(st.integers(1, 4))
    ranges = draw(st.sampled_from([st.none(), st.sampled_from(["_", "0:3"])]))
    entries = []
    for _ in range(size):
        supertag = draw(
            st.none() | st.just(fragment_from_penman(SUPERTAG, type_from_str("(O(S()))")))
        )
        entries.append(
            Entry(
                draw(column),
                draw(st.integers(0, size)),
                draw(st.sampled_from(["ROOT", IGNORE, "APP_s", "MOD_art-snt1"])),
                supertag,
                *(draw(optional) for _ in range(5)),
                aligned=draw(st.booleans()),
                token_range=draw(ranges),
            )
        )
    key = st.text("abc#", max_size=3)
    value = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=5)
    return AMTree(tuple(entries), tuple(draw(st.lists(st.tuples(key, value), max_size=2))))


@given(st.lists(trees(), max_size=3))
def test_trees_round_trip(written) -> None:
    assert am_trees_from_str("".join(f"{am_tree_to_str(t)}\n" for t in written)) == written
