// Draws a view: boards as SVG, zones as rows of components, options on what they concern. Every text becomes a text node.

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") made.textContent = value;
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") made.textContent = value;
    else if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

export async function ask(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(path, { credentials: "same-origin", ...options });
  const found = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(found.error ?? "something went wrong"), { status: answer.status, details: found });
  return found;
}

/** The sentences of the rules that a component's powers cite. */
export function rulesOf(thing) {
  return thing.rules?.length ? [element("ul", { class: "rules" }, ...thing.rules.map((text) => element("li", { text })))] : [];
}

/** A row for each seat: who plays it, and what they are called. */
export function seatRows(players, kinds, usual, names = []) {
  return Array.from({ length: players }, (_, seat) => {
    const words = (kind) => (kind === "person" ? "a person" : `a bot: ${kind.replace(/^policy:/, "").replaceAll("_", " ")}`);
    const who = element("select", { "aria-label": `who plays seat ${seat + 1}` }, ...kinds.map((kind) => element("option", { value: kind, text: words(kind) })));
    who.value = usual(seat);
    const name = element("input", { type: "text", maxlength: 40, placeholder: `player ${seat + 1}`, "aria-label": `name of seat ${seat + 1}` });
    name.value = names[seat] ?? "";
    return element("div", { class: "row" }, element("span", { text: `seat ${seat + 1}` }), who, name);
  });
}

/** The links of a new table, with whom each is for. */
export function linked(links, names) {
  return links.map((one) => element("li", { "data-seat": String(one.seat) },
    element("strong", { text: one.seat === null ? "to look on" : names[one.seat] || `player ${one.seat + 1}` }), " ",
    element("a", { href: one.link, text: new URL(one.link, location.href).href })));
}

/** The line above a log that says what the state begins with, if there is anything to say. */
export function begun(start, name) {
  return start ? [element("li", { class: "start", text: `At the start: ${name(start)}` })] : [];
}

/** The lines of a log, with headings for turns and rounds; `mark(line, i)` gives more classes. */
export function told(lines, rules, name, cites, mark = () => "") {
  return lines.map((line, i) => {
    const title = line.rules.map((id) => `${id}: ${rules[id] ?? ""}`).join("\n");
    return element("li", { class: `${line.actor === null ? "" : `p${line.actor + 1}`}${mark(line, i)}`, title: cites ? title : null },
      line.part ? element("b", { class: "part", text: name(line.part) }) : "",
      line.heading ? element("strong", { text: name(line.heading) }) : "", line.heading && line.text ? " · " : "", element("span", { text: name(line.text) }),
      cites && line.rules.length ? element("small", { text: ` [${line.rules.join(", ")}]` }) : "");
  });
}

/** Words for texts: a text is a string, or a list of strings and of the seats of the players between them. `of` is a player by their seat. */
export function namer(names) {
  const of = (seat) => names[seat] || `player ${seat + 1}`;
  const say = (text) => (Array.isArray(text) ? text.map((part) => (typeof part === "number" ? of(part) : part)).join("") : text);
  return Object.assign(say, { of });
}

/** A text as the rules say it, without names: what the server knows a thing by. */
export const plain = namer([]);

/** The seat of the player that a text is; null if it is anything else. */
function seatOf(text) {
  return Array.isArray(text) && text.length === 1 && typeof text[0] === "number" ? text[0] : null;
}

/** How a game stands, in a line: who won and the rule that decided, or why it did not finish. */
export function standing(view, ended, name) {
  if (ended === null) return `${view.status}${view.result ? `: ${name(view.result)}` : ""}`;
  return `${view.status}: ${name(ended.won)}${ended.why ? `. ${ended.why}` : ""}`;
}

/** The scores of a finished game, a row for each player; nothing where the rules keep none. */
export function scores(ended, name) {
  const columns = ended?.scores ?? [];
  if (!columns.length) return [];
  const head = columns.map((column) => element("th", { scope: "col", text: `${column.kind === "tie" ? "then " : ""}${column.name}` }));
  const rows = columns[0].values.map((_, seat) => element("tr", {}, element("th", { scope: "row", text: name.of(seat) }),
    ...columns.map((column) => element("td", { class: column.kind, text: String(column.values[seat]) }))));
  return [element("table", { class: "scores" }, element("tr", {}, element("td"), ...head), ...rows)];
}

const PARTS = ["edges", "corners"];
const COLOURS = new Set(["red", "orange", "gold", "yellow", "green", "blue", "purple", "pink", "brown", "black", "white", "grey", "gray", "cyan"]);

/** The colour that a component is called by, if one of its attributes, or its name, is a colour. */
function colourOf(words) {
  return words.map((word) => word.toLowerCase()).find((word) => COLOURS.has(word)) ?? null;
}

/** Gives something the colour that the ruleset gives it. */
function paint(made, colour) {
  if (!colour) return;
  made.style.setProperty("--c", colour);
  made.classList.add("painted");
}

/** Is a colour (`#rrggbb`) so dark that what is written on it has to be light? */
function isDark(colour) {
  if (!colour) return false;
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.18;
}

/** Zones with the title of their group; neighbours of one group together. */
function grouped(zones) {
  const found = [];
  for (const zone of zones) {
    const last = found.at(-1);
    if (zone.group && last?.[0] === zone.group) last[1].push(zone);
    else found.push([zone.group, [zone]]);
  }
  return found;
}

const MERGED = 8; // components that lie together, above which those that are alike are drawn once

/** Components, with how many of each: those that are alike once, or where their order counts only neighbours. */
function alike(things, inOrder) {
  if (things.length <= MERGED) return things.map((thing) => [thing, 1]);
  const found = new Map(), runs = [];
  for (const thing of things) {
    const words = JSON.stringify(thing);
    const same = inOrder ? (runs.at(-1)?.words === words ? runs.at(-1) : null) : found.get(words);
    if (same) same.times++;
    else {
      runs.push({ thing, words, times: 1 });
      found.set(words, runs.at(-1));
    }
  }
  return runs.map(({ thing, times }) => [thing, times]);
}

function wordsOf(thing) {
  return [...thing.attributes.map(([, value]) => plain(value)), ...plain(thing.label).split(/[^\p{L}\d]+/u)];
}

const RISE = Math.sqrt(3) / 2, CORNER = 1 / Math.sqrt(3); // of hexagons that are 1 wide: from row to row, from the middle to a corner

/** The column and the row at which an edge or corner of hexagons lies; `x` and `y` are from 0 to 1, from the outermost to the outermost. */
function onHexes(cells, shape, place) {
  const columns = cells.map((cell) => cell.column + cell.row / 2), rows = cells.map((cell) => cell.row), rim = shape === "corners" ? 2 / 3 : 1 / 2;
  const between = (least, most, part) => least + part * (most - least);
  return [between(Math.min(...columns) - 0.5, Math.max(...columns) + 0.5, place.x), between(Math.min(...rows) - rim, Math.max(...rows) + rim, place.y)];
}

/** By how many degrees an edge of hexagons at a column and row is turned. */
function leaning(x, y) {
  const below = y + 0.5, beside = x - below / 2;
  if (Math.abs(y - Math.round(y)) < 0.1) return 90;
  return beside - Math.floor(beside) < 0.5 ? 30 : -30;
}

export class Drawing {
  /** `choose(actions, label)` is called with the options of what was clicked; `details(thing)` when somebody asks about it. `decides`: an empty place may be asked about, too. */
  constructor(name, choose, details, decides = false) {
    this.name = name;
    this.choose = choose;
    this.details = details;
    this.decides = decides;
  }

  table(view) {
    const around = [...view.seats];
    const me = view.viewer ?? 0;
    around.sort((a, b) => ((a.seat - me + view.players) % view.players) - ((b.seat - me + view.players) % view.players));
    const [first, ...others] = around;
    return [
      element("div", { class: "others" }, ...others.map((seat) => this.seat(seat, view))),
      element("div", { class: `middle${view.boards.length ? " boards" : ""}` }, ...this.boards(view.boards), ...[this.area(view.zones, view.values, null)].filter((area) => area.childElementCount)),
      this.seat(first, view),
    ];
  }

  seat(seat, view) {
    const own = seat.seat === view.viewer;
    const marks = [own && "you", seat.is_acting && "to act", seat.is_winner && "wins", seat.score !== null && `score ${seat.score}`].filter(Boolean);
    const title = element("h2", {}, this.named([seat.seat], seat.options), marks.length ? element("small", { text: ` ${marks.join(" · ")}` }) : "");
    return element("section", { class: `seat${own ? " own" : ""}${seat.is_acting ? " acting" : ""}` }, title, this.area(seat.zones, seat.values, seat.seat), own ? this.known(view.known ?? []) : "");
  }

  /** What the seat was shown or told, and others were not, with when: it was so then. */
  known(facts) {
    if (!facts.length) return "";
    const line = (fact) => element("li", {}, fact.when ? element("small", { text: `${this.name(fact.when)}: ` }) : "", this.name(fact.text));
    return element("div", { class: "known" }, element("h3", { text: "You know" }), element("ul", {}, ...facts.map(line)));
  }

  named(text, options) {
    if (!options.length) return element("span", { text: this.name(text) });
    const button = element("button", { class: "may", "data-may": options.join(" "), text: this.name(text) });
    button.addEventListener("click", () => this.choose(options));
    return button;
  }

  area(zones, values, owner) {
    const full = zones.filter((zone) => zone.count !== 0);
    const empty = zones.filter((zone) => zone.count === 0);
    const shown = values.filter((value) => !value.is_detail);
    return element("div", { class: "area" },
      ...grouped(full).map(([title, zones]) => title
        ? element("fieldset", { class: "group" }, element("legend", { text: this.name(title) }), ...zones.map((zone) => this.zone(zone, owner)))
        : this.zone(zones[0], owner)),
      shown.length ? element("dl", {}, ...shown.flatMap((value) => this.value(value))) : "",
      empty.length ? element("p", { class: "empty", text: `empty: ${this.families(empty, owner).join(", ")}` }) : "");
  }

  families(zones, owner) {
    const found = new Map();
    for (const zone of zones) found.set(zone.zone, [...(found.get(zone.zone) ?? []), zone]);
    return [...found].map(([family, members]) => members.length > 1 ? `${family.replaceAll("_", " ")} (${members.length} places)` : this.title(members[0], owner));
  }

  value(value) {
    const parts = [element("dt", { text: this.name(value.name) }), element("dd", { text: `${value.symbol ? `${value.symbol} ` : ""}${this.name(value.text)}` })];
    if (value.colour) paint(parts[1], value.colour);
    if (value.number !== null && value.low !== null && value.high !== null && value.high - value.low <= 40 && value.high > value.low) {
      parts[1].append(" ", element("meter", { min: value.low, max: value.high, value: value.number, "aria-hidden": "true" }));
    }
    return parts;
  }

  title(zone, owner) {
    return this.name((owner !== null && zone.short) || zone.title);
  }

  zone(zone, owner) {
    const counted = zone.count === null ? "?" : String(zone.count);
    const head = element("h3", {}, this.named(this.title(zone, owner), zone.options), element("small", { text: ` ${counted}` }));
    return element("div", { class: `zone lies-${zone.form}` }, head, this.contents(zone));
  }

  contents(zone) {
    if (zone.things === null) {
      const backs = Math.min(zone.count ?? 1, 12);
      return element("div", { class: "things", "aria-label": `${zone.count ?? "an unknown number"} face down` },
        ...Array.from({ length: backs }, () => element("span", { class: "back", "aria-hidden": "true", text: zone.count === null ? "?" : "" })));
    }
    const piled = zone.form === "pile" && zone.things.length > 6;
    const things = alike(piled ? zone.things.slice(-6) : zone.things, zone.form === "pile" || zone.form === "row");
    return element("div", { class: "things" }, piled ? element("span", { class: "more", text: `+${zone.things.length - 6}` }) : "", ...things.map(([thing, times]) => this.thing(thing, times)));
  }

  thing(thing, times = 1) {
    const colour = colourOf(wordsOf(thing));
    const may = thing.options.length > 0;
    const card = element("button", { class: `thing${may ? " may" : ""}${colour && !thing.colour ? ` c-${colour}` : ""}`, title: [...thing.attributes.map(([name, value]) => `${name}: ${this.name(value)}`), ...(thing.rules ?? [])].join("\n"), "data-may": may ? thing.options.join(" ") : null });
    const label = this.name(thing.label);
    const big = this.sign(thing);
    if (big && big !== label) card.append(element("span", { class: "big", "aria-hidden": "true", text: big }));
    card.append(element("span", { text: label }), times > 1 ? element("b", { class: "times", text: ` × ${times}` }) : "");
    const worn = thing.attributes.filter(([name]) => thing.changing.includes(name)).map(([name, text]) => (text === "yes" ? name : /^\d+$/.test(text) ? `${name} ${text}` : this.name(text)));
    if (worn.length) card.append(element("small", { class: "worn", text: worn.join(", ") }));
    paint(card, thing.colour);
    card.addEventListener("click", () => (may ? this.choose(thing.options) : this.details(thing)));
    card.addEventListener("keydown", (event) => event.key === "?" && this.details(thing));
    card.addEventListener("contextmenu", (event) => { event.preventDefault(); this.details(thing); });
    return card;
  }

  /** What a component shows large, or its symbol; empty without. */
  sign(thing) {
    return thing.large?.length ? thing.large.map(this.name).join(" ") : thing.symbol;
  }

  /** The words for a place of a board and for what is there. */
  worded(place, things, marks) {
    return [place.name, ...things.map((thing) => this.name(thing.label)), ...marks.map((value) => `${value.name} ${this.name(value.text)}`)].join(", ");
  }

  // ---------------------------------------------------------- boards
  /** Each board; what lies on its edges and corners is drawn on it. */
  boards(boards) {
    const partsOf = (board) => boards.filter((one) => PARTS.some((part) => one.shape === part && one.name === `${board.name} ${part}`));
    const drawnOn = new Set(boards.flatMap(partsOf));
    return boards.filter((board) => !drawnOn.has(board)).map((board) => this.board(board, partsOf(board)));
  }

  board(board, parts = []) {
    const isHex = board.shape === "hex", inRows = board.shape === "rectangle" || isHex;
    const size = 60;
    const side = Math.max(320, Math.sqrt(board.cells.length) * size * 2);
    const at = (x, y) => isHex ? [(x + 0.5) * size, (y * RISE + CORNER) * size] : [(x + 0.5) * size, (y + 0.5) * size]; // of a column and row
    const columnOf = (cell) => cell.column + (isHex ? cell.row / 2 : 0);
    const spot = (cell) => inRows ? at(columnOf(cell), cell.row) : [cell.x * side, cell.y * side];
    const width = inRows ? (board.columns + (isHex ? (board.rows - 1) / 2 : 0)) * size : side;
    const height = inRows ? at(0, board.rows - 1)[1] + (isHex ? CORNER : 0.5) * size : side;
    const margin = parts.length ? 26 : 14; // beyond what lies on the outer edges
    const svg = drawn("svg", { viewBox: `${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`, class: "board", role: "group", "aria-label": board.name });
    for (const [a, b] of board.links) {
      const [x1, y1] = spot(board.cells[a]), [x2, y2] = spot(board.cells[b]);
      svg.append(drawn("line", { x1, y1, x2, y2, class: "link" }));
    }
    if (inRows) {
      for (let row = 0; row < board.rows; row++) svg.append(drawn("text", { x: 6 - margin + (isHex ? (size / 2) * row : 0), y: at(0, row)[1], class: "edge", text: board.row_names?.[row] ?? row + board.first_row }));
      for (let column = 0; column < board.columns; column++) svg.append(drawn("text", { x: at(column, 0)[0], y: 8 - margin, class: "edge", text: board.column_names?.[column] ?? column + board.first_column }));
    }
    for (const cell of board.cells) svg.append(this.cell(cell, spot(cell), inRows ? size : size * 1.3, isHex));
    for (const part of parts.sort((a, b) => PARTS.indexOf(a.shape) - PARTS.indexOf(b.shape))) {
      for (const place of part.cells) {
        const [x, y] = isHex ? onHexes(board.cells, part.shape, place) : [place.column / 2 - 0.5, place.row / 2 - 0.5];
        const turn = isHex ? leaning(x, y) : place.row % 2 ? 90 : 0;
        svg.append(this.between(place, part.shape, at(x, y), size, turn, size * (isHex ? 0.42 : 0.7)));
      }
    }
    return element("figure", {}, svg);
  }

  /** An edge or a corner of the cells of a board, with what is there. */
  between(place, shape, [x, y], size, turn, long) {
    const things = place.zones.flatMap((zone) => zone.things ?? []);
    const marks = place.values.filter((value) => !value.is_detail && !["none", "no"].includes(value.text) && !(value.number === 0));
    const options = [...new Set([...place.options, ...things.flatMap((thing) => thing.options)])];
    const words = this.worded(place, things, marks);
    const isHeld = things.length > 0 || marks.length > 0;
    const [wide, high] = shape === "corners" ? [size * 0.3, size * 0.3] : [long, size * 0.16];
    const group = drawn("g", { class: `cell part${options.length ? " may" : ""}`, tabindex: options.length ? 0 : -1, role: options.length ? "button" : "img", "aria-label": words, "data-may": options.length ? options.join(" ") : null });
    const seat = marks.map((value) => seatOf(value.text)).find((one) => one !== null) ?? null;
    const mark = drawn("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: shape === "corners" ? wide / 2 : 3, transform: shape === "corners" || !turn ? null : `rotate(${turn} ${x} ${y})`, class: `base ${isHeld ? "held" : "free"}${seat === null ? "" : ` p${seat + 1}`}` });
    const [thing] = things;
    const colour = thing ? colourOf(wordsOf(thing)) : null;
    if (colour && !thing.colour) mark.classList.add(`c-${colour}`);
    paint(mark, thing?.colour);
    group.append(drawn("title", { text: words }), mark);
    if (thing) this.write(group, this.sign(thing) || shortened(this.name(thing.label), colour), x, y, size * 0.5, "on");
    this.acting(group, options, things, place.name);
    return group;
  }

  cell(cell, [x, y], size, isHex = false) {
    const things = cell.zones.flatMap((zone) => zone.things ?? Array.from({ length: zone.count ?? 1 }, () => ({ label: "?", attributes: [], options: [] })));
    const marks = cell.values.filter((value) => !value.is_detail && !["none", "no"].includes(value.text) && !(value.number === 0));
    const options = [...new Set([...cell.options, ...things.flatMap((thing) => thing.options)])];
    const words = this.worded(cell, things, marks);
    const group = drawn("g", { class: `cell${options.length ? " may" : ""}`, tabindex: options.length ? 0 : -1, role: options.length ? "button" : "img", "aria-label": words, "data-may": options.length ? options.join(" ") : null });
    const around = [0, 1, 2, 3, 4, 5].map((n) => [x + (size - 2) * CORNER * Math.sin((n * Math.PI) / 3), y + (size - 2) * CORNER * Math.cos((n * Math.PI) / 3)]);
    const base = isHex ? drawn("polygon", { points: around.map((spot) => spot.map((n) => n.toFixed(2)).join(",")).join(" "), class: "base" })
      : drawn("rect", { x: x - size / 2 + 1, y: y - size / 2 + 1, width: size - 2, height: size - 2, rx: 6, class: "base" });
    group.append(drawn("title", { text: words }), base);
    const shown = things.slice(-4);
    shown.forEach((thing, i) => {
      const colour = colourOf(wordsOf(thing));
      const up = (i - (shown.length - 1) / 2) * -9;
      const piece = drawn("rect", { x: x - size * 0.36, y: y - size * 0.27 + up, width: size * 0.72, height: size * 0.54, rx: 7, class: `piece${colour && !thing.colour ? ` c-${colour}` : ""}` });
      paint(piece, thing.colour);
      group.append(piece);
      const words = this.sign(thing) || shortened(this.name(thing.label), colour);
      if (i === shown.length - 1) this.write(group, words, x, y + up, size * 0.66, `on${isDark(thing.colour) ? " light" : ""}`);
    });
    if (things.length > 1) group.append(drawn("text", { x: x + size * 0.4, y: y - size * 0.34, class: "count", text: things.length }));
    marks.forEach((value, i) => {
      const seat = seatOf(value.text);
      if (seat !== null && !things.length) {
        group.append(drawn("circle", { cx: x, cy: y, r: size * 0.3, class: `piece p${seat + 1}` }));
        this.write(group, this.name(value.text).slice(0, 8), x, y, size * 0.55, `on p${seat + 1}`);
      } else this.write(group, value.symbol || (value.text === "yes" ? value.name : this.name(value.text)), x, y + (things.length ? size * 0.42 : i * 12 - (marks.length - 1) * 6), size * 0.8, "mark");
    });
    if (!things.length && !marks.length && cell.zones.length === 0 && Number.isNaN(Number(cell.name[1]))) this.write(group, cell.name, x, y, size * 0.9, "mark");
    this.acting(group, options, things, cell.name);
    return group;
  }

  /** A part of a board is chosen with the mouse or the keyboard; one that is not on offer says what lies there. */
  acting(group, options, things, name) {
    if (options.length) {
      const act = () => this.choose(options);
      group.addEventListener("click", act);
      group.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), act()));
    } else if (things.length || this.decides) group.addEventListener("click", () => this.details({ label: name, attributes: things.map((thing) => ["", thing.label]) }));
  }

  write(group, text, x, y, room, kind) {
    const size = Math.max(5, Math.min(13, (room / Math.max(1, text.length)) * 1.55));
    const words = size < 9 && text.includes(" ") ? text.split(" ") : null;
    if (words === null) {
      group.append(drawn("text", { x, y, class: kind, "font-size": size, text }));
      return;
    }
    const half = Math.ceil(words.length / 2), lines = [words.slice(0, half).join(" "), words.slice(half).join(" ")]; // small words on two lines
    const most = Math.max(...lines.map((line) => line.length)), fits = Math.max(5, Math.min(13, (room / most) * 1.55));
    lines.forEach((line, i) => group.append(drawn("text", { x, y: y + (i - 0.5) * fits * 1.1, class: kind, "font-size": fits, text: line })));
  }
}

/** What is written on a component of a colour: its name without the colour. */
function shortened(label, colour) {
  const words = label.split(/([^\p{L}\d]+)/u);
  const at = words.findIndex((word) => word.toLowerCase() === colour);
  const rest = at < 0 ? label : [...words.slice(0, at), ...words.slice(at + 1)].join("").replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, "");
  return rest || label;
}
