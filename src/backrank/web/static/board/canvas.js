/**
 * A board on a canvas, for boards with more squares than an SVG can hold at sixty pictures a second.
 * @module
 */
import { h } from "../core/dom.js";
import { moveLine } from "../logic/lines.js";
import { cellOf, fileName } from "../logic/squares.js";
import { HORSE, QUEEN, colourOf } from "./look.js";
import { measures, roundStep } from "./scene.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {[number, number]} Point */

const COLOURS = ["frame", "letters", "light", "dark", "board-ink", "board-halo", "board-warning", "board-good", "board-accent", "board-left"];

/** @returns {{element: HTMLElement, show: (scene: Scene) => void, refresh: () => void}} */
export function createCanvasView() {
  const element = /** @type {HTMLCanvasElement} */ (h("canvas.board-picture", { "aria-hidden": "true" }));
  const pen = /** @type {CanvasRenderingContext2D} */ (element.getContext("2d"));
  const horse = new Path2D(HORSE), crown = new Path2D(QUEEN);
  /** @type {Record<string, string>} */
  let colours = {};
  /** @type {Scene | null} */
  let scene = null;
  let due = 0;

  const observer = new ResizeObserver(() => refresh());
  observer.observe(element);

  function show(next) {
    scene = next;
    // However often a scene changes, it is drawn once a picture.
    due ||= requestAnimationFrame(() => {
      due = 0;
      draw();
    });
  }

  function refresh() {
    colours = {};
    if (scene) show(scene);
  }

  function prepare(board) {
    const { width, height } = measures(board);
    const wide = Math.max(1, Math.round(element.clientWidth * (window.devicePixelRatio || 1)));
    if (element.width !== wide) element.width = wide;
    const high = Math.round((wide * height) / width);
    if (element.height !== high) element.height = high;
    pen.setTransform(wide / width, 0, 0, wide / width, 0, 0);
    if (!colours.frame) {
      const style = getComputedStyle(element);
      for (const name of COLOURS) colours[name] = style.getPropertyValue(`--${name}`).trim();
    }
    return 100 * (element.clientWidth / width);
  }

  function draw() {
    if (!scene || !element.clientWidth) return;
    const { board } = scene, pixels = prepare(board), { margin } = measures(board);
    const at = (square) => {
      const [row, col] = cellOf(board, square);
      return /** @type {Point} */ ([margin + col * 100 + 50, margin + row * 100 + 50]);
    };
    ground(board);
    const path = scene.path ?? [], total = scene.total ?? path.length;
    for (const mark of scene.marks ?? []) if (["reject", "cause", "fault"].includes(mark.kind)) tint(at(mark.square));
    if (scene.line !== false) moves(board, path, total, pixels);
    if (scene.closing) for (const [a, b] of segments(board, path[path.length - 1], path[0])) stroke(a, b, colours["board-accent"], 14, [20, 26]);
    for (const [a, b] of scene.lines ?? []) stroke(at(a), at(b), colours["board-warning"], Math.max(10, 150 / pixels), []);
    if (pixels >= 17) numbers(path, total, at);
    pen.fillStyle = colours["board-ink"];
    pen.font = "600 34px system-ui, sans-serif";
    if (pixels >= 17) for (const [square, words] of scene.labels ?? []) pen.fillText(words, at(square)[0], at(square)[1] + 12, 90);
    for (const queen of scene.queens ?? []) piece(crown, at(queen), scene.attacked?.has(queen) ? colours["board-warning"] : colours["board-ink"], 86);
    for (const mark of scene.marks ?? []) markOn(at(mark.square), mark);
    if (scene.walker && path.length) piece(horse, at(path[path.length - 1]), colours["board-ink"], Math.max(92, 2400 / pixels));
  }

  function ground(board) {
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
    if (board.wrap !== "none") for (const x of [margin, margin + cols * 100]) stroke([x, margin], [x, margin + rows * 100], colours.letters, font / 3, [font, font]);
    if (board.wrap === "torus") for (const y of [margin, margin + rows * 100]) stroke([margin, y], [margin + cols * 100, y], colours.letters, font / 3, [font, font]);
    pen.fillStyle = colours.letters;
    pen.font = `${font}px system-ui, sans-serif`;
    pen.textAlign = "center";
    const files = roundStep(((fileName(cols - 1).length * 0.62 + 0.4) * font) / 100), ranks = roundStep((font * 1.25) / 100);
    for (let col = 0; col < cols; col += files) pen.fillText(fileName(col), margin + col * 100 + 50, height - margin * 0.37, files * 100);
    for (let rank = 1; rank <= rows; rank++) if (rank === 1 || rank % ranks === (ranks === 2 ? 1 : 0)) pen.fillText(String(rank), margin / 2, margin + (rows - rank) * 100 + 50 + font * 0.35, margin * 0.9);
  }

  /** @param {Point} middle */
  function tint([x, y]) {
    pen.globalAlpha = 0.45;
    pen.fillStyle = colours["board-warning"];
    pen.fillRect(x - 50, y - 50, 100, 100);
    pen.globalAlpha = 1;
  }

  /** @param {Point} from @param {Point} to @param {string} colour @param {number} wide @param {number[]} dash */
  function stroke(from, to, colour, wide, dash) {
    pen.beginPath();
    pen.moveTo(...from);
    pen.lineTo(...to);
    pen.setLineDash(dash);
    pen.lineCap = "round";
    pen.lineWidth = wide;
    pen.strokeStyle = colour;
    pen.stroke();
    pen.setLineDash([]);
  }

  /**
   * Draw the moves, a hundredth of the tour in one stroke, since that is one colour.
   * @param {import("../logic/squares.js").Board} board @param {readonly number[]} path @param {number} total @param {number} pixels
   */
  function moves(board, path, total, pixels) {
    const length = Math.max(1, Math.ceil(total / 100));
    pen.lineWidth = Math.min(34, Math.max(9, 130 / pixels));
    pen.lineJoin = pen.lineCap = "round";
    for (let first = 0; first < path.length - 1; first += length) {
      pen.beginPath();
      let here = "";
      for (let step = first + 1; step <= Math.min(first + length, path.length - 1); step++) {
        for (const [a, b] of segments(board, path[step - 1], path[step])) {
          if (String(a) !== here) pen.moveTo(...a);
          pen.lineTo(...b);
          here = String(b);
        }
      }
      pen.strokeStyle = colourOf(first, total);
      pen.stroke();
    }
  }

  /** The pieces of a line in the unit of the drawing. @returns {[Point, Point][]} */
  function segments(board, from, to) {
    const { margin } = measures(board), point = ([col, row]) => /** @type {Point} */ ([margin + col * 100 + 50, margin + row * 100 + 50]);
    return moveLine(board, from, to).map(([a, b]) => [point(a), point(b)]);
  }

  /** @param {readonly number[]} path @param {number} total @param {(square: number) => Point} at */
  function numbers(path, total, at) {
    pen.textAlign = "center";
    path.forEach((square, step) => {
      const [x, y] = at(square);
      pen.beginPath();
      pen.arc(x, y, 36, 0, 2 * Math.PI);
      pen.fillStyle = colourOf(step, total);
      pen.fill();
      const size = [36, 36, 36, 30, 25, 20][Math.min(String(step + 1).length, 5)];
      pen.font = `600 ${size}px system-ui, sans-serif`;
      pen.fillStyle = "#fff";
      pen.fillText(String(step + 1), x, y + size * 0.35);
    });
  }

  /** @param {Path2D} shape @param {Point} middle @param {string} colour @param {number} side */
  function piece(shape, [x, y], colour, side) {
    pen.save();
    pen.translate(x - side / 2, y - side / 2);
    pen.scale(side / 100, side / 100);
    pen.lineJoin = "round";
    pen.lineWidth = 9;
    pen.strokeStyle = colours["board-halo"];
    pen.stroke(shape);
    pen.fillStyle = colour;
    pen.fill(shape);
    pen.restore();
  }

  /** @param {Point} middle @param {import("./scene.js").Mark} mark */
  function markOn([x, y], { kind }) {
    const ring = { legal: "board-accent", hint: "board-good", left: "board-left", start: "board-accent", end: "board-accent" }[kind];
    if (ring) {
      pen.beginPath();
      if (kind === "end") pen.rect(x - 40, y - 40, 80, 80);
      else pen.arc(x, y, kind === "start" ? 42 : 28, 0, 2 * Math.PI);
      pen.lineWidth = 10;
      pen.strokeStyle = colours[ring];
      pen.stroke();
    } else if (kind === "reject" || kind === "fault") {
      stroke([x - 24, y - 24], [x + 24, y + 24], colours["board-warning"], 14, []);
      stroke([x + 24, y - 24], [x - 24, y + 24], colours["board-warning"], 14, []);
    } else if (kind === "safe") {
      pen.beginPath();
      pen.arc(x, y, 12, 0, 2 * Math.PI);
      pen.fillStyle = colours["board-accent"];
      pen.fill();
    }
  }

  return { element, show, refresh };
}
