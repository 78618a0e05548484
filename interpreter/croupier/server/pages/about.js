// What everybody at a table should know of it: that its rules have changed, for example.
import { ask, element } from "/pages/draw.js";
import { at } from "/pages/seat.js";

let asked = -Infinity; // when, in milliseconds

/** Asks for it and shows it, unless that was done in the last so many milliseconds. */
export async function tellAbout(pause = 0) {
  if (performance.now() - asked < pause) return;
  asked = performance.now();
  try {
    const { notices } = await ask(at("about"));
    const box = document.getElementById("notices");
    box.hidden = !notices.length;
    box.replaceChildren(...notices.map((text) => element("li", { text })));
  } catch {
    asked = -Infinity; // with the next page
  }
}
