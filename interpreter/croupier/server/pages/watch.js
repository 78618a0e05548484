// Steps through a game that is packed into its page.
import { begun, element, rulesOf, scores, standing, told, Drawing, namer } from "/pages/draw.js";

const at = (name) => document.getElementById(name);

async function unpacked() {
  const bytes = Uint8Array.from(atob(at("game").textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

const game = await unpacked();
const say = namer(game.names);
const logs = [];
for (const moment of game.moments) logs.push([...(logs.at(-1) ?? []).slice(0, moment.kept), ...moment.log]);
let step = 0;

function describe(thing) {
  const close = element("button", { text: "close" });
  close.addEventListener("click", () => at("details").close());
  const rows = thing.attributes.flatMap(([key, value]) => [element("dt", { text: key }), element("dd", { text: say(value) })]);
  at("details").replaceChildren(element("h2", { text: say(thing.label) }), element("dl", {}, ...rows), ...rulesOf(thing), close);
  at("details").showModal();
}

function go(to) {
  step = Math.max(0, Math.min(game.moments.length - 1, to));
  const { view } = game.moments[step];
  document.title = view.title;
  at("title").textContent = view.title;
  at("where").textContent = `${step} of ${game.moments.length - 1}`;
  at("slider").value = step;
  at("status").textContent = view.status === "running" ? "" : standing(view, game.ended, say);
  at("table").replaceChildren(...new Drawing(say, () => go(step + 1), describe).table(view));
  const options = view.decision?.options ?? [];
  at("options").hidden = !options.length;
  at("options").replaceChildren(element("h2", { text: "What could be chosen" }), element("ul", {}, ...options.map((one) => element("li", { text: say(one.label) }))));
  const fresh = step ? game.moments[step].kept : 0;
  at("end").replaceChildren(...(view.status === "running" ? [] : scores(game.ended, say)));
  at("log").replaceChildren(...begun(game.start, say), ...told(logs[step], game.rules, say, true, (line, i) => (i >= fresh ? " fresh" : "")));
  at("remarks").replaceChildren(...game.remarks.filter((one) => one.step === step).map((one) => element("li", { text: `${one.seat < 0 ? "a spectator" : say.of(one.seat)}: ${one.text}` })));
  at("log").scrollTop = at("log").scrollHeight;
}

at("slider").max = game.moments.length - 1;
at("slider").addEventListener("input", () => go(Number(at("slider").value)));
at("first").addEventListener("click", () => go(0));
at("back").addEventListener("click", () => go(step - 1));
at("next").addEventListener("click", () => go(step + 1));
at("last").addEventListener("click", () => go(Infinity));
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input")) return;
  if (event.key === "ArrowRight") go(step + 1);
  if (event.key === "ArrowLeft") go(step - 1);
});
go(0);
