"""GeoQuery as its published figures have it: mentions of places are `m0` and `m1`.

    python tests/benchmarks/geoquery_mentions.py DIR OUTPUT

Shaw et al. (2021) replace what gold refers to, with its type, in question and meaning alike:

    How many people live in Austin Texas ?    population_1(cityid('austin', 'tx'))
    How many people live in m0 ?              population_1(m0)

so no system has to find names, or to tell a state from a river. Figures on these files are
comparable to theirs; the questions as they were asked are a harder task. Here mentions are
numbered from left to right, and one that the alignment does not find stays as it is.

DIR has a folder for each split with `train.jsonl` and `test.jsonl`; OUTPUT gets the same. Test
files have no alignments. That of a question is taken from the split that has it in train; where
none has, the words that spell a name are its mention.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from amparser.graph.sgraph import SGraph
from amparser.notations.term import graph_from_text, text_from_graph

_TYPES = ("cityid", "countryid", "placeid", "riverid", "stateid")


def ends_of(graph: SGraph) -> dict[int, int]:
    """For each node of a term, numbered as it is written, the first node behind what it heads."""
    ends = {number: number + 1 for number in graph.nodes}
    for edge in sorted(graph.edges, key=lambda edge: -edge.child):
        ends[edge.parent] = max(ends[edge.parent], ends[edge.child])
    return ends


def spelled(row: dict[str, Any]) -> list[list[int]]:
    """An alignment of literals to the words that spell them."""
    words = [token.lower() for token in row["tokens"]]
    alignment: list[list[int]] = [[] for _ in words]
    for number, node in graph_from_text(row["meaning"]).nodes.items():
        label = node.label or ""
        name = label.strip("'").split() if label[:1] == "'" else []
        for t in range(len(words)):
            if name and words[t : t + len(name)] == name:
                for own in alignment[t : t + len(name)]:
                    own.append(number)
    return alignment


def mentions(row: dict[str, Any], graph: SGraph) -> list[tuple[int, int, int, int]]:
    """What is replaced, from left to right: its tokens and its symbols, each `begin, end`."""
    found = []
    words, alignment = row["tokens"], row["alignment"]
    for begin, end in ends_of(graph).items():
        if graph.nodes[begin].label in _TYPES:
            # The words of a name are those of what the type is applied to.
            tokens = [t for t, row in enumerate(alignment) if any(begin < n < end for n in row)]
            while len(tokens) > 1 and words[tokens[0]].islower():
                del tokens[0]  # "the" of "the Ohio"
            if tokens and tokens[-1] - tokens[0] + 1 == len(tokens):
                found.append((tokens[0], tokens[-1] + 1, begin, end))
    found.sort()
    return [row for i, row in enumerate(found) if i == 0 or row[0] >= found[i - 1][1]]


def replaced(row: dict[str, Any]) -> dict[str, Any]:
    """A row with its mentions replaced."""
    graph = graph_from_text(row["meaning"])
    found = mentions(row, graph)
    names = {begin: f"m{i}" for i, (_, _, begin, _) in enumerate(found)}
    inside = {number for _, _, begin, end in found for number in range(begin + 1, end)}
    short = SGraph(
        {
            number: node._replace(label=names.get(number, node.label))
            for number, node in graph.nodes.items()
            if number not in inside
        },
        tuple(edge for edge in graph.edges if edge.child not in inside),
        graph.root,
    )
    new = {old: i for i, old in enumerate(short.nodes)}
    mention_of = {t: (a, begin) for a, b, begin, _ in found for t in range(a, b)}
    tokens, alignment = [], []
    for t, (token, symbols) in enumerate(zip(row["tokens"], row["alignment"], strict=True)):
        first, begin = mention_of.get(t, (t, -1))
        if t == first:
            tokens.append(names.get(begin, token))
            own = {new[begin]} if begin in names else set()
            alignment.append(sorted(own | {new[n] for n in symbols if n in new}))
    return {**row, "tokens": tokens, "meaning": text_from_graph(short), "alignment": alignment}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    options = parser.parse_args()
    files = {
        path: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in sorted(options.folder.glob("*/*.jsonl"))
    }
    known = {
        (row["id"], row["meaning"]): row["alignment"]
        for rows in files.values()
        for row in rows
        if "alignment" in row
    }
    for path, rows in files.items():
        short = []
        for row in rows:
            alignment = known.get((row["id"], row["meaning"])) or spelled(row)
            short.append(replaced({**row, "alignment": alignment}))
        goal = options.output / path.relative_to(options.folder)
        goal.parent.mkdir(parents=True, exist_ok=True)
        goal.write_text("".join(json.dumps(row) + "\n" for row in short), encoding="utf-8")
        left = sum(f"{name}(" in row["meaning"] for row in short for name in _TYPES)
        spelt = sum((row["id"], row["meaning"]) not in known for row in rows)
        print(f"{goal}: {len(short)} rows, {spelt} without alignment, {left} with types left")


if __name__ == "__main__":
    main()
