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

function picture(svg, title) {
  const box = element("div", null, {class: "picture", tabindex: "0", role: "group", "aria-label": title});
  // The page has this style already.
  const bare = svg.replace(/<style>[^<]*<\/style>/, "");
  const read = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
  box.append(document.importNode(read, true));
  return box;
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

// Tabs, by arrow keys as well.
const tabs = [...document.querySelectorAll('[role="tab"]')];
function choose(tab) {
  for (const other of tabs) {
    const on = other === tab;
    other.setAttribute("aria-selected", on);
    other.tabIndex = on ? 0 : -1;
    byId(other.getAttribute("aria-controls")).hidden = !on;
  }
  complain("");
  say("");
}
tabs.forEach((tab, i) => {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", (event) => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step) return;
    const next = tabs[(i + step + tabs.length) % tabs.length];
    choose(next);
    next.focus();
    event.preventDefault();
  });
});

// Parse
let models = [];
let parsed = null;
const model = () => models.find((one) => one.name === byId("model").value);
const decoder = () => document.querySelector('input[name="decoder"]:checked').value;

function chooseModel() {
  const one = model();
  options(byId("notation"), one.notations.length ? one.notations : [one.notation || "graph"]);
  if (one.notation) byId("notation").value = one.notation;
  const labels = one.decoders.map(({name, trees}, i) => {
    const label = element("label");
    const input = element("input", null, {type: "radio", name: "decoder", value: name});
    input.checked = i === 0;
    input.addEventListener("change", () => parsed && show());
    label.append(input, ` ${name}`, element("span", trees ? `: ${trees}` : "", {class: "faint"}));
    return label;
  });
  fill(byId("decoders"), element("legend", "Decoder"), ...labels);
  const languages = one.languages.length ? ` (${one.languages.join(", ")})` : "";
  byId("reads").textContent = one.reads ? `This model reads: ${one.reads}${languages}.` : "";
  fill(byId("examples"), ...one.examples.map((text) => {
    const button = element("button", text, {type: "button"});
    button.addEventListener("click", () => { byId("sentence").value = text; parse(); });
    return button;
  }));
}

function show() {
  const name = decoder();
  const one = parsed.answers[name];
  byId("parsed").hidden = false;
  byId("more").hidden = false;
  fill(byId("words"), ...parsed.tokens.flatMap((token) => [
    one.unknown.includes(token) ? element("mark", token, {title: "the model never saw this word"}) : token, " "]));
  const failed = one.failure !== null;
  const output = one.output ? `: ${one.output}` : "";
  byId("meaning").textContent = failed ? `no parse: ${one.failure}${output}` : one.meaning;
  byId("meaning").classList.toggle("bad", failed);
  byId("unknown").textContent = one.unknown.length
    ? `The model never saw: ${one.unknown.join(", ")}. Their analysis is a guess.` : "";
  byId("confidence").textContent = one.confidence === null ? ""
    : `Right with a probability of ${Math.round(100 * one.confidence)} %, as far as the model knows.`;
  const why = one.explanation;
  fill(byId("pieces"), ...(why?.pieces ?? []).map((piece) => element("li",
    `tokens ${piece.first}-${piece.last} are well typed: “${piece.text}”, root ${piece.head}, type ${piece.type}`)));
  const pictures = one.beside ? [...one.pictures, one.beside] : one.pictures;
  fill(byId("pictures"), ...pictures.map(({svg, title}) => picture(svg, title)));
  const rows = Object.entries(parsed.answers).map(([other, {logp, projective, meaning, failure}]) => [
    other === name, other, logp === null ? "" : logp.toFixed(2),
    projective === null ? "" : projective ? "no" : "yes",
    failure ? `no parse: ${failure}` : meaning === one.meaning ? "the same meaning" : meaning]);
  table(byId("sides"), ["decoder", "log probability", "arcs cross", `beside ${name}`], rows);
  table(byId("choices"), ["token", "supertag", "log probability", "edge", "runner-up", "margin"],
    (why?.choices ?? []).map((choice) => [false, choice.form, choice.supertag,
      number(choice.logp), choice.edge, choice.runner_up ?? "", number(choice.margin)]));
  const ruled = (why?.choices ?? []).flatMap((choice) => choice.ruled_out.map((out) => element("li",
    `${choice.form}: ${out.what} (log probability ${number(out.logp)}) is ruled out by lexicon.${out.restriction}`)));
  fill(byId("ruled"), ...ruled);
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

function parse(event) {
  event?.preventDefault();
  const one = model();
  const request = {
    sentence: byId("sentence").value,
    model: one.name,
    decoders: one.decoders.map(({name}) => name),
  };
  if (one.notations.length) request.notation = byId("notation").value;
  answer("parse", request, (found) => {
    parsed = found;
    show();
    history.replaceState(null, "", `#${new URLSearchParams({model: one.name, sentence: request.sentence})}`);
  });
}
byId("form-parse").addEventListener("submit", parse);
byId("model").addEventListener("change", () => {
  chooseModel();
  parsed = null;
  byId("parsed").hidden = true;
  byId("more").hidden = true;
});
byId("notation").addEventListener("change", () => parsed && parse());

// Grammar
byId("form-grammar").addEventListener("submit", (event) => {
  event.preventDefault();
  const request = {grammar: byId("grammar").value, sentence: byId("grammar-sentence").value};
  answer("grammar", request, (found) => {
    const count = found.derivations.length;
    const parts = found.derivations.flatMap(({derivation, meaning, svg}, i) => [
      element("h2", `Derivation ${i + 1} of ${found.more ? `more than ${count}` : count}`),
      element("div", meaning, {class: "meaning"}),
      picture(svg, derivation),
    ]);
    fill(byId("derivations"), ...parts);
  });
});

// Inference
function polar(target, words) {
  const marks = {upward: "↑", downward: "↓"};
  fill(target, ...words.flatMap(([word, polarity]) => [element("span",
    `${word}${marks[polarity] ?? ""}`,
    {class: `polar ${polarity}`, ...(polarity ? {title: polarity} : {})}), " "]));
}
byId("form-infer").addEventListener("submit", (event) => {
  event.preventDefault();
  const request = {
    premise: byId("premise").value, hypothesis: byId("hypothesis").value, by: byId("by").value,
  };
  answer("infer", request, (found) => {
    byId("inferred").hidden = false;
    byId("label").textContent = found.label;
    fill(byId("steps"), ...found.steps.map((step) => element("li", step)));
    polar(byId("polar-premise"), found.premise);
    polar(byId("polar-hypothesis"), found.hypothesis);
  });
});

async function start() {
  try {
    const about = await ask("about", {});
    models = about.models;
    options(byId("model"), models.map(({name}) => name));
    options(byId("grammar"), about.grammars);
    options(byId("by"), about.inferences);
    // A grammar that the default model's sentences may come from.
    if (about.grammars.includes(models[0].name)) byId("grammar").value = models[0].name;
    // A link holds the sentence and the model.
    const link = new URLSearchParams(location.hash.slice(1));
    if (models.some(({name}) => name === link.get("model"))) byId("model").value = link.get("model");
    chooseModel();
    complain("");
    say("");
    if (link.get("sentence")) {
      byId("sentence").value = link.get("sentence");
      parse();
    }
  } catch (error) {
    complain(error.message);
  }
}
start();
