/**
 * A board on a canvas, for boards with more squares than an SVG can hold at sixty pictures a second. The empty board and
 * the moves are kept on layers of their own; a tour that goes on costs its new moves alone.
 * @module
 */
import { h } from "./dom.js";
import { moveLine } from "./lines.js";
import { PIECES, colourOf } from "./look.js";
import { FONT, clearLayer, copyLayer, fillDisc, penOf, strokeCross, strokeLine, tintSquare, writeAt } from "./pen.js";
import { isNumbered, measures, roundStep } from "./scene.js";
import { cellOf, fileName, makeBoard } from "./squares.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./squares.js").Board} Board */
/** @typedef {import("./pen.js").Point} Point */
/** @typedef {Record<string, string>} Colours */
/** @typedef {import("./pen.js").Pen} Pen */

const COLOURS = ["frame", "letters", "light", "dark", "board-ink", "board-halo", "board-warning", "board-good", "board-accent", "board-left"];
const TINTS = { reject: "board-warning", cause: "board-warning", fault: "board-warning", solved: "board-good" };
const RINGS = { legal: "board-accent", hint: "board-good", left: "board-left", start: "board-accent", end: "board-accent" };

/** @returns {{element: HTMLElement, show: (scene: Scene) => void, refresh: () => void}} */
export function createCanvasView() {
  const element = h("canvas.board-picture", { "aria-hidden": "true" });
  const pen = penOf(element), ground = penOf(h("canvas")), trail = penOf(h("canvas"));
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {Colours} */
  let colours = {};
  /** @type {Scene | null} */
  let scene = null;
  let board = makeBoard(0, 0), due = 0, here = -1, moved = { from: -1, at: 0, lasts: 0 };
  /** @type {{squares: readonly number[], look: string}} */
  let walked = { squares: [], look: "" };

  const observer = new ResizeObserver(() => refresh());
  observer.observe(element);

  function show(next) {
    // A path may be the same array as before, one step longer.
    const from = here;
    here = next.path?.at(-1) ?? -1;
    moved = { from: next.glide && from !== here && !still.matches ? from : -1, at: performance.now(), lasts: next.glide ?? 0 };
    scene = next;
    drawSoon();
  }

  /** However often a scene changes, it is drawn once a picture. */
  function drawSoon() {
    due ||= requestAnimationFrame(() => {
      due = 0;
      draw();
    });
  }

  function refresh() {
    colours = {};
    drawSoon();
  }

  /** Prepare the layers below for a board in the present size and colours. @returns {number} how many pixels wide a square is */
  function prepare() {
    const { width, height } = measures(scene.board);
    const wide = Math.max(1, Math.round(element.clientWidth * (window.devicePixelRatio || 1))), high = Math.round((wide * height) / width);
    const pixels = 100 * (element.clientWidth / width);
    if (colours.frame && board === scene.board && element.width === wide && element.height === high) return pixels;
    board = scene.board;
    const style = getComputedStyle(element);
    for (const name of COLOURS) colours[name] = style.getPropertyValue(`--${name}`).trim();
    for (const each of [pen, ground, trail]) {
      Object.assign(each.canvas, { width: wide, height: high });
      each.setTransform(wide / width, 0, 0, wide / width, 0, 0);
    }
    drawGround(ground, board, colours);
    walked = { squares: [], look: "" };
    return pixels;
  }

  function draw() {
    if (!scene || !element.clientWidth) return;
    const pixels = prepare(), path = scene.path ?? [], total = scene.total ?? path.length, marks = scene.marks ?? [];
    const at = (square) => middleOf(board, square), numbered = isNumbered(board, pixels);
    const lit = marks.some((mark) => mark.kind === "solved") ? "board-good" : "board-ink";
    copyLayer(pen, ground);
    for (const { square, kind } of marks) if (kind in TINTS) tintSquare(pen, at(square), colours[TINTS[kind]], kind === "solved" ? 0.22 : 0.45);
    if (scene.line !== false) {
      drawTrail(path, total, pixels, numbered);
      copyLayer(pen, trail);
    }
    const dashed = Math.max(14, 110 / pixels), warning = Math.max(10, 150 / pixels);
    if (scene.closing) for (const [a, b] of partsOfMove(board, path[path.length - 1], path[0])) strokeLine(pen, a, b, colours["board-accent"], dashed, [dashed * 1.5, dashed * 2]);
    for (const [from, to] of scene.lines ?? []) for (const [a, b] of partsOfMove(board, from, to)) strokeLine(pen, a, b, colours["board-warning"], warning, path.length ? [warning * 1.5, warning * 2] : []);
    if (numbered && scene.numbers !== false) drawNumbers(pen, path, total, at);
    if (numbered) for (const [square, words] of scene.labels ?? []) writeAt(pen, at(square), words, colours["board-ink"]);
    for (const queen of scene.queens ?? []) drawPiece(pen, scene.piece ?? "queen", at(queen), 86, colours, scene.attacked?.has(queen) ? "board-warning" : lit);
    for (const mark of marks) drawMarkOn(pen, at(mark.square), mark, colours, pixels);
    if (scene.walker && path.length) drawWalker(at, pixels, lit);
  }

  /** Bring the moves up to those of a path; those that are drawn already stay if it only goes on. */
  function drawTrail(path, total, pixels, numbered) {
    const look = `${total} ${pixels}`, { squares } = walked;
    const goesOn = walked.look === look && squares.length <= path.length && squares.every((square, step) => path[step] === square);
    if (!goesOn) clearLayer(trail);
    drawMoves(trail, board, path, goesOn ? squares.length : 0, total, Math.min(34, Math.max(numbered ? 9 : 14, 130 / pixels)));
    walked = { squares: path.slice(), look };
  }

  /** Draw the piece, on its way if it has just moved. On a large board it is larger than its square, to be seen. */
  function drawWalker(at, pixels, lit) {
    const share = moved.from < 0 ? 1 : Math.min(1, (performance.now() - moved.at) / moved.lasts), left = (1 - share) ** 2;
    const [x, y] = at(here), [fromX, fromY] = share < 1 ? at(moved.from) : [x, y];
    drawPiece(pen, scene.piece ?? "horse", [x + (fromX - x) * left, y + (fromY - y) * left], Math.max(92, 2400 / pixels), colours, lit);
    if (share < 1) drawSoon();
  }

  return { element, show, refresh };
}

/** @param {Board} board @param {number} col @param {number} row @returns {Point} */
function pointOf(board, col, row) {
  const { margin } = measures(board);
  return [margin + col * 100 + 50, margin + row * 100 + 50];
}

/** @param {Board} board @param {number} square */
function middleOf(board, square) {
  const [row, col] = cellOf(board, square);
  return pointOf(board, col, row);
}

/** The parts of a move in the unit of the drawing. @param {Board} board @returns {[Point, Point][]} */
function partsOfMove(board, from, to) {
  return moveLine(board, from, to).map(([a, b]) => [pointOf(board, ...a), pointOf(board, ...b)]);
}

/** @param {Pen} pen @param {Board} board @param {Colours} colours */
function drawGround(pen, board, colours) {
  const { rows, cols, holes } = board, { font, margin, width, height } = measures(board);
  pen.fillStyle = colours.frame;
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = colours.light;
  pen.fillRect(margin, margin, cols * 100, rows * 100);
  for (let square = 0; square < rows * cols; square++) {
    const [row, col] = cellOf(board, square), hole = holes.has(square);
    if (!hole && (row + col) % 2 === 0) continue;
    pen.fillStyle = hole ? colours.frame : colours.dark;
    pen.fillRect(margin + col * 100, margin + row * 100, 100, 100);
  }
  const edge = (from, to) => strokeLine(pen, from, to, colours.letters, font / 3, [font, font]);
  if (board.wrap !== "none") for (const x of [margin, margin + cols * 100]) edge([x, margin], [x, margin + rows * 100]);
  if (board.wrap === "torus") for (const y of [margin, margin + rows * 100]) edge([margin, y], [margin + cols * 100, y]);
  pen.fillStyle = colours.letters;
  pen.font = `${font}px ${FONT}`;
  pen.textAlign = "center";
  const files = roundStep(((fileName(cols - 1).length * 0.62 + 0.4) * font) / 100), ranks = roundStep((font * 1.25) / 100);
  for (let col = 0; col < cols; col += files) pen.fillText(fileName(col), margin + col * 100 + 50, height - margin * 0.37, files * 100);
  for (let rank = 1; rank <= rows; rank++) if (rank === 1 || rank % ranks === (ranks === 2 ? 1 : 0)) pen.fillText(String(rank), margin / 2, margin + (rows - rank) * 100 + 50 + font * 0.35, margin * 0.9);
}

/**
 * Draw the moves onto the steps from `first` on, a hundredth of the tour in one stroke, since that is one colour. Those
 * over a glued edge are dotted, in strokes of their own.
 * @param {Pen} pen @param {Board} board @param {readonly number[]} path @param {number} first @param {number} total @param {number} wide
 */
function drawMoves(pen, board, path, first, total, wide) {
  const length = Math.max(1, Math.ceil(total / 100));
  Object.assign(pen, { lineWidth: wide, lineJoin: "round", lineCap: "round" });
  let colour = "", dotted = false, joined = false, open = false;
  const finish = () => {
    if (open) pen.stroke();
    open = joined = false;
  };
  for (let step = Math.max(first, 1); step < path.length; step++) {
    const parts = partsOfMove(board, path[step - 1], path[step]), overEdge = parts.length > 1;
    const next = colourOf(Math.floor((step - 1) / length) * length, total);
    if (next !== colour || overEdge !== dotted || !open) {
      finish();
      pen.beginPath();
      pen.strokeStyle = colour = next;
      dotted = overEdge;
      pen.setLineDash(dotted ? [0, wide * 2] : []);
      open = true;
    }
    for (const [a, b] of parts) {
      if (!joined || overEdge) pen.moveTo(...a);
      pen.lineTo(...b);
    }
    joined = !overEdge;
  }
  finish();
  pen.setLineDash([]);
}

/** @param {Pen} pen @param {readonly number[]} path @param {number} total @param {(square: number) => Point} at */
function drawNumbers(pen, path, total, at) {
  path.forEach((square, step) => {
    fillDisc(pen, at(square), 36, colourOf(step, total));
    writeAt(pen, at(square), String(step + 1), "#fff");
  });
}

/** @param {Pen} pen @param {"horse" | "queen" | "pawn"} name @param {Point} middle @param {number} side @param {Colours} colours @param {string} colour */
function drawPiece(pen, name, [x, y], side, colours, colour) {
  const body = new Path2D(PIECES[name].body), eye = new Path2D(PIECES[name].eye);
  pen.save();
  pen.translate(x - side / 2, y - side / 2);
  pen.scale(side / 100, side / 100);
  pen.lineJoin = "round";
  pen.lineWidth = 9;
  pen.strokeStyle = colours["board-halo"];
  pen.stroke(body);
  pen.fillStyle = colours[colour];
  pen.fill(body);
  pen.fillStyle = colours["board-halo"];
  pen.fill(eye);
  pen.restore();
}

/** @param {Pen} pen @param {Point} middle @param {import("./scene.js").Mark} mark @param {Colours} colours @param {number} pixels */
function drawMarkOn(pen, [x, y], { kind, text }, colours, pixels) {
  if (kind in RINGS) {
    // The ends of a tour are to be found on a large board too.
    const least = kind === "start" || kind === "end" ? 500 / pixels : 0, side = Math.max(40, least);
    if (text) fillDisc(pen, [x, y], 28, colours["board-halo"]);
    pen.beginPath();
    if (kind === "end") pen.rect(x - side, y - side, 2 * side, 2 * side);
    else pen.arc(x, y, Math.max(kind === "start" ? 42 : 28, least), 0, 2 * Math.PI);
    pen.lineWidth = Math.max(10, least && 140 / pixels);
    pen.strokeStyle = colours[RINGS[kind]];
    pen.stroke();
    if (text) writeAt(pen, [x, y], text, colours[RINGS[kind]]);
  } else if (kind === "reject" || kind === "fault") strokeCross(pen, [x, y], 24, colours["board-warning"], 14);
  else if (kind === "attacked") strokeCross(pen, [x, y], 9, colours["board-warning"], 6);
  else if (kind === "safe") fillDisc(pen, [x, y], 12, colours["board-accent"]);
}
