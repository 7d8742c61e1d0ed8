"use strict";

const bounded = (value, most) => Math.min(Math.max(value, 0), most);

// a place below a chart that says what the keys, the pointer or a finger chose
const readout = chart => {
  const place = document.createElement("div");
  place.className = "readout";
  place.setAttribute("aria-live", "polite");
  place.textContent = "Point at it, or focus it and use the arrow keys.";
  chart.after(place);
  chart.setAttribute("role", "application");
  return place;
};

// tables: a heading sorts
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") !== "descending";
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = row => {
      const cell = row.cells[column], value = cell.dataset.sort ?? cell.textContent;
      return value === "" || isNaN(value) ? value : Number(value);
    };
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * (down ? -1 : 1));
    table.tBodies[0].append(...rows);
  }));
}

// details: a link to one opens it
const show = () => {
  const chosen = document.getElementById(location.hash.slice(1));
  if (chosen?.tagName === "DETAILS") chosen.open = true;
};
addEventListener("hashchange", show);
show();

// several charts in one figure: a menu chooses
for (const box of document.querySelectorAll(".choices")) {
  const parts = [...box.children];
  if (parts.length < 2) continue;
  const menu = document.createElement("select"), label = document.createElement("label");
  menu.append(...parts.map((part, at) => new Option(part.dataset.name, at)));
  const choose = () => parts.forEach((part, at) => { part.hidden = at !== Number(menu.value); });
  menu.addEventListener("change", choose);
  label.append("Show ", menu);
  box.before(label);
  choose();
}

// charts: the arrow keys go from mark to mark
for (const chart of document.querySelectorAll("svg.chart")) {
  const marks = [...chart.querySelectorAll("title")].map(title => title.parentNode);
  if (!marks.length) continue;
  const place = readout(chart);
  let at = -1;
  const choose = next => {
    marks[at]?.classList.remove("chosen");
    at = bounded(next, marks.length - 1);
    marks[at].classList.add("chosen");
    place.textContent = marks[at].querySelector("title").textContent;
  };
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };
  chart.addEventListener("keydown", event => {
    if (!(event.key in steps)) return;
    event.preventDefault();
    choose(at + steps[event.key]);
  });
  const point = event => {
    const found = marks.indexOf(event.target);
    if (found >= 0) choose(found);
  };
  chart.addEventListener("pointerover", point);
  chart.addEventListener("click", point);
}

// rasters: a cell a pixel, stretched; arrow keys, pointer or finger choose a cell
for (const box of document.querySelectorAll(".raster")) {
  const canvas = box.querySelector("canvas"), place = readout(canvas);
  const given = JSON.parse(box.querySelector("script").textContent);
  const wide = given.columns.length, high = given.rows.length, layers = Object.entries(given.layers);
  for (const [, layer] of layers) {
    const bytes = Uint8Array.from(atob(layer.data), sign => sign.charCodeAt(0));
    layer.steps = layer.bytes === 4 ? new Uint32Array(bytes.buffer) : bytes;
  }
  const shade = given.layers[given.shade], empty = at => shade.steps[at] === 255;
  const ends = [[31, 85, 132], [255, 255, 255], [168, 74, 12]];  // low, even, high: told apart by every eye
  const colour = value => {
    const side = value < 50 ? 0 : 1, part = value / 50 - side;
    return ends[side].map((from, k) => Math.round(from + (ends[side + 1][k] - from) * part));
  };
  const image = new ImageData(wide, high);
  for (let at = 0; at < wide * high; at++)
    image.data.set([...(empty(at) ? [128, 132, 140] : colour(shade.steps[at] * shade.step)), 255], 4 * at);
  canvas.width = wide;
  canvas.height = high;
  canvas.getContext("2d").putImageData(image, 0, 0);
  canvas.style.height = `${bounded(Math.max(240, high * Math.max(3, Math.round(1100 / wide))), 900)}px`;
  const frame = document.createElement("div");
  frame.className = "frame";
  const cursor = document.createElement("span");
  canvas.replaceWith(frame);
  frame.append(canvas, cursor);
  let row = 0, column = 0, held = false;
  const choose = (nextRow, nextColumn) => {
    row = bounded(nextRow, high - 1);
    column = bounded(nextColumn, wide - 1);
    const at = row * wide + column;
    cursor.style.cssText = `left: ${100 * column / wide}%; top: ${100 * row / high}%; ` +
      `width: ${100 / wide}%; height: ${100 / high}%`;
    const told = { row: given.rows[row], column: given.columns[column] };
    for (const [name, layer] of layers) told[name] = (layer.steps[at] * layer.step).toFixed(layer.digits) + layer.unit;
    place.replaceChildren(...given.lines.map(([name, words]) => {
      const line = document.createElement("div"), code = name.endsWith(":");
      const value = document.createElement(code ? "code" : "span");
      const known = code || !empty(at) || !/\{(?!row|column)/.test(words);
      value.textContent = known ? words.replace(/\{(\w+)\}/g, (_, key) => told[key]) : "not played";
      line.append(code ? `${name} ` : `${name}: `, value);
      return line;
    }));
  };
  const under = event => {
    const edge = canvas.getBoundingClientRect();
    choose(Math.floor((event.clientY - edge.top) / edge.height * high),
      Math.floor((event.clientX - edge.left) / edge.width * wide));
  };
  canvas.addEventListener("pointermove", event => { if (!held) under(event); });
  canvas.addEventListener("click", event => {
    held = event.pointerType === "touch" || !held;
    under(event);
  });
  const moves = {
    ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
    Home: [0, -wide], End: [0, wide], PageUp: [-high, 0], PageDown: [high, 0],
  };
  canvas.addEventListener("keydown", event => {
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    choose(row + move[0], column + move[1]);
  });
  choose(0, 0);
}
