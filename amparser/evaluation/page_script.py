"""Style and script of the pages of evaluations."""

from __future__ import annotations

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
