// Makes tables: what is offered, who sits where, the links of the seats.
import { element, ask } from "/pages/draw.js";

const game = document.getElementById("game");
const players = document.getElementById("players");
const seats = document.getElementById("seats");
const bot = document.getElementById("bot");
const title = document.getElementById("title");
const error = document.getElementById("error");

async function fillPlayers() {
  error.textContent = "";
  try {
    const known = await ask(`/api/game?name=${encodeURIComponent(game.value)}`);
    title.textContent = known.title;
    players.replaceChildren(...known.players.map((n) => element("option", { value: n, text: String(n) })));
    players.value = known.usual ?? known.players[0];
    fillSeats();
  } catch (problem) {
    error.textContent = problem.message;
  }
}

function fillSeats() {
  const rows = Array.from({ length: Number(players.value) }, (_, seat) => {
    const who = element("select", { "aria-label": `who plays seat ${seat + 1}` },
      element("option", { value: "person", text: "a person" }), element("option", { value: "bot", text: "a bot" }));
    who.value = seat === 0 ? "person" : "bot";
    return element("div", { class: "row" }, element("span", { text: `seat ${seat + 1}` }), who,
      element("input", { type: "text", maxlength: 40, placeholder: `player ${seat + 1}`, "aria-label": `name of seat ${seat + 1}` }));
  });
  seats.replaceChildren(seats.firstElementChild, ...rows);
}

document.getElementById("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  error.textContent = "";
  const rows = [...seats.querySelectorAll(".row")];
  const persons = rows.flatMap((row, seat) => (row.querySelector("select").value === "person" ? [seat] : []));
  const names = rows.map((row) => row.querySelector("input").value.trim());
  try {
    const made = await ask("/api/tables", { ruleset: game.value, players: Number(players.value), persons, bot: bot.value, names });
    document.getElementById("list").replaceChildren(...made.links.map((one) => {
      const words = one.seat === null ? "to look on" : names[one.seat] || `player ${one.seat + 1}`;
      return element("li", {}, element("strong", { text: words }), " ", element("a", { href: one.link, text: location.origin + one.link }));
    }));
    document.getElementById("links").hidden = false;
    document.getElementById("links").scrollIntoView();
  } catch (problem) {
    error.textContent = problem.message;
  }
});

try {
  const offered = await ask("/api/games");
  game.replaceChildren(...offered.games.map((name) => element("option", { value: name, text: name.split("/").at(-1).replace(/\.yaml$/, "").replaceAll("_", " ") })));
  bot.replaceChildren(...offered.bots.map((name) => element("option", { value: name, text: name })));
  game.addEventListener("change", fillPlayers);
  players.addEventListener("change", fillSeats);
  await fillPlayers();
} catch (problem) {
  error.textContent = problem.message;
}
