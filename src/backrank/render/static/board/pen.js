/**
 * Shapes on a canvas, in the unit of the drawing: a square is 100 wide.
 * @module
 */
import { numberSize } from "./scene.js";

/** @typedef {[number, number]} Point */
/** @typedef {CanvasRenderingContext2D} Pen */

/** The font of numbers and letters. */
export const FONT = "system-ui, sans-serif";

/** @param {HTMLElement} canvas */
export const penOf = (canvas) => /** @type {Pen} */ (/** @type {HTMLCanvasElement} */ (canvas).getContext("2d"));

/** @param {Pen} pen @param {() => void} work */
function unscaled(pen, work) {
  pen.save();
  pen.setTransform(1, 0, 0, 1, 0, 0);
  work();
  pen.restore();
}

/** @param {Pen} pen @param {Pen} layer */
export function copyLayer(pen, layer) {
  unscaled(pen, () => pen.drawImage(layer.canvas, 0, 0));
}

/** @param {Pen} layer */
export function clearLayer(layer) {
  unscaled(layer, () => layer.clearRect(0, 0, layer.canvas.width, layer.canvas.height));
}

/** @param {Pen} pen @param {Point} middle @param {string} colour @param {number} alpha */
export function tintSquare(pen, [x, y], colour, alpha) {
  pen.globalAlpha = alpha;
  pen.fillStyle = colour;
  pen.fillRect(x - 50, y - 50, 100, 100);
  pen.globalAlpha = 1;
}

/** @param {Pen} pen @param {Point} from @param {Point} to @param {string} colour @param {number} wide @param {number[]} dash */
export function strokeLine(pen, from, to, colour, wide, dash) {
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

/** @param {Pen} pen @param {Point} middle @param {string} words @param {string} colour */
export function writeAt(pen, [x, y], words, colour) {
  const size = numberSize(words.length);
  pen.textAlign = "center";
  pen.font = `600 ${size}px ${FONT}`;
  pen.fillStyle = colour;
  pen.fillText(words, x, y + size * 0.35, 90);
}

/** @param {Pen} pen @param {Point} middle @param {number} radius @param {string} colour */
export function fillDisc(pen, [x, y], radius, colour) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = colour;
  pen.fill();
}

/** @param {Pen} pen @param {Point} middle @param {number} arm @param {string} colour @param {number} wide */
export function strokeCross(pen, [x, y], arm, colour, wide) {
  strokeLine(pen, [x - arm, y - arm], [x + arm, y + arm], colour, wide, []);
  strokeLine(pen, [x + arm, y - arm], [x - arm, y + arm], colour, wide, []);
}
