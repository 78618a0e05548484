// One table: sits down with the link, draws what the seat is sent, chooses, and waits for what is new.
import { ask, element, Drawing, namer } from "/pages/draw.js";

const id = location.pathname.split("/").at(-1);
const base = `/api/t/${id}`;
const by = (name) => document.getElementById(name);
const details = by("details");
let page = null;
let busy = false;
let told = 0;
let move = null; // of a finished game that is watched

function fail(problem) {
  by("error").textContent = problem.message;
}

async function sitDown() {
  if (location.hash.length > 1) {
    await ask(`${base}/seat`, { token: location.hash.slice(1) });
    history.replaceState(null, "", location.pathname);
  }
}

async function choose(action) {
  if (busy || move !== null) return;
  busy = true;
  by("error").textContent = "";
  try {
    show(await ask(`${base}/choose`, { action, version: page.version }));
  } catch (problem) {
    fail(problem);
    show(await ask(`${base}/page`));
  } finally {
    busy = false;
  }
}

/** Options of something that was clicked: one is chosen, several are offered. */
function among(actions) {
  if (actions.length === 1) return choose(actions[0]);
  const known = page.view.decision?.options ?? [];
  const buttons = actions.map((action) => option(known.find((one) => one.action === action), null));
  open("Which?", buttons);
}

function open(title, parts) {
  const close = element("button", { text: "close" });
  close.addEventListener("click", () => details.close());
  details.replaceChildren(element("h2", { text: title }), ...parts, close);
  details.showModal();
}

function about(thing) {
  const name = namer(page.names);
  const rows = thing.attributes.flatMap(([key, value]) => [element("dt", { text: key }), element("dd", { text: name(value) })]);
  const parts = [element("dl", {}, ...rows)];
  const decides = page.view.decision !== null && page.seat !== null;
  if (decides && thing.label) {
    const why = element("p", { class: "why" });
    ask(`${base}/why?words=${encodeURIComponent(thing.label)}`).then(
      (found) => { why.textContent = found.known && found.reasons.length ? `cannot be chosen: ${found.reasons.map(name).join("; ")}` : ""; }, () => {});
    parts.push(why);
  }
  open(name(thing.label), parts);
}

function option(one, number) {
  const button = element("button", { class: "option" }, number === null ? "" : element("kbd", { text: String(number) }), " ", element("span", { text: namer(page.names)(one.label) }));
  button.addEventListener("click", () => { if (details.open) details.close(); choose(one.action); });
  return button;
}

function offers(decision) {
  const box = by("options");
  if (decision === null) {
    const name = namer(page.names);
    const acting = page.view.acting;
    const waits = page.view.status !== "running" ? "" : page.has_chosen ? "You have chosen; the others still choose." : acting === null || !acting.length ? "Somebody else decides." : `${acting.map((seat) => name(`player ${seat + 1}`)).join(", ")} to act.`;
    box.replaceChildren(element("p", { class: "waits", text: waits }));
    return;
  }
  const several = decision.least !== 1 || decision.most !== 1;
  const amount = decision.most === null ? (decision.least ? `at least ${decision.least}` : "any number") : decision.least >= decision.most ? `${decision.most}` : `${decision.least} to ${decision.most}`;
  const head = [element("h2", { text: "Your decision" })];
  if (several) {
    head.push(element("p", { text: `Take ${amount}, one by one in this order. Taken: ${decision.taken.length ? `${decision.taken.map(namer(page.names)).join(", ")} (${decision.taken.length})` : "nothing yet"}.` }));
  }
  const filter = element("input", { type: "search", placeholder: "type to filter", "aria-label": "filter the options" });
  const list = element("div", { class: "list" });
  const fill = () => {
    const wanted = filter.value.toLowerCase();
    const name = namer(page.names);
    list.replaceChildren(...decision.options.flatMap((one, i) => name(one.label).toLowerCase().includes(wanted) ? [option(one, i + 1)] : []));
  };
  filter.addEventListener("input", fill);
  fill();
  box.replaceChildren(...head, ...(decision.options.length > 9 ? [filter] : []), list);
}

function log(lines, rules) {
  const name = namer(page.names);
  const cites = by("cites").getAttribute("aria-pressed") === "true";
  const list = by("log");
  const items = lines.map((line) => {
    const cited = cites && line.rules.length ? element("small", { text: ` [${line.rules.join(", ")}]`, title: line.rules.map((id) => `${id}: ${rules[id] ?? ""}`).join("\n") }) : "";
    return element("li", { class: line.actor === null ? "" : `p${line.actor + 1}` }, line.heading ? element("strong", { text: name(line.heading) }) : "", line.heading && line.text ? " · " : "", element("span", { text: name(line.text) }), cited);
  });
  let same = 0; // lines that stand there already are left alone, so that the live region tells only what is new
  while (same < items.length && same < list.children.length && list.children[same].textContent === items[same].textContent) same++;
  while (list.children.length > same) list.lastElementChild.remove();
  list.append(...items.slice(same));
  if (items.length !== told) list.scrollTop = list.scrollHeight;
  told = items.length;
}

function show(sent) {
  page = sent;
  const name = namer(page.names);
  const view = page.view;
  const focus = document.activeElement?.textContent;
  by("title").textContent = view.title;
  document.title = `${view.decision ? "● " : ""}${view.title}`;
  const winners = view.seats.filter((seat) => seat.is_winner).map((seat) => name(`player ${seat.seat + 1}`));
  by("status").textContent = view.status === "running" ? (view.decision ? "It is for you to decide." : "") : `${view.status}: ${winners.length ? `won by ${winners.join(", ")}` : "nobody wins"}${view.result ? ` (${name(view.result)})` : ""}`;
  by("table").replaceChildren(...new Drawing(name, among, about).table(view));
  offers(move === null ? view.decision : null);
  log(page.log, page.rules);
  over(view.status !== "running" || move !== null);
  if (focus) [...document.querySelectorAll("button")].find((one) => one.textContent === focus)?.focus({ preventScroll: true });
}

function over(isOver) {
  const box = by("over");
  if (!isOver || box.childElementCount) { box.hidden = !isOver; return; }
  box.hidden = false;
  const words = element("span", { text: "the end" });
  const to = async (step) => {
    try {
      const found = await ask(`${base}/at/${Math.max(0, step)}`);
      move = found.step;
      words.textContent = `${found.step} of ${found.steps}`;
      show({ ...found.page, version: page.version });
    } catch (problem) { fail(problem); }
  };
  const button = (text, go) => { const made = element("button", { text }); made.addEventListener("click", go); return made; };
  box.append(element("h2", { text: "Watch it again" }), element("div", { class: "row" },
    button("⏮", () => to(0)), button("◀", () => to((move ?? 1e9) - 1)), button("▶", () => to((move ?? 1e9) + 1)), button("⏭", () => to(1e9)), words),
    element("p", {}, element("a", { href: `${base}/saved`, text: "the saved game" })));
}

document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select") || details.open || event.ctrlKey || event.metaKey || event.altKey) return;
  const number = Number(event.key);
  if (number >= 1 && number <= 9) by("options").querySelectorAll(".option")[number - 1]?.click();
});
by("cites").addEventListener("click", (event) => {
  const on = event.currentTarget.getAttribute("aria-pressed") !== "true";
  event.currentTarget.setAttribute("aria-pressed", String(on));
  log(page.log, page.rules);
});

async function follow() {
  let pause = 500;
  for (;;) {
    try {
      const sent = await ask(`${base}/page?after=${page.version}`);
      by("error").textContent = "";
      pause = 500;
      if (sent.version !== page.version && !busy && move === null) show(sent);
      if (sent.view.status !== "running") return;
    } catch (problem) {
      fail(problem.status ? problem : new Error("no connection; trying again"));
      if (problem.status && problem.status !== 429) return;
      await new Promise((resolve) => setTimeout(resolve, (pause = Math.min(pause * 2, 10000))));
    }
  }
}

try {
  await sitDown();
  show(await ask(`${base}/page`));
  follow();
} catch (problem) {
  fail(problem);
}
