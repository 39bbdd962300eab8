"use strict";
const byId = (id) => document.getElementById(id);

function element(name, text, options = {}) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [key, value] of Object.entries(options)) made.setAttribute(key, value);
  return made;
}

function fill(parent, ...children) {
  parent.replaceChildren(...children);
}

function say(text) { byId("status").textContent = text; }

function complain(text) {
  byId("error").hidden = !text;
  byId("error").textContent = text;
  if (text) say("");
}

async function ask(operation, request) {
  const response = await fetch(`api/${operation}`, {
    method: "POST",
    headers: {"content-type": "application/json"},
    body: JSON.stringify(request),
  });
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new Error(`the server answered ${response.status}`);
  }
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

const READINGS = 4;
// One answer at a time: a later request makes an earlier one void.
let turn = 0;
async function answer(operation, request, show) {
  const mine = ++turn;
  say("working …");
  try {
    const found = await ask(operation, request);
    if (mine !== turn) return;
    complain("");
    say("");
    show(found);
  } catch (error) {
    if (mine === turn) complain(error.message);
  }
}

function picture(svg, title, caption) {
  const box = element("div", null, {class: "picture", tabindex: "0", role: "group", "aria-label": title});
  // The page has this style already.
  const bare = svg.replace(/<style>[^<]*<\/style>/, "");
  const read = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
  box.append(document.importNode(read, true));
  const figure = element("figure");
  if (caption) figure.append(element("figcaption", caption));
  figure.append(box);
  box.addEventListener("scroll", () => edges(figure));
  measured.observe(box);
  return figure;
}

// A picture that is wider than its place shows at which edge it goes on.
function edges(figure) {
  const box = figure.querySelector(".picture");
  const hidden = box.scrollWidth - box.clientWidth;
  figure.classList.toggle("cut-left", box.scrollLeft > 1);
  figure.classList.toggle("cut-right", hidden - box.scrollLeft > 1);
}
const measured = new ResizeObserver((all) => all.forEach(({target}) => edges(target.parentElement)));

function table(target, heads, rows) {
  const head = element("tr");
  for (const text of heads) head.append(element("th", text, {scope: "col"}));
  const body = element("tbody");
  for (const [chosen, ...cells] of rows) {
    const row = element("tr", null, chosen ? {class: "chosen"} : {});
    cells.forEach((cell, i) => row.append(
      i ? element("td", cell) : element("th", cell, {scope: "row"})));
    body.append(row);
  }
  const top = element("thead");
  top.append(head);
  fill(target, top, body);
}

function options(select, names) {
  fill(select, ...names.map((name) => element("option", name)));
}

let models = [];
let parsed = null;
let rank = 0;
const model = () => models.find((one) => one.name === byId("model").value);
const decoder = () => document.querySelector('input[name="decoder"]:checked').value;
const CAPTIONS = [
  ["who did what", "who did what to whom"], ["AM dependency tree", "how the words combine: the AM dependency tree"],
  ["graph", "what the sentence means: a graph"], ["boxes", "the same as boxes"],
];

function caption(title) {
  return CAPTIONS.find(([start]) => title.startsWith(start))?.[1] ?? title;
}

function chooseModel() {
  const one = model();
  options(byId("notation"), one.notations.length ? one.notations : [one.notation || "graph"]);
  if (one.notation) byId("notation").value = one.notation;
  const labels = one.decoders.map(({name, trees}, i) => {
    const label = element("label");
    const input = element("input", null, {type: "radio", name: "decoder", value: name});
    input.checked = i === 0;
    input.addEventListener("change", () => { rank = 0; if (parsed) show(); });
    label.append(input, ` ${name}`, element("span", trees ? `: ${trees}` : "", {class: "faint"}));
    return label;
  });
  fill(byId("decoders"), element("legend", "Decoder"), ...labels);
  byId("reads").textContent = one.reads ? `${one.name} reads ${reads(one)}.` : "";
}

function reads({reads: about, languages}) {
  const known = languages.length ? ` (${languages.join(", ")})` : "";
  return `${about || "sentences like those that it learned from"}${known}`;
}

function cards() {
  fill(byId("cards"), ...models.map((one) => {
    const card = element("section", null, {class: "card"});
    card.append(element("h2", one.name),
      element("p", reads(one), {class: "faint"}));
    for (const text of one.examples) {
      const button = element("button", text, {type: "button"});
      button.addEventListener("click", (event) => {
        byId("model").value = one.name;
        chooseModel();
        byId("sentence").value = text;
        parse(event);
      });
      card.append(button);
    }
    return card;
  }));
}

// The sentence as it was typed, its unknown words marked.
function words(answered) {
  const text = parsed.sentence;
  const parts = [];
  let end = 0;
  parsed.places.forEach(([from, to], i) => {
    if (!answered.unknown.includes(parsed.tokens[i]) || from < end) return;
    parts.push(text.slice(end, from),
      element("mark", text.slice(from, to), {title: "the model never saw this word"}));
    end = to;
  });
  return [...parts, text.slice(end)];
}

function percent(share) {
  const shown = Math.round(100 * share);
  return shown < 1 ? "less than 1\u00a0%" : shown > 99 ? "more than 99\u00a0%" : `${shown}\u00a0%`;
}

function showConfidence(share) {
  if (share === null) return fill(byId("confidence"));
  const meter = element("meter", null, {value: share, "aria-label": "probability"});
  fill(byId("confidence"), meter,
    `The model takes this to be right in every detail with a probability of ${percent(share)}.`);
}

function showRoles(one) {
  const isRoles = ({title}) => title.startsWith("who did what");
  fill(byId("arcs"), ...one.pictures.filter(isRoles).map(({svg, title}) => picture(svg, title, caption(title))));
  table(byId("who"), ["predicate", "in plain words", "argument"],
    one.roles.map((role) => [false, role.predicate, role.gloss || role.role, role.phrase.text]));
  byId("roles").hidden = !one.roles.length;
  const pictures = one.pictures.filter((each) => !isRoles(each));
  fill(byId("pictures"), ...pictures.map(({svg, title}) => picture(svg, title, caption(title))));
}

function show() {
  const name = decoder();
  const best = parsed.answers[name];
  const one = rank ? best.alternatives[rank - 1] : best;
  byId("parsed").hidden = false;
  fill(byId("words"), ...words(one));
  const failed = one.failure !== null;
  const output = one.output ? `: ${one.output}` : "";
  byId("meaning").textContent = failed ? `no parse: ${one.failure}${output}` : one.meaning;
  byId("meaning").classList.toggle("bad", failed);
  byId("unknown").textContent = one.unknown.length
    ? `The model never saw the words that are marked: ${one.unknown.join(", ")}. What it makes of them is a guess.` : "";
  showConfidence(one.confidence);
  showRoles(one);
  showReadings(best);
  showMore(name, one);
}

// What another reading has in the place of the first one's words is bold.
function differing(first, other) {
  const one = first.split(" ");
  const two = other.split(" ");
  let start = 0;
  while (start < two.length && one[start] === two[start]) start++;
  let end = 0;
  while (end < two.length - start && end < one.length - start
    && one[one.length - 1 - end] === two[two.length - 1 - end]) end++;
  const at = (from, to) => two.slice(from, to).join(" ");
  const last = two.length - end;
  const around = 4;
  return [
    start > around ? "… " : "", at(Math.max(0, start - around), start), " ",
    last > start ? element("b", at(start, last)) : element("del", one.slice(start, one.length - end).join(" ")),
    " ", at(last, last + around), end > around ? " …" : ""];
}

function showReadings(best) {
  const asked = parsed.best > 1;
  byId("next").hidden = asked || best.failure !== null;
  byId("none").hidden = !asked || best.failure !== null || best.alternatives.length > 0;
  byId("ranks").hidden = !best.alternatives.length;
  fill(byId("ranks"), ...[best, ...best.alternatives].map((reading, i) => {
    const button = element("button", null, {type: "button", "aria-pressed": i === rank});
    button.append(...(i ? differing(best.meaning, reading.meaning) : ["the best reading"]));
    button.addEventListener("click", () => {
      rank = i;
      show();
      byId("ranks").querySelectorAll("button")[i].focus();
    });
    const item = element("li");
    item.append(button);
    if (!i || number(reading.logp) !== number(best.logp)) {
      item.append(element("span", ` log probability ${number(reading.logp)}`, {class: "faint"}));
    }
    return item;
  }));
}

function showMore(name, one) {
  const rows = Object.entries(parsed.answers).map(([other, {logp, projective, meaning, failure}]) => [
    other === name, other, logp === null ? "" : logp.toFixed(2),
    projective === null ? "" : projective ? "no" : "yes",
    failure ? `no parse: ${failure}` : meaning === one.meaning ? "the same meaning" : meaning]);
  table(byId("sides"), ["decoder", "log probability", "arcs cross", `beside ${name}`], rows);
  const why = one.explanation;
  table(byId("choices"), ["token", "supertag", "log probability", "edge", "runner-up", "margin"],
    (why?.choices ?? []).map((choice) => [false, choice.form, choice.supertag,
      number(choice.logp), choice.edge, choice.runner_up ?? "", number(choice.margin)]));
  const shown = element("pre", "", {tabindex: "0", hidden: "", "aria-label": "text"});
  const buttons = Object.entries({SVG: one.pictures[0].svg, ...one.texts}).map(([kind, text]) => {
    const button = element("button", kind, {type: "button"});
    button.addEventListener("click", async () => {
      shown.hidden = false;
      shown.textContent = text;
      try {
        await navigator.clipboard.writeText(text);
        say(`${kind} copied`);
      } catch {
        say(`${kind} below`);
      }
    });
    return button;
  });
  fill(byId("texts"), ...buttons, shown);
  table(byId("times"), ["step", "milliseconds"],
    Object.entries(parsed.milliseconds).map(([step, ms]) => [false, step, ms.toFixed(2)]));
}

function number(value) {
  // No number is -0.00.
  return value === null || value === undefined ? "" : (Math.round(100 * value) / 100 || 0).toFixed(2);
}

function request(sentence, decoders, best) {
  const one = model();
  const asked = {sentence, model: one.name, decoders, best};
  if (one.notations.length) asked.notation = byId("notation").value;
  return asked;
}

function parse(event) {
  event?.preventDefault();
  const one = model();
  const sentence = byId("sentence").value;
  answer("parse", request(sentence, one.decoders.map(({name}) => name), 1), (found) => {
    parsed = {...found, sentence, best: 1};
    rank = 0;
    show();
    if (event) byId("try").open = false;
    history.replaceState(null, "", `#${new URLSearchParams({model: one.name, sentence})}`);
  });
}

// The next readings may take long, so they are found when somebody wants them.
byId("next").addEventListener("click", () => {
  const name = decoder();
  answer("parse", request(parsed.sentence, [name], READINGS), (found) => {
    const shown = parsed.answers[name].meaning;
    const best = found.answers[name];
    parsed = {...parsed, best: READINGS, answers: {...parsed.answers, [name]: best}};
    // Among several readings a likelier one than the search's first may be found; what was shown stays.
    rank = Math.max(0, [best, ...best.alternatives].findIndex(({meaning}) => meaning === shown));
    show();
  });
});
byId("form-parse").addEventListener("submit", parse);
byId("model").addEventListener("change", () => {
  chooseModel();
  parsed = null;
  byId("parsed").hidden = true;
});
byId("notation").addEventListener("change", () => parsed && parse());

async function start() {
  try {
    const about = await ask("about", {});
    models = about.models;
    options(byId("model"), models.map(({name}) => name));
    // A link holds the sentence and the model.
    const link = new URLSearchParams(location.hash.slice(1));
    if (models.some(({name}) => name === link.get("model"))) byId("model").value = link.get("model");
    chooseModel();
    cards();
    byId("try").open = !matchMedia("(max-width: 40rem)").matches;
    complain("");
    say("");
    byId("sentence").value = link.get("sentence") || model().examples[0] || "";
    if (byId("sentence").value) parse();
  } catch (error) {
    complain(error.message);
  }
}
start();
