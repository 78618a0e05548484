// What everybody at a table should know of it; and the links of its seats: all of them for whoever made it, one's own for others.
import { ask, element, namer } from "/pages/draw.js";
import { at } from "/pages/seat.js";

const by = (name) => document.getElementById(name);
const STATES = { open: "not taken yet", taken: "taken", revoked: "revoked" };
let asked = -Infinity; // when, in milliseconds
const shown = new Map(); // links that were issued here and not used yet, by seat

/** Asks for it and shows it, unless that was done in the last so many milliseconds. */
export async function tellAbout(pause = 0) {
  if (performance.now() - asked < pause) return;
  asked = performance.now();
  try {
    const about = await ask(at("about"));
    by("notices").hidden = !about.notices.length;
    by("notices").replaceChildren(...about.notices.map((text) => element("li", { text })));
    by("seats").hidden = !about.maker && !about.links.some((one) => one.can_share);
    by("seats").querySelector("ul").replaceChildren(...about.links.map((one) => row(one, about)));
  } catch {
    asked = -Infinity; // with the next page
  }
}

/** A seat: who it is for, how its link stands, and what can be done about that. */
function row(one, { maker, names }) {
  const who = one.seat === null ? "to look on" : namer(names).of(one.seat);
  const change = (what) => async () => {
    try {
      const { link } = await ask(at("links"), { seat: one.seat, what });
      if (link) shown.set(one.seat, link);
      else shown.delete(one.seat);
      await tellAbout();
    } catch (problem) {
      by("error").textContent = problem.message;
    }
  };
  const button = (text, what) => {
    const made = element("button", { text, type: "button" });
    made.addEventListener("click", change(what));
    return made;
  };
  const fresh = shown.get(one.seat);
  const isUsed = one.state === "taken" && !one.can_share;
  if (isUsed) shown.delete(one.seat); // somebody sits there: it is theirs alone
  const link = fresh && !isUsed ? [element("span", { class: "link", text: new URL(fresh, location.href).href })] : [];
  const buttons = [
    ...(one.can_share ? [button("a link for another device of mine", "share")] : []),
    ...(maker ? [button("issue the link again", "issue")] : []),
    ...(maker && one.state !== "revoked" ? [button("revoke it", "revoke")] : []),
  ];
  return element("li", {}, element("strong", { text: who }), maker ? `: ${STATES[one.state]} ` : ": ", ...buttons.flatMap((made) => [made, " "]), ...link);
}
