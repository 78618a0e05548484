// One table: sits down with the link, draws what the seat is sent, chooses, and waits for what is new.
import { ask, begun, element, linked, rulesOf, scores, seatRows, standing, told, Drawing, namer, plain } from "/pages/draw.js";
import { at, sitDown } from "/pages/seat.js";
import { tellAbout } from "/pages/about.js";

const by = (name) => document.getElementById(name);
const details = by("details");
let page = null;
let busy = false;
let written = { from: 0, log: [], rules: {} }; // the lines of the log from one on, and the words of the rules that they cite
let held = null; // what came while an answer is waited for
let lines = 0;
let time = { number: 0, until: 0 }; // of the block of rules whose time runs: which it is, when it is over by the clock of this machine
let move = null; // of a finished game that is watched

function fail(problem) {
  by("error").textContent = problem.message;
}

const choose = (action) => change("choose", { action });

async function change(what, body) {
  if (busy || move !== null) return;
  busy = true;
  by("error").textContent = "";
  try {
    show(await ask(at(what), { ...body, version: page.version }));
  } catch (problem) {
    fail(problem);
    show(await ask(at("page")));
  } finally {
    busy = false;
    take();
  }
}

/** Options of something that was clicked: one is chosen, several are offered. */
function among(actions) {
  if (actions.length === 1) return choose(actions[0]);
  const known = page.view.decision?.options ?? [];
  const buttons = actions.map((action) => option(known.find((one) => one.action === action), null));
  open("Which?", buttons);
}

function closing() {
  const close = element("button", { text: "close" });
  close.addEventListener("click", () => details.close());
  return close;
}

function open(title, parts) {
  details.replaceChildren(element("h2", { text: title }), ...parts, closing());
  details.showModal();
}

function about(thing) {
  const name = namer(page.names);
  const rows = thing.attributes.flatMap(([key, value]) => [element("dt", { text: key }), element("dd", { text: name(value) })]);
  const parts = [element("dl", {}, ...rows), ...rulesOf(thing)];
  const decides = page.view.decision !== null && page.seat !== null;
  if (decides && thing.label) {
    const why = element("p", { class: "why" });
    ask(at(`why?words=${encodeURIComponent(plain(thing.label))}`)).then(
      (found) => {
        if (!found.known || !found.reasons.length) return;
        why.textContent = `cannot be chosen: ${found.reasons.join("; ")}`;
        why.after(...rulesOf({ rules: Object.entries(found.rules).map(([rule, words]) => `${rule}: ${words}`) }));
      }, () => {});
    parts.push(why);
  }
  open(name(thing.label), parts);
}

/** What the component that an option concerns can do, if that is one: the first of its rules, without its number. */
function hint(action) {
  const view = page.view;
  const zones = [...view.zones, ...view.seats.flatMap((seat) => seat.zones), ...view.boards.flatMap((board) => board.cells.flatMap((cell) => cell.zones))];
  const concerned = zones.flatMap((zone) => zone.things ?? []).filter((thing) => thing.options.includes(action));
  return new Set(concerned.map((thing) => plain(thing.label))).size === 1 ? (concerned[0].rules[0] ?? "").replace(/^\S+: /, "") : "";
}

/** Shows on the table what an option concerns. */
function light(action, on) {
  for (const one of document.querySelectorAll(`#table [data-may~="${action}"]`)) one.classList.toggle("lit", on);
}

function option(one, number) {
  const words = element("span", { text: namer(page.names)(one.label) });
  const does = hint(one.action);
  if (does) words.append(element("small", { text: does }));
  const button = element("button", { class: "option" }, number === null ? "" : element("kbd", { text: String(number) }), words);
  for (const [event, on] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]]) button.addEventListener(event, () => light(one.action, on));
  button.addEventListener("click", () => { if (details.open) details.close(); choose(one.action); });
  return button;
}

/** What one did without choosing it: there was nothing else to do, or the time was over. */
function taken() {
  const name = namer(page.names);
  return (page.taken ?? []).map((one) => element("p", { class: "taken", text: `${one.why === "time" ? "The time was over, so this was chosen for you" : "You had one thing to do"}: ${name(one.words)}` }));
}

function offers(decision) {
  const box = by("options");
  if (decision === null) {
    const name = namer(page.names);
    const acting = page.view.acting;
    const waits = page.time ? "" : page.view.status !== "running" ? "" : page.has_chosen ? "You have chosen; the others still choose." : acting === null || !acting.length ? "Somebody else decides." : `${acting.map(name.of).join(", ")} to act.`;
    box.hidden = !waits && !page.taken;
    box.replaceChildren(...taken(), element("p", { class: "waits", text: waits }));
    return;
  }
  const several = decision.least !== 1 || decision.most !== 1;
  const amount = decision.most === null ? (decision.least ? `at least ${decision.least}` : "any number") : decision.least >= decision.most ? `${decision.most}` : `${decision.least} to ${decision.most}`;
  const name = namer(page.names);
  const { part = "", step = "", about = "", reacts_to = "", at_once = false } = page.prompt ?? {};
  const where = [part, step, at_once && "all at once"].filter(Boolean).map(name).join(" · ");
  const head = [element("h2", { text: reacts_to ? `You may react to: ${name(reacts_to)}` : `Your decision${where ? ` · ${where}` : ""}${about ? `: ${name(about)} …` : ""}` })];
  if (several) {
    head.push(element("p", { text: `Take ${amount}, one after the other. Taken so far: ${decision.taken.length ? `${decision.taken.map(name).join(", ")} (${decision.taken.length})` : "nothing yet"}.` }));
  }
  const filter = element("input", { type: "search", placeholder: "type to filter", "aria-label": "filter the options" });
  const list = element("div", { class: "list" });
  const fill = () => {
    const wanted = filter.value.toLowerCase();
    list.replaceChildren(...decision.options.flatMap((one, i) => name(one.label).toLowerCase().includes(wanted) ? [option(one, i + 1)] : []));
  };
  filter.addEventListener("input", fill);
  fill();
  box.hidden = false;
  box.replaceChildren(...taken(), ...head, ...(decision.options.length > 9 ? [filter] : []), list);
}

/** The time that runs: how long it still does; or who has yet to open the table. It tells nothing of who decides. */
function clock() {
  const box = by("time"), kept = page.time ?? null;
  box.hidden = kept === null || move !== null;
  if (box.hidden) return;
  if (kept.waits_for) {
    box.textContent = `The game goes on when ${kept.waits_for.map(namer(page.names).of).join(", ")} has opened the table.`;
    return;
  }
  if (time.number !== kept.number) time = { number: kept.number, until: performance.now() + 1000 * kept.seconds };
  const left = Math.max(0, Math.ceil((time.until - performance.now()) / 1000));
  box.textContent = page.view.decision ? `${left} s left to decide` : `The game goes on in ${left} s, whoever acts.`;
}

/** The log of a page that was sent: it goes on where the one before ends, or begins anew. */
function join(sent) {
  const keeps = written.from <= sent.from && sent.from <= written.from + written.log.length;
  written = {
    from: keeps ? written.from : sent.from,
    log: keeps ? [...written.log.slice(0, sent.from - written.from), ...sent.log] : sent.log,
    rules: { ...written.rules, ...sent.rules },
  };
}

function log() {
  const list = by("log");
  const name = namer(page.names);
  const items = [...begun(written.from ? "" : page.start, name), ...told(written.log, written.rules, name, by("cites").getAttribute("aria-pressed") === "true")];
  let same = 0; // lines that stand there already are left alone, so that the live region tells only what is new
  while (same < items.length && same < list.children.length && list.children[same].textContent === items[same].textContent) same++;
  while (list.children.length > same) list.lastElementChild.remove();
  list.append(...items.slice(same));
  if (items.length !== lines) list.scrollTop = list.scrollHeight;
  lines = items.length;
}

function show(sent) {
  page = sent;
  const name = namer(page.names);
  const view = page.view;
  const focus = document.activeElement?.textContent, wasChoosing = by("options").contains(document.activeElement);
  by("title").textContent = view.title;
  document.title = `${view.decision ? "● " : ""}${view.title}`;
  by("status").textContent = view.status === "running" ? (view.decision ? "It is for you to decide." : "") : standing(view, page.ended, name);
  by("table").replaceChildren(...new Drawing(name, among, about, view.decision !== null).table(view));
  offers(move === null ? view.decision : null);
  clock();
  by("undo").hidden = !page.can_undo || move !== null;
  join(page);
  log();
  over(view.status !== "running" || move !== null);
  const same = focus ? [...document.querySelectorAll("button")].find((one) => one.textContent === focus) : null;
  (same ?? (wasChoosing ? by("options") : null))?.focus({ preventScroll: true }); // from here one goes on with Tab
}

/** The finished game: to watch it again, to say something about a move, to go on from it at another table, to keep it. */
function over(isOver) {
  const box = by("over");
  box.hidden = !isOver;
  if (!isOver || box.childElementCount) return;
  const words = element("span", { text: "the end" });
  const remarks = element("ul", { class: "remarks" });
  const button = (text, go, label = null) => {
    const made = element("button", { text, type: "button", "aria-label": label });
    made.addEventListener("click", go);
    return made;
  };
  const to = async (step) => {
    try {
      const found = await ask(at(`at/${Math.max(0, step)}`));
      move = found.step;
      words.textContent = `${found.step} of ${found.steps}`;
      const name = namer(page.names);
      remarks.replaceChildren(...found.remarks.map((one) => element("li", { class: one.step === move ? "here" : "" },
        button(String(one.step), () => to(one.step), `to move ${one.step}`), ` ${one.seat < 0 ? "a spectator" : name.of(one.seat)}: `, element("span", { text: one.text }))));
      show({ ...found.page, version: page.version });
    } catch (problem) { fail(problem); }
  };
  const remark = element("input", { type: "text", maxlength: 400, "aria-label": "a remark on this move", placeholder: "a remark on this move" });
  const form = element("form", { class: "row" }, remark, element("button", { text: "say it" }));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!remark.value.trim()) return;
    try {
      await ask(at("remark"), { step: move ?? 1e9, text: remark.value.trim() });
      remark.value = "";
      to(move);
    } catch (problem) { fail(problem); }
  });
  box.append(...scores(page.ended, namer(page.names)), element("h2", { text: "Watch it again" }), element("div", { class: "row" },
    button("«", () => to(0), "to the beginning"), button("‹", () => to((move ?? 1e9) - 1), "one move back"),
    button("›", () => to((move ?? 1e9) + 1), "one move on"), button("»", () => to(1e9), "to the end"), words),
    form, remarks, element("div", { class: "row" }, button("Go on from here at a new table", () => fork(move))),
    element("p", {}, "Keep it: ", element("a", { href: at("saved"), text: "the saved game" }), " or ", element("a", { href: at("watch"), text: "a page to watch" })));
  to(1e9);
}

/** A new table that begins where this one stood: who sits there, then the links. */
function fork(step) {
  const rows = element("div", {}, ...seatRows(page.view.players, ["person", "bot"], (seat) => (seat === (page.seat ?? 0) ? "person" : "bot"), page.names));
  const make = element("button", { text: "Make the table", class: "main" });
  make.addEventListener("click", async () => {
    const all = [...rows.querySelectorAll(".row")];
    const names = all.map((row) => row.querySelector("input").value.trim());
    const persons = all.flatMap((row, seat) => (row.querySelector("select").value === "person" ? [seat] : []));
    try {
      const made = await ask(at("fork"), { step, persons, names });
      details.replaceChildren(element("h2", { text: "The links" }), element("ul", { id: "list" }, ...linked(made.links, names)), closing());
    } catch (problem) { details.close(); fail(problem); }
  });
  open(`A new table from move ${step}`, [rows, make]);
}

document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea") || details.open || event.ctrlKey || event.metaKey || event.altKey) return;
  const number = Number(event.key);
  if (event.key === "u" && !by("undo").hidden) by("undo").click();
  if (number >= 1 && number <= 9) by("options").querySelectorAll(".option")[number - 1]?.click();
});
by("undo").addEventListener("click", () => change("undo", {}));
by("cites").addEventListener("click", (event) => {
  const on = event.currentTarget.getAttribute("aria-pressed") !== "true";
  event.currentTarget.setAttribute("aria-pressed", String(on));
  log();
});

/** Shows the page that came last, unless an answer is waited for. */
function take() {
  if (busy || held === null) return;
  const sent = held;
  held = null;
  if (sent.version !== page.version && move === null) show(sent);
}

/** Listens for what is new; a browser finds a lost connection again by itself, unless it was refused. */
function follow(pause) {
  const news = new EventSource(at(`news?after=${page.version}`));
  news.addEventListener("message", (event) => {
    pause = 500;
    by("error").textContent = "";
    held = JSON.parse(event.data);
    if (held.view.status !== "running") news.close();
    if (move === null) join(held);
    take();
    tellAbout(60000);
  });
  news.addEventListener("links", () => tellAbout());
  news.addEventListener("error", () => {
    fail(new Error("no connection; trying again"));
    if (news.readyState === EventSource.CLOSED) setTimeout(again, pause, pause);
  });
}

async function again(pause) {
  try {
    show(await ask(at("page")));
    tellAbout();
    follow(Math.min(pause * 2, 10000));
  } catch (problem) {
    fail(problem);
    if (!problem.status || problem.status === 429 || problem.status === 503) setTimeout(again, pause, Math.min(pause * 2, 10000));
  }
}

setInterval(() => { if (page?.time?.number) clock(); }, 250);

try {
  await sitDown();
  show(await ask(at("page")));
  tellAbout();
  follow(500);
} catch (problem) {
  fail(problem);
  tellAbout(); // whoever made the table need not sit at it
}
