"""HTML page with the wrong answers of an evaluation, as a single file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import TypeAlias

from amparser.algebra.derivation import Derivation
from amparser.corpora.example import Example
from amparser.draw.examples import picture_of
from amparser.draw.html import html_page, picture_html
from amparser.draw.svg import escaped
from amparser.errors import AMParserError
from amparser.evaluation.answers import is_exact
from amparser.evaluation.evaluate import Evaluation
from amparser.evaluation.metric import OVERALL, Count
from amparser.results import Result

STYLE = """
article{padding:.5rem 0;border-bottom:1px solid var(--edge);content-visibility:auto;
contain-intrinsic-size:auto 24rem}
h3{font-size:1rem;margin:.5rem 0 0}article p{margin:0}
caption{text-align:left;color:var(--faint)}
dl{margin:.25rem 0}dt{font-weight:bold;font-size:.875rem}dd{margin:0 0 .25rem 1rem}
"""

MOST = 1000
"""Maximum number of wrong answers shown on a page."""

NO_PARSE = "no parse"
NO_GOLD_TREE = "no gold tree"

TreeOf: TypeAlias = Callable[[Example], Derivation]


def errors_page(
    evaluation: Evaluation, decoder: str, tree_of: TreeOf | None = None, *, title: str
) -> str:
    """Return an HTML page with the figures by tag and the wrong answers of a decoder.

    Args:
        tree_of: function that returns the gold tree of an example or raises AMParserError, such as
            `Parser.tree_of`.
    """
    answers = evaluation.answers[decoder]
    rows = zip(evaluation.examples, answers.results, answers.counts, strict=True)
    wrong = [row for row in rows if not is_exact(row[2])]
    wrong.sort(key=lambda row: -(row[1].confidence or 0.0))
    cut = f" The first {MOST} are shown." if len(wrong) > MOST else ""
    articles = "".join(_article(*row, tree_of) for row in islice(wrong, MOST))
    body = f"""<header><h1>{escaped(title)}</h1></header>
<main>
<section aria-label="figures">{_figures(evaluation, decoder)}</section>
<section aria-label="wrong answers">
<h2>{len(wrong)} wrong answers</h2>
<p class="faint">Sorted by confidence, highest first; the kind of fault is in parentheses.{cut}</p>
{articles}</section>
</main>"""
    return html_page(title, body, style=STYLE)


def _figures(evaluation: Evaluation, decoder: str) -> str:
    sums = evaluation.table(decoder)[OVERALL]
    measures = [measure for measure in evaluation.measures if measure in sums]
    heads = "".join(f'<th class="figure" scope="col">{escaped(name)}</th>' for name in measures)
    rows = "".join(
        f'<tr><th scope="row">{escaped(tag) or "overall"}</th>'
        + "".join(f'<td class="figure">{text}</td>' for text in (count, *shares))
        + "</tr>"
        for tag, count, shares in evaluation.rows([(decoder, measure) for measure in measures])
    )
    return (
        '<div class="scroll" tabindex="0" role="group" aria-label="figures"><table>'
        "<caption>all measures, in %</caption>"
        f'<thead><tr><th scope="col">tag</th><th class="figure" scope="col">count</th>{heads}'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _article(
    example: Example, result: Result, counts: Mapping[str, Count], tree_of: TreeOf | None
) -> str:
    gold = _gold(example, tree_of)
    if result.failure is None:
        fault, answer = _fault(counts), result.meaning or ""
    else:
        output = f": {result.output}" if result.output else ""
        fault, answer = NO_PARSE, f"{NO_PARSE}: {result.failure}{output}"
    where = " ".join((f"line {example.line}", *example.tags))
    parts = (("gold", example.meaning or "", gold), ("predicted", answer, result.example()))
    meanings = "".join(
        f'<dt>{name}</dt><dd><div class="meaning">{escaped(meaning)}</div>{_picture(item)}</dd>\n'
        for name, meaning, item in parts
    )
    return (
        f"<article>\n<h3>{escaped(example.sentence)}</h3>\n"
        f'<p class="faint">{escaped(where)} ({escaped(fault)})</p>\n'
        f"<dl>{meanings}</dl>\n</article>\n"
    )


def _gold(example: Example, tree_of: TreeOf | None) -> Example:
    if example.tree is not None:
        return example
    if tree_of is None:
        return Example(example.tokens, failure=NO_GOLD_TREE)
    try:
        return Example(example.tokens, tree=tree_of(example))
    except AMParserError as error:
        return Example(example.tokens, failure=str(error))


def _fault(counts: Mapping[str, Count]) -> str:
    equal = "graph" in counts and counts["graph"].share == 1
    return "order or names" if equal else "meaning"


def _picture(example: Example) -> str:
    picture = picture_of(example)
    return picture_html(picture.to_svg(standalone=False), picture.title)
