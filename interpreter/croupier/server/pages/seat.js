// The seat of this tab. It is kept for the tab alone and named in every address, so that two tabs of one browser may have two seats of a table.
import { ask, element, namer } from "/pages/draw.js";

const id = location.pathname.split("/").at(-1);
const base = `/api/t/${id}`;
const kept = `seat of ${id}`;
const WATCH = "watch";

/** The address of something at this table, for the seat of this tab. */
export function at(path) {
  const seat = sessionStorage.getItem(kept);
  return `${base}/${path}${seat === null ? "" : `${path.includes("?") ? "&" : "?"}seat=${seat}`}`;
}

const remember = (seat) => sessionStorage.setItem(kept, seat ?? WATCH);

/** Which of some values somebody picks, each with its words; the last one if they close the question. */
function picked(title, text, choices) {
  return new Promise((resolve) => {
    const box = document.getElementById("details");
    const answer = (value) => () => { resolve(value); box.close(); };
    const buttons = choices.map(([words, value]) => {
      const button = element("button", { text: words, class: "option" });
      button.addEventListener("click", answer(value));
      return button;
    });
    box.addEventListener("close", () => resolve(choices.at(-1)[1]), { once: true });
    box.replaceChildren(element("h2", { text: title }), element("p", { text }), ...buttons);
    box.showModal();
  });
}

/** Sits down with the link; where the browser holds another seat of the table, it asks first. */
async function open(token) {
  try {
    return remember((await ask(`${base}/seat`, { token })).seat);
  } catch (problem) {
    const { held, names, seat } = problem.details ?? {};
    if (seat === undefined || !held?.length) throw problem;
    const name = namer(names);
    const others = held.map(name.of).join(" and ");
    const choices = [[`Sit in this tab as ${name.of(seat)}`, { token, take: true }], ["Look on", WATCH], ...held.map((one) => [`Go on as ${name.of(one)}`, one])];
    const answer = await picked("Another seat of this table",
      `This browser already has the seat of ${others}. The link is for the seat of ${name.of(seat)}: whoever sits there sees what is for them alone.`, choices);
    return remember(typeof answer === "object" ? (await ask(`${base}/seat`, answer)).seat : answer);
  }
}

/** Without a link and without a seat of this tab: the one that the browser has, or one of several. */
async function find() {
  try {
    remember((await ask(`${base}/page`)).seat);
  } catch (problem) {
    const { held, names } = problem.details ?? {};
    if (!held?.length) throw problem;
    const name = namer(names);
    remember(await picked("Several seats of this table", "Which seat is this tab for?", [["Look on", WATCH], ...held.map((one) => [name.of(one), one])]));
  }
}

/** The seat of this tab is settled: by the link, by what the tab had, by what the browser has. */
export async function sitDown() {
  const token = location.hash.slice(1);
  if (token) {
    await open(token);
    history.replaceState(null, "", location.pathname);
  } else if (sessionStorage.getItem(kept) === null) {
    await find();
  }
}

addEventListener("hashchange", () => location.reload()); // a link that is opened in this tab
