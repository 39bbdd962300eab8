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
  }).catch(() => { throw new Error("The server does not answer. Is `amparser serve` still running?"); });
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
    if (mine !== turn) return;
    complain(`No answer: ${error.message}`);
    byId("parsed").hidden = !parsed;
  }
}

// A picture fits the width. Buttons, keys and the wheel zoom; the mouse drags, and fingers scroll.
const STEP = 1.5;
const LARGEST = 16000;
function picture(svg, title, caption) {
  const box = element("div", null, {class: "picture", tabindex: "0", role: "group", "aria-label": title});
  // The page has this style already.
  const bare = svg.replace(/<style>[^<]*<\/style>/, "");
  const read = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
  box.append(document.importNode(read, true));
  const head = element("figcaption", caption);
  for (const [sign, name, factor] of [["\u2212", "smaller", 1 / STEP], ["+", "larger", STEP], ["fit", "fit the width", 0]]) {
    const button = element("button", sign, {type: "button", "aria-label": `${name}: ${caption}`});
    button.addEventListener("click", () => zoom(box, factor));
    head.append(button);
  }
  box.addEventListener("keydown", ({key}) => {
    const factor = {"+": STEP, "-": 1 / STEP, "0": 0}[key];
    if (factor !== undefined) zoom(box, factor);
  });
  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(box, event.deltaY < 0 ? STEP : 1 / STEP);
  });
  box.addEventListener("pointermove", (event) => {
    if (event.buttons === 1 && event.pointerType === "mouse") box.scrollBy(-event.movementX, -event.movementY);
  });
  const figure = element("figure");
  figure.append(head, box);
  return figure;
}

// Zoom by a factor around the middle, never below the width of the page; 0 fits the picture again.
function zoom(box, factor) {
  const drawn = box.firstElementChild;
  const before = drawn.getBoundingClientRect().width;
  const middle = (box.scrollLeft + box.clientWidth / 2) / before;
  box.classList.remove("zoomed");
  drawn.style.width = "";
  const width = Math.min(LARGEST, before * factor);
  if (width <= drawn.getBoundingClientRect().width) return;
  box.classList.add("zoomed");
  drawn.style.width = `${width}px`;
  box.scrollLeft = middle * width - box.clientWidth / 2;
}

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
        write(text);
        parse(event);
      });
      card.append(button);
    }
    return card;
  }));
}

// The sentence as it was typed, its unknown and ignored words marked.
function words(answered) {
  const text = parsed.sentence;
  const parts = [];
  let end = 0;
  parsed.places.forEach(([from, to], i) => {
    if (from < end) return;
    const isUnknown = answered.unknown.includes(parsed.tokens[i]);
    const isIgnored = answered.ignored.includes(parsed.tokens[i]);
    const about = [isUnknown && "the model never saw this word", isIgnored && "the meaning leaves this word out"];
    const word = element(isUnknown || isIgnored ? "mark" : "span", text.slice(from, to), {"data-token": i + 1});
    word.title = about.filter(Boolean).join("; ");
    word.classList.toggle("ignored", isIgnored);
    parts.push(text.slice(end, from), word);
    end = to;
  });
  return [...parts, text.slice(end)];
}

// A part of an answer lights the words that it comes from, by mouse, touch and keyboard.
function linked(text, tokens) {
  const part = element("button", text, {type: "button", class: "linked"});
  const light = (on) => byId("words").querySelectorAll("[data-token]").forEach((word) => {
    if (tokens.includes(Number(word.dataset.token))) word.classList.toggle("lit", on);
  });
  for (const event of ["mouseenter", "focus"]) part.addEventListener(event, () => light(true));
  for (const event of ["mouseleave", "blur"]) part.addEventListener(event, () => light(false));
  part.title = `from: ${tokens.map((token) => parsed.tokens[token - 1]).join(" ")}`;
  return part;
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

const tokensIn = ([first, last]) => Array.from({length: last - first + 1}, (_, i) => first + i);

function showRoles(one) {
  fill(byId("roles"), ...one.cards.map(({predicate, negated, place, roles}) => {
    const card = element("section", null, {class: "card"});
    const title = element("h2");
    title.append(negated ? "not: " : "", linked(predicate, tokensIn(place)));
    const list = element("dl");
    for (const {role, gloss, text, place: phrase} of roles) {
      const argument = element("dd");
      argument.append(linked(text, tokensIn(phrase)));
      list.append(element("dt", gloss || role), argument);
    }
    card.append(title, list);
    return card;
  }));
  byId("roles").hidden = !one.cards.length;
  fill(byId("pictures"), ...one.pictures.map(({svg, title}) => picture(svg, title, caption(title))));
}

function showMeaning(one) {
  const failed = one.failure !== null;
  const [reason, ...doubts] = failed ? one.in_words : [null, ...one.in_words];
  const parts = one.json.map(([text, tokens]) => (tokens.length ? linked(text, tokens) : text));
  fill(byId("meaning"), ...(failed ? [reason + (one.output ? ` ${one.output}` : "")] : parts.length ? parts : [one.meaning]));
  byId("meaning").classList.toggle("bad", failed);
  fill(byId("notes"), ...doubts.map((text) => element("li", text)));
  // A refusal and a short structure come before the pictures.
  if (failed || parts.length) byId("pictures").before(byId("answer"));
  else byId("pictures").after(byId("answer"));
}

function show() {
  const name = decoder();
  const best = parsed.answers[name];
  const one = rank ? best.alternatives[rank - 1] : best;
  byId("parsed").hidden = false;
  fill(byId("words"), ...words(one));
  showMeaning(one);
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
    failure ? `no meaning: ${failure}` : meaning === one.meaning ? "the same meaning" : meaning]);
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
  parsed = null;
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
  if (!parsed) return;
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
// The input grows with its text. Enter parses, with Shift it begins a line.
function grow() {
  const input = byId("sentence");
  input.style.height = "auto";
  input.style.height = `${input.scrollHeight + input.offsetHeight - input.clientHeight}px`;
}
function write(text) {
  byId("sentence").value = text;
  grow();
}
byId("sentence").addEventListener("input", grow);
addEventListener("resize", grow);
byId("sentence").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) parse(event);
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
    write(link.get("sentence") || model().examples[0] || "");
    if (byId("sentence").value) parse();
  } catch (error) {
    complain(error.message);
  }
}
start();
