// Makes tables: what is offered, which variants and parameters hold, who sits where, the links of the seats.
import { element, ask, linked, seatRows } from "/pages/draw.js";

const by = (id) => document.getElementById(id);
const game = by("game"), players = by("players"), seats = by("seats"), error = by("error");
let bots = [];
let newest = null; // the table that was made last

const chosen = () => [...by("variants").querySelectorAll("input:checked")].map((box) => box.value);

/** What is known of the game with the variants that are ticked; those stay ticked. */
async function describe() {
  error.textContent = "";
  try {
    const query = new URLSearchParams([["name", game.value], ...chosen().map((variant) => ["variant", variant])]);
    const known = await ask(`/api/game?${query}`);
    by("title").textContent = known.title;
    bots = known.bots;
    by("problem").hidden = !known.problem;
    by("problem").textContent = known.problem ? `The files of this game are wrong. A new table has the rules of before.\n${known.problem}` : "";
    const before = Number(players.value);
    players.replaceChildren(...known.players.map((n) => element("option", { value: n, text: String(n) })));
    players.value = known.players.includes(before) ? before : known.usual ?? known.players[0];
    parameters(known.parameters);
    fillSeats();
    return known;
  } catch (problem) {
    error.textContent = problem.message;
    return null;
  }
}

async function another() {
  by("variants").querySelector(".rows").replaceChildren();
  players.replaceChildren();
  const known = await describe();
  const names = known?.variants ?? [];
  by("variants").hidden = !names.length;
  by("variants").querySelector(".rows").replaceChildren(...names.map((name) => {
    const box = element("input", { type: "checkbox", value: name });
    box.addEventListener("change", describe);
    return element("label", { class: "tick" }, box, ` ${name.replaceAll("_", " ")}`);
  }));
}

function parameters(list) {
  by("parameters").hidden = !list.length;
  const kept = new Map([...by("parameters").querySelectorAll("[name]")].filter((box) => box.value !== box.dataset.usual).map((box) => [box.name, box.value]));
  by("parameters").querySelector(".rows").replaceChildren(...list.map((one) => {
    const usual = typeof one.default === "string" ? one.default : one.default === null ? "none" : JSON.stringify(one.default);
    const values = one.choices.length ? one.choices : one.type === "bool" ? ["true", "false"] : [];
    const box = values.length
      ? element("select", { name: one.name }, ...values.map((value) => element("option", { value, text: value.replaceAll("_", " ") })))
      : element("input", { name: one.name, type: "text" });
    box.value = kept.get(one.name) ?? usual;
    if (box.value === "") box.value = usual;
    box.dataset.usual = usual;
    return element("label", { class: "parameter" }, element("span", { text: one.name.replaceAll("_", " ") }), box, element("small", { text: `${one.doc ? `${one.doc}; ` : ""}${one.type}` }));
  }));
}

/** The parameters that are not as usual. What is JSON is sent as that, other words as they are. */
function settings() {
  return Object.fromEntries([...by("parameters").querySelectorAll("[name]")].filter((box) => box.value !== box.dataset.usual).map((box) => {
    try { return [box.name, JSON.parse(box.value)]; } catch { return [box.name, box.value]; }
  }));
}

function fillSeats() {
  seats.replaceChildren(seats.firstElementChild, ...seatRows(Number(players.value), ["person", ...bots], (seat) => (seat === 0 ? "person" : bots[0])));
}

/** Replaces the links of a new table that somebody has used by words, until all are used. */
function watchLinks(table) {
  const look = async () => {
    if (newest !== table) return;
    try {
      const { links } = await ask(`/api/t/${table}/about`);
      for (const one of links.filter((one) => one.state !== "open")) {
        by("list").querySelector(`[data-seat="${one.seat}"] a`)?.replaceWith(element("span", { text: one.state === "taken" ? "somebody sits there" : "revoked" }));
      }
      if (!links.some((one) => one.seat !== null && one.state === "open")) return;
    } catch {
      // the server is busy, or is started again
    }
    setTimeout(look, 5000);
  };
  newest = table;
  setTimeout(look, 5000);
}

by("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  error.textContent = "";
  const rows = [...seats.querySelectorAll(".row")];
  const who = rows.map((row) => row.querySelector("select").value);
  const names = rows.map((row) => row.querySelector("input").value.trim());
  try {
    const made = await ask("/api/tables", {
      ruleset: game.value, players: Number(players.value), persons: who.flatMap((one, seat) => (one === "person" ? [seat] : [])),
      bots: who.map((one) => (one === "person" ? bots[0] : one)), names, parameters: settings(), variants: chosen(),
    });
    by("list").replaceChildren(...linked(made.links, names));
    by("links").hidden = false;
    by("again").href = new URL(made.links[0].link, location.href).pathname;
    if (made.links[0].link.startsWith("/")) watchLinks(made.id); // else another process serves it, and asks for its page
    by("links").scrollIntoView();
  } catch (problem) {
    error.textContent = problem.message;
  }
});

try {
  const offered = await ask("/api/games");
  game.replaceChildren(...offered.games.map((name) => element("option", { value: name, text: name.split("/").at(-1).replace(/\.yaml$/, "").replaceAll("_", " ") })));
  game.addEventListener("change", another);
  players.addEventListener("change", fillSeats);
  await another();
} catch (problem) {
  error.textContent = problem.message;
}
