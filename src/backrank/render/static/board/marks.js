/**
 * Marks on squares as SVG. Each kind has a shape of its own, so that nobody needs colours to tell them apart.
 * @module
 */
import { s } from "./dom.js";

/** @typedef {import("./scene.js").Mark} Mark */

/** @type {Record<string, (x: number, y: number, mark: Mark) => Element[]>} */
const SHAPES = {
  // A dashed ring, with a number in it or a dot.
  legal: (x, y, { text }) => [s("circle", { cx: x, cy: y, r: 29, class: "mark-legal" }), ...(text ? [written(x, y, text, "mark-legal-text")] : [s("circle", { cx: x, cy: y, r: 8, class: "mark-legal-dot" })])],
  // A whole ring in the colour of what is good, and a tick.
  hint: (x, y, { text }) => [
    s("circle", { cx: x, cy: y, r: 34, class: "mark-hint" }),
    ...(text ? [written(x, y, text, "mark-hint-text")] : [s("path", { d: `M${x - 14} ${y + 1}l10 11l19 -22`, class: "mark-tick" })]),
  ],
  reject: (x, y) => [s("path", { d: cross(x, y, 22), class: "mark-cross-halo" }), s("path", { d: cross(x, y, 22), class: "mark-cross" })],
  cause: () => [],
  left: (x, y) => [s("circle", { cx: x, cy: y, r: 36, class: "mark-left" })],
  start: (x, y) => [s("circle", { cx: x, cy: y, r: 43, class: "mark-start" })],
  end: (x, y) => [s("rect", { x: x - 43, y: y - 43, width: 86, height: 86, rx: 8, class: "mark-end" })],
  fault: (x, y) => [s("path", { d: `M${x + 22} ${y - 47}h25v25z`, class: "mark-corner" }), s("rect", { x: x - 46, y: y - 46, width: 92, height: 92, class: "mark-fault" })],
  attacked: (x, y) => [s("path", { d: cross(x, y, 9), class: "mark-attacked" })],
  safe: (x, y) => [s("circle", { cx: x, cy: y, r: 12, class: "mark-safe" })],
  solved: () => [],
};

/** The shapes of a mark. @param {[number, number]} middle @param {Mark} mark */
export function drawMark([x, y], mark) {
  return SHAPES[mark.kind](x, y, mark);
}

function cross(x, y, arm) {
  return `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}M${x + arm} ${y - arm}l${-2 * arm} ${2 * arm}`;
}

function written(x, y, text, kind) {
  const size = text.length > 2 ? 26 : 34;
  const element = s("text", { x, y: y + size * 0.35, "font-size": size, class: kind });
  element.textContent = text;
  return element;
}
