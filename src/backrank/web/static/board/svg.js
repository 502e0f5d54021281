/**
 * A board as SVG. Layers lie one above the other; each is changed only where its scene changed, so that a step costs
 * the same on move 3 and on move 800.
 * @module
 */
import { s } from "../core/dom.js";
import { moveLine } from "../logic/lines.js";
import { cellOf, fileName, makeBoard } from "../logic/squares.js";
import { HORSE, HORSE_EYE, QUEEN, colourOf } from "./look.js";
import { drawMark } from "./marks.js";
import { measures, numberSize, roundStep } from "./scene.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("../logic/squares.js").Board} Board */

const LAYERS = ["ground", "tints", "lines", "moves", "closing", "beads", "labels", "queens", "marks", "walker"];

/** @returns {{element: Element, show: (scene: Scene) => void}} */
export function createSvgView() {
  const layers = Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: `layer-${name}` })]));
  const element = s("svg", { class: "board-picture", "aria-hidden": "true", focusable: "false" }, ...Object.values(layers));
  /** @type {Record<string, string>} */
  let drawn = {};
  /** @type {{squares: readonly number[], total: number, line: boolean}} */
  let walked = { squares: [], total: 0, line: true };
  /** @type {Board} */
  let board = makeBoard(0, 0);
  let walker = null;

  /** Draw a layer anew if what it depends on has changed. */
  function layer(name, key, make) {
    if (drawn[name] === key) return;
    drawn[name] = key;
    layers[name].replaceChildren(...make());
  }

  function show(scene) {
    if (scene.board !== board) {
      board = scene.board;
      drawn = {};
      walked = { squares: [], total: 0, line: true };
      walker = null;
      const { width, height } = measures(board);
      element.setAttribute("viewBox", `0 0 ${width} ${height}`);
      for (const group of Object.values(layers)) group.replaceChildren();
      layers.ground.replaceChildren(...ground(board));
    }
    const path = scene.path ?? [], marks = scene.marks ?? [], queens = scene.queens ?? [];
    const solved = marks.some((mark) => mark.kind === "solved");
    showPath(path, scene.total ?? path.length, scene.line !== false);
    layer("closing", scene.closing ? `${path[0]} ${path[path.length - 1]}` : "", () => (scene.closing ? [move(board, path[path.length - 1], path[0], "closing-move")] : []));
    layer("tints", marks.map((mark) => `${mark.kind}${mark.square}`).join(), () => marks.flatMap((mark) => tint(board, mark)));
    layer("lines", (scene.lines ?? []).join(" "), () => (scene.lines ?? []).map(([a, b]) => line(board, a, b, "warning-line")));
    layer("labels", (scene.labels ?? []).join(), () => (scene.labels ?? []).map(([at, words]) => label(board, at, words)));
    layer("queens", `${queens.join()} ${[...(scene.attacked ?? [])].join()} ${solved}`, () => queens.map((at) => queen(board, at, scene.attacked?.has(at), solved)));
    layer("marks", marks.map((mark) => `${mark.kind}${mark.square}${mark.text ?? ""}`).join(), () => marks.flatMap((mark) => drawMark(place(board, mark.square), mark)));
    showWalker(scene.walker && path.length ? path[path.length - 1] : -1, path.length, scene.glide ?? 0, solved);
  }

  /** Change the steps that differ from those drawn before. */
  function showPath(path, total, lined) {
    if (walked.total !== total || walked.line !== lined) {
      layers.moves.replaceChildren();
      layers.beads.replaceChildren();
      walked = { squares: [], total, line: lined };
    }
    let same = 0;
    while (same < path.length && same < walked.squares.length && path[same] === walked.squares[same]) same++;
    // The move onto a square belongs to its step, so both go from the first difference on.
    while (layers.beads.childElementCount > same) layers.beads.lastElementChild?.remove();
    while (layers.moves.childElementCount > Math.max(same - 1, 0)) layers.moves.lastElementChild?.remove();
    for (let step = same; step < path.length; step++) {
      const colour = colourOf(step, total);
      if (step > 0) layers.moves.append(lined ? move(board, path[step - 1], path[step], "move", colour) : s("g"));
      layers.beads.append(bead(board, path[step], step, colour, total));
    }
    walked.squares = path.slice();
  }

  function showWalker(square, number, glide, solved) {
    if (square < 0) {
      walker?.remove();
      walker = null;
      return;
    }
    if (!walker) {
      walker = s("g", { class: "walker" }, s("path", { d: HORSE, class: "piece-halo" }), s("path", { d: HORSE, class: "piece" }), s("path", { d: HORSE_EYE, class: "piece-eye" }), badge());
      layers.walker.append(walker);
    }
    const [x, y] = place(board, square);
    walker.style.transitionDuration = `${glide}ms`;
    walker.style.transform = `translate(${x - 44}px, ${y - 46}px) scale(0.9)`;
    walker.classList.toggle("solved", solved);
    const text = walker.querySelector("text");
    if (text) text.textContent = String(number);
    text?.setAttribute("font-size", String(numberSize(String(number).length) * 0.86));
  }

  return { element, show };
}

/** The middle of a square. @param {Board} board @param {number} square @returns {[number, number]} */
function place(board, square) {
  const { margin } = measures(board);
  const [row, col] = cellOf(board, square);
  return [margin + col * 100 + 50, margin + row * 100 + 50];
}

/** @param {Board} board */
function* ground(board) {
  const { rows, cols, holes } = board;
  const { font, margin, width, height } = measures(board);
  yield s("rect", { class: "board-frame", width, height, rx: font * 0.5 });
  yield s("rect", { class: "square-light", x: margin, y: margin, width: cols * 100, height: rows * 100 });
  let dark = "", gone = "";
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const square = `M${margin + col * 100} ${margin + row * 100}h100v100h-100z`;
      if (holes.has(row * cols + col)) gone += square;
      else if ((row + col) % 2) dark += square;
    }
  }
  yield s("path", { class: "square-dark", d: dark });
  yield s("path", { class: "square-hole", d: gone });
  if (board.wrap !== "none") yield s("path", { class: "glued-edge", d: `M${margin} ${margin}v${rows * 100}M${margin + cols * 100} ${margin}v${rows * 100}` });
  if (board.wrap === "torus") yield s("path", { class: "glued-edge", d: `M${margin} ${margin}h${cols * 100}M${margin} ${margin + rows * 100}h${cols * 100}` });
  yield* letters(board, font, margin, height);
}

function* letters({ rows, cols }, font, margin, height) {
  const files = roundStep((fileName(cols - 1).length * 0.62 * font + 0.4 * font) / 100), ranks = roundStep((font * 1.25) / 100);
  const size = { class: "board-letter", "font-size": font };
  for (let col = 0; col < cols; col += files) yield text({ ...size, x: margin + col * 100 + 50, y: height - margin * 0.37 }, fileName(col));
  for (let rank = 1; rank <= rows; rank++) {
    if (rank === 1 || rank % ranks === (ranks === 2 ? 1 : 0)) yield text({ ...size, x: margin / 2, y: margin + (rows - rank) * 100 + 50 + font * 0.35, textLength: Math.min(margin * 0.86, String(rank).length * font * 0.6) }, rank);
  }
}

/** @param {Record<string, unknown>} options @param {string | number} content */
function text(options, content) {
  const element = s("text", options);
  element.textContent = String(content);
  return element;
}

function line(board, from, to, kind) {
  const [x1, y1] = place(board, from), [x2, y2] = place(board, to);
  return s("line", { x1, y1, x2, y2, class: kind });
}

function move(board, from, to, kind, colour) {
  const { margin } = measures(board), point = ([col, row]) => `${margin + col * 100 + 50} ${margin + row * 100 + 50}`;
  return s("path", { d: moveLine(board, from, to).map(([a, b]) => `M${point(a)}L${point(b)}`).join(""), class: kind, stroke: colour });
}

function bead(board, square, step, colour, total) {
  const [cx, cy] = place(board, square);
  const wide = Math.max(0, String(total).length - 3) * 8;
  const halo = s("rect", { x: cx - 31 - wide, y: cy - 31, width: 62 + 2 * wide, height: 62, rx: 31, fill: colour, class: "bead" });
  const size = numberSize(String(step + 1).length);
  return s("g", {}, halo, text({ x: cx, y: cy + size * 0.35, "font-size": size, class: "number" }, step + 1));
}

function label(board, square, words) {
  const [x, y] = place(board, square), size = numberSize(words.length);
  return text({ x, y: y + size * 0.35, "font-size": size, class: "label" }, words);
}

function badge() {
  return s("g", { class: "badge" }, s("rect", { x: 56, y: 62, width: 50, height: 38, rx: 19 }), text({ x: 81, y: 91, class: "number" }, ""));
}

function queen(board, square, attacked, solved) {
  const [x, y] = place(board, square);
  const group = s("g", { class: `queen${attacked ? " attacked" : ""}${solved ? " solved" : ""}`, transform: `translate(${x - 43} ${y - 46}) scale(0.86)` }, s("path", { d: QUEEN, class: "piece-halo" }), s("path", { d: QUEEN, class: "piece" }));
  return group;
}

function tint(board, { square, kind }) {
  if (!["reject", "cause", "fault", "solved"].includes(kind)) return [];
  const [x, y] = place(board, square);
  return [s("rect", { x: x - 50, y: y - 50, width: 100, height: 100, class: `tint tint-${kind}` })];
}
