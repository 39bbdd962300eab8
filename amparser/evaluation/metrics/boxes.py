"""Parts of graphs of boxes: the F scores of concepts, roles, scope, membership and constants.

Nodes are mapped as for Smatch (`amparser.evaluation.metrics.smatch`), so the parts are those of the
Smatch score. Boxes themselves, and the root, are in none of them: they nearly always match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from amparser.corpora.example import Example
from amparser.evaluation.metric import Count
from amparser.evaluation.metrics.graphs import GraphMetric
from amparser.evaluation.metrics.overlap import Overlap
from amparser.evaluation.metrics.smatch import Triples, best_mapping, compared_triples
from amparser.notations.box_graph import BOX, FAMILY, MEMBER
from amparser.notations.notation import Notation
from amparser.results import Result

CONCEPTS, ROLES, SCOPE, MEMBERS = "concept_f", "role_f", "scope_f", "member_f"
NAMES, CONSTANTS = "name_f", "constant_f"
_NAME = "name"
"""The role of names, as Smatch compares roles."""

_Triple = tuple[object, ...]


def overlaps_of_parts(gold: Triples, predicted: Triples | None) -> dict[str, Overlap]:
    """How many triples of each part match under the best mapping; None stands for no answer."""
    wanted = _by_part(gold, lambda node: node)
    if predicted is None:
        found = {part: Counter[_Triple]() for part in wanted}
    else:
        images = best_mapping(gold, predicted).mapping
        # A node without an image is none of the gold nodes.
        found = _by_part(predicted, lambda node: images.get(node, ~node))
    return {
        part: Overlap(found[part].total(), triples.total(), (found[part] & triples).total())
        for part, triples in wanted.items()
    }


def _by_part(graph: Triples, image: Callable[[int], int]) -> dict[str, Counter[_Triple]]:
    parts: dict[str, Counter[_Triple]] = {part: Counter() for part in BOXES.measures}
    boxes = {node for node, role, value in graph.unary if (role, value) == ("instance", BOX)}
    for node, role, value in graph.unary:
        if role == "TOP" or (role == "instance" and node in boxes):
            continue
        constant = NAMES if role == _NAME else CONSTANTS
        parts[CONCEPTS if role == "instance" else constant][image(node), role, value] += 1
    for parent, role, child in graph.binary:
        part = SCOPE if parent in boxes and child in boxes else ROLES
        part = MEMBERS if role == MEMBER else part
        parts[part][image(parent), role, image(child)] += 1
    return parts


class BoxesMetric(GraphMetric):
    """F scores of the parts of a graph of boxes.

    Measures: concepts, roles between concepts, relations between boxes, membership of concepts
    in boxes, names, and other constants.
    """

    name = "boxes"
    measures = (CONCEPTS, ROLES, SCOPE, MEMBERS, NAMES, CONSTANTS)

    def problem(self, notation: Notation | None) -> str | None:
        """See the base class; or the graphs have no boxes."""
        if notation is None or notation.family == FAMILY:
            return super().problem(notation)
        return f"{notation.name} meanings are no graphs of boxes"

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """The counts of one answer; a part that neither graph has is left out."""
        pair = compared_triples(notation, gold, result)
        if pair is None:
            return {}
        overlaps = overlaps_of_parts(*pair)
        return {
            part: overlap.counts()[0]
            for part, overlap in overlaps.items()
            if overlap.gold or overlap.predicted
        }


BOXES = BoxesMetric()
