/**
 * A board as SVG. Layers lie one above the other; each is changed only where its scene changed, so that a step costs
 * the same on move 3 and on move 800.
 * @module
 */
import { s } from "./dom.js";
import { moveLine } from "./lines.js";
import { PIECES, colourOf } from "./look.js";
import { drawMark } from "./marks.js";
import { measures, numberSize, roundStep } from "./scene.js";
import { cellOf, fileName, makeBoard } from "./squares.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./squares.js").Board} Board */

const LAYERS = ["ground", "tints", "lines", "moves", "closing", "beads", "labels", "queens", "marks", "walker"];

/** @returns {{element: Element, show: (scene: Scene) => void}} */
export function createSvgView() {
  const layers = Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: `layer-${name}` })]));
  const element = s("svg", { class: "board-picture", "aria-hidden": "true", focusable: "false" }, ...Object.values(layers));
  /** @type {Record<string, string>} */
  let drawn = {};
  /** @type {{squares: readonly number[], look: string}} */
  let walked = { squares: [], look: "" };
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
      walked = { squares: [], look: "" };
      walker = null;
      const { width, height } = measures(board);
      element.setAttribute("viewBox", `0 0 ${width} ${height}`);
      for (const group of Object.values(layers)) group.replaceChildren();
      layers.ground.replaceChildren(...ground(board));
    }
    const path = scene.path ?? [], marks = scene.marks ?? [], queens = scene.queens ?? [];
    const solved = marks.some((mark) => mark.kind === "solved");
    const numbered = scene.numbers !== false, piece = scene.piece ?? (scene.queens ? "queen" : "horse");
    showPath(path, scene.total ?? path.length, scene.line !== false, numbered);
    layer("closing", scene.closing ? `${path[0]} ${path[path.length - 1]}` : "", () => (scene.closing ? [move(board, path[path.length - 1], path[0], "closing-move")] : []));
    layer("tints", marks.map((mark) => `${mark.kind}${mark.square}`).join(), () => marks.flatMap((mark) => tint(board, mark)));
    layer("lines", `${path.length > 0} ${(scene.lines ?? []).join(" ")}`, () => (scene.lines ?? []).map(([a, b]) => move(board, a, b, path.length ? "warning-line refused-move" : "warning-line")));
    layer("labels", (scene.labels ?? []).join(), () => (scene.labels ?? []).map(([at, words]) => label(board, at, words)));
    layer("queens", `${piece} ${queens.join()} ${[...(scene.attacked ?? [])].join()} ${solved}`, () => queens.map((at) => pieceOn(board, at, piece, scene.attacked?.has(at), solved)));
    layer("marks", marks.map((mark) => `${mark.kind}${mark.square}${mark.text ?? ""}`).join(), () => marks.flatMap((mark) => drawMark(place(board, mark.square), mark)));
    showWalker(scene.walker && path.length ? path[path.length - 1] : -1, numbered ? path.length : 0, piece, scene.glide ?? 0, solved);
  }

  /** Change the steps that differ from those drawn before. */
  function showPath(path, total, lined, numbered) {
    const look = `${total} ${lined} ${numbered}`;
    if (walked.look !== look) {
      layers.moves.replaceChildren();
      layers.beads.replaceChildren();
      walked = { squares: [], look };
    }
    let same = 0;
    while (same < path.length && same < walked.squares.length && path[same] === walked.squares[same]) same++;
    // The move onto a square belongs to its step, so both go from the first difference on.
    while (layers.beads.childElementCount > same) layers.beads.lastElementChild?.remove();
    while (layers.moves.childElementCount > Math.max(same - 1, 0)) layers.moves.lastElementChild?.remove();
    for (let step = same; step < path.length; step++) {
      const colour = colourOf(step, total);
      if (step > 0) layers.moves.append(lined ? move(board, path[step - 1], path[step], "move", colour) : s("g"));
      layers.beads.append(numbered ? bead(board, path[step], step, colour, total) : dot(board, path[step], colour));
    }
    walked.squares = path.slice();
  }

  /** Put the piece on a square, with the number of its step unless that is 0. */
  function showWalker(square, number, piece, glide, solved) {
    if (square < 0) {
      walker?.remove();
      walker = null;
      return;
    }
    if (!walker) {
      walker = s("g", { class: "walker" }, ...outline(piece), badge());
      layers.walker.append(walker);
    }
    const [x, y] = place(board, square);
    walker.style.transitionDuration = `${glide}ms`;
    walker.style.transform = `translate(${x - 44}px, ${y - 46}px) scale(0.9)`;
    walker.classList.toggle("solved", solved);
    walker.classList.toggle("unnumbered", !number);
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
  for (let col = 0; col < cols; col += files) yield textElement({ ...size, x: margin + col * 100 + 50, y: height - margin * 0.37 }, fileName(col));
  for (let rank = 1; rank <= rows; rank++) {
    if (rank === 1 || rank % ranks === (ranks === 2 ? 1 : 0)) yield textElement({ ...size, x: margin / 2, y: margin + (rows - rank) * 100 + 50 + font * 0.35, textLength: Math.min(margin * 0.86, String(rank).length * font * 0.6) }, rank);
  }
}

/** @param {Record<string, unknown>} options @param {string | number} content */
function textElement(options, content) {
  const element = s("text", options);
  element.textContent = String(content);
  return element;
}

/** The line of a move; one over a glued edge is dotted. */
function move(board, from, to, kind, colour) {
  const { margin } = measures(board), point = ([col, row]) => `${margin + col * 100 + 50} ${margin + row * 100 + 50}`;
  const parts = moveLine(board, from, to);
  return s("path", { d: parts.map(([a, b]) => `M${point(a)}L${point(b)}`).join(""), class: parts.length > 1 ? `${kind} over-edge` : kind, stroke: colour });
}

function bead(board, square, step, colour, total) {
  const [cx, cy] = place(board, square);
  const wide = Math.max(0, String(total).length - 3) * 8;
  const halo = s("rect", { x: cx - 31 - wide, y: cy - 31, width: 62 + 2 * wide, height: 62, rx: 31, fill: colour, class: "bead" });
  const size = numberSize(String(step + 1).length);
  return s("g", {}, halo, textElement({ x: cx, y: cy + size * 0.35, "font-size": size, class: "number" }, step + 1));
}

function dot(board, square, colour) {
  const [cx, cy] = place(board, square);
  return s("circle", { cx, cy, r: 12, fill: colour, class: "bead" });
}

function label(board, square, words) {
  const [x, y] = place(board, square), size = numberSize(words.length);
  return textElement({ x, y: y + size * 0.35, "font-size": size, class: "label" }, words);
}

function badge() {
  return s("g", { class: "badge" }, s("rect", { x: 56, y: 62, width: 50, height: 38, rx: 19 }), textElement({ x: 81, y: 91, class: "number" }, ""));
}

/** @param {"horse" | "queen" | "pawn"} piece */
function outline(piece) {
  const { body, eye } = PIECES[piece];
  return [s("path", { d: body, class: "piece-halo" }), s("path", { d: body, class: "piece" }), ...(eye ? [s("path", { d: eye, class: "piece-eye" })] : [])];
}

/** A piece that stands for itself. */
function pieceOn(board, square, piece, attacked, solved) {
  const [x, y] = place(board, square);
  return s("g", { class: `queen${attacked ? " attacked" : ""}${solved ? " solved" : ""}`, transform: `translate(${x - 43} ${y - 46}) scale(0.86)` }, ...outline(piece));
}

function tint(board, { square, kind }) {
  if (!["reject", "cause", "fault", "solved"].includes(kind)) return [];
  const [x, y] = place(board, square);
  return [s("rect", { x: x - 50, y: y - 50, width: 100, height: 100, class: `tint tint-${kind}` })];
}
