"""Evaluations as pages, complete in one file: figures by tag, and sentences with their trees.

A page of one decoder has its wrong answers, with gold and predicted tree over each other. A page
of several has the sentences that flip. Sentences can be filtered, searched, and walked through by
keyboard.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import NamedTuple

from amparser.algebra.tree import AMTree
from amparser.corpora.example import Example
from amparser.draw.examples import picture_of
from amparser.draw.html import html_page, picture_html
from amparser.draw.svg import Picture, escaped
from amparser.draw.trees import differing_tokens, draw_comparison
from amparser.evaluation.answers import is_exact
from amparser.evaluation.errors import NO_GOLD_TREE, TreeOf, fault_of, gold_item
from amparser.evaluation.evaluate import OVERALL, Evaluation, flips
from amparser.evaluation.metric import Count
from amparser.results import Result

STYLE = """
.controls{display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;align-items:center;position:sticky;top:0;
background:var(--ground);padding:.5rem 0;border-bottom:1px solid var(--edge);z-index:1}
.controls label{display:flex;flex-wrap:wrap;gap:0 .4rem;align-items:center;min-width:0;
max-width:100%}
.controls select,.controls input{min-width:0;font:inherit;max-width:100%;color:inherit;
background:var(--fill);border:1px solid var(--faint);border-radius:4px;padding:.15rem .4rem}
article{padding:.5rem 0;border-bottom:1px solid var(--edge);scroll-margin-top:4rem;
content-visibility:auto;contain-intrinsic-size:auto 24rem}
article[hidden]{display:none}
h3{font-size:1rem;margin:.5rem 0 0}article p{margin:0}
caption{text-align:left;color:var(--faint)}
dl{margin:.25rem 0}dt{font-weight:bold;font-size:.875rem}dd{margin:0 0 .25rem 1rem}
kbd{border:1px solid var(--faint);border-radius:3px;padding:0 .3rem}
"""

SCRIPT = """
"use strict";
const byId = (id) => document.getElementById(id);
const items = [...document.querySelectorAll("article")];
const texts = items.map((item) => [...item.querySelectorAll("h3, dd")]
  .map((part) => part.textContent).join(" ").toLowerCase());
function filter() {
  const tag = byId("tag").value, kind = byId("kind").value;
  const words = byId("search").value.toLowerCase();
  let count = 0;
  items.forEach((item, i) => {
    const fits = (!tag || item.dataset.tags.split(" ").includes(tag))
      && (!kind || item.dataset.kind === kind) && texts[i].includes(words);
    item.hidden = !fits;
    count += fits;
  });
  byId("count").textContent = `${count} shown`;
}
for (const id of ["tag", "kind"]) byId(id).addEventListener("change", filter);
byId("search").addEventListener("input", filter);
function go(step) {
  const shown = items.filter((item) => !item.hidden);
  const here = shown.findIndex((item) => item.contains(document.activeElement));
  const next = shown[Math.min(Math.max(here + step, 0), shown.length - 1)];
  if (next) { next.focus(); next.scrollIntoView({block: "start"}); }
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const writing = event.target.matches("input, select, textarea");
  if (event.key === "Escape" && writing) event.target.blur();
  else if (writing) return;
  else if (event.key === "j") go(1);
  else if (event.key === "k") go(-1);
  else if (event.key === "/") byId("search").focus();
  else return;
  event.preventDefault();
});
filter();
"""


MOST = 1000
"""The most sentences that a page shows; it says how many there are."""

NO_PARSE = "no parse"


class Meaning(NamedTuple):
    """A meaning on the page, or the reason why there is none."""

    name: str
    text: str
    right: bool | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence to look at.

    Attributes:
        kind: what happened, such as `no parse` or `right with astar-gap, wrong with astar`.
        meanings: gold, and the answers.
        picture: both trees over each other, or the one that there is.
        note: what the picture shows.
    """

    example: Example
    kind: str
    meanings: tuple[Meaning, ...]
    picture: Picture
    note: str


def errors_page(
    evaluation: Evaluation, decoder: str, tree_of: TreeOf | None = None, *, title: str
) -> str:
    """The page of one decoder: its figures and its wrong answers; `tree_of` as in `error_texts`."""
    answers = evaluation.answers[decoder]
    rows = zip(evaluation.examples, answers.results, answers.counts, strict=True)
    wrong = [row for row in rows if not is_exact(row[2])]
    items = (_error(*row, tree_of) for row in wrong)
    figures = _figures(evaluation, [decoder], evaluation.measures)
    return _page(title, figures, items, len(wrong), "wrong answers")


def flips_page(evaluation: Evaluation, measure: str, *, title: str) -> str:
    """The page of two decoders or more: their figures and the sentences that flip by a measure."""
    names = list(evaluation.answers)
    position = {id(example): i for i, example in enumerate(evaluation.examples)}
    flipped = []
    for left, right in combinations(names, 2):
        only_left, only_right = flips(evaluation, left, right, measure)
        flipped += [(position[id(example)], left, right) for example in only_left]
        flipped += [(position[id(example)], right, left) for example in only_right]
    items = (_flip(evaluation, *row) for row in flipped)
    figures = _figures(evaluation, names, [measure])
    return _page(title, figures, items, len(flipped), "sentences that flip")


def _error(
    example: Example, result: Result, counts: Mapping[str, Count], tree_of: TreeOf | None
) -> Item:
    gold = gold_item(example, tree_of)
    meanings = (Meaning("gold", example.meaning or ""), _meaning("predicted", result, right=False))
    picture, note = _pair(
        result.example() if gold.tree is None else gold,
        gold.tree,
        result.tree,
        ("gold", "predicted"),
        gold.failure if gold.failure == NO_GOLD_TREE else f"{NO_GOLD_TREE}: {gold.failure}",
    )
    kind = fault_of(result, counts) if result.failure is None else NO_PARSE
    return Item(example, kind, meanings, picture, note)


def _flip(evaluation: Evaluation, position: int, winner: str, loser: str) -> Item:
    example = evaluation.examples[position]
    right = evaluation.answers[winner].results[position]
    wrong = evaluation.answers[loser].results[position]
    meanings = (
        Meaning("gold", example.meaning or ""),
        _meaning(winner, right, right=True),
        _meaning(loser, wrong, right=False),
    )
    picture, note = _pair(
        right.example(), right.tree, wrong.tree, (winner, loser), f"{winner} has no tree"
    )
    kind = f"right with {winner}, wrong with {loser}"
    return Item(example, kind, meanings, picture, note)


def _pair(
    shown: Example, left: AMTree | None, right: AMTree | None, names: tuple[str, str], reason: str
) -> tuple[Picture, str]:
    """Two trees over each other, or the one that there is; and what the picture shows."""
    if left is None or right is None or len(left) != len(right):
        missing = reason if left is None else f"{names[1]} has no tree: shown is {names[0]} alone"
        return picture_of(shown), missing
    count = len(differing_tokens(left, right))
    what = "the trees are equal" if not count else f"{count} tokens differ"
    return draw_comparison(left, right, names), what


def _meaning(name: str, result: Result, *, right: bool) -> Meaning:
    if result.failure is None:
        return Meaning(name, result.meaning or "", right)
    output = f": {result.output}" if result.output else ""
    return Meaning(name, f"{NO_PARSE}: {result.failure}{output}", right)


def _figures(evaluation: Evaluation, decoders: Sequence[str], measures: Sequence[str]) -> str:
    """A table with a row for each tag and a column for each decoder and measure."""
    tables = {name: evaluation.table(name) for name in decoders}
    counts = evaluation.counts_of_examples()
    columns = [
        (name, measure)
        for name in decoders
        for measure in measures
        if any(measure in row for row in tables[name].values())
    ]
    heads = [measure if len(decoders) == 1 else f"{name}" for name, measure in columns]
    cells = "".join(f'<th class="figure" scope="col">{escaped(head)}</th>' for head in heads)
    first = next(iter(tables.values()))
    tags = [*(tag for tag in first if tag != OVERALL), OVERALL]
    rows = []
    for tag in tags:
        figures = "".join(
            f'<td class="figure">{_percent(tables[name][tag].get(measure))}</td>'
            for name, measure in columns
        )
        name = escaped(tag) if tag != OVERALL else "overall"
        rows.append(
            f'<tr><th scope="row">{name}</th><td class="figure">{counts[tag]}</td>{figures}</tr>'
        )
    what = measures[0] if len(decoders) > 1 else "all measures"
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="figures"><table>'
        f"<caption>{escaped(what)}, in %</caption>"
        f'<thead><tr><th scope="col">tag</th><th class="figure" scope="col">count</th>{cells}'
        f"</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _percent(count: Count | None) -> str:
    return "" if count is None or count.share is None else f"{100 * count.share:.1f}"


def _page(title: str, figures: str, items: Iterator[Item], count: int, what: str) -> str:
    shown = list(islice(items, MOST))
    cut = f" The first {MOST} are shown." if count > MOST else ""
    tags = dict.fromkeys(tag for item in shown for tag in item.example.tags)
    kinds = dict.fromkeys(item.kind for item in shown)
    body = f"""<a class="skip" href="#items">to the sentences</a>
<header><h1>{escaped(title)}</h1></header>
<main>
<section aria-label="figures">{figures}</section>
<section aria-label="{what}">
<h2>{count} {what}</h2>
<p class="faint">Keys: <kbd>j</kbd> and <kbd>k</kbd> go to the next and previous sentence,
<kbd>/</kbd> to the search.{cut}</p>
<div class="controls" role="search">
<label>Type <select id="tag"><option value="">all</option>{_options(tags)}</select></label>
<label>What <select id="kind"><option value="">all</option>{_options(kinds)}</select></label>
<label>Search <input id="search" type="search" autocomplete="off"></label>
<output id="count" aria-live="polite">{len(shown)} shown</output>
</div>
<div id="items">
{"".join(_article(number, item) for number, item in enumerate(shown, 1))}
</div>
</section>
</main>"""
    return html_page(title, body, style=STYLE, script=SCRIPT)


def _options(names: Mapping[str, None]) -> str:
    return "".join(f"<option>{escaped(name)}</option>" for name in names)


def _article(number: int, item: Item) -> str:
    example = item.example
    tags = " ".join(example.tags)
    place = f"line {example.line}" if example.line else f"sentence {number}"
    meanings = "".join(
        f"<dt>{escaped(one.name)}{_mark(one.right)}</dt>"
        f'<dd class="meaning">{escaped(one.text)}</dd>'
        for one in item.meanings
    )
    svg = item.picture.to_svg(standalone=False)
    return (
        f'<article id="s{number}" tabindex="-1" data-tags="{escaped(tags)}" '
        f'data-kind="{escaped(item.kind)}">\n<h3>{escaped(example.sentence)}</h3>\n'
        f'<p class="faint">{place}{", " if tags else ""}{escaped(tags)}: {escaped(item.kind)}; '
        f"{escaped(item.note)}</p>\n<dl>{meanings}</dl>\n"
        f"{picture_html(svg, item.picture.title)}\n</article>\n"
    )


def _mark(right: bool | None) -> str:
    if right is None:
        return ""
    return ' <span class="good">(right)</span>' if right else ' <span class="bad">(wrong)</span>'
