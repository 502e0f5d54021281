/**
 * The scene of a moment of a search, and of a walk, which is a search without dead ends.
 * @module
 *
 * @typedef {Object} Search
 * @property {import("./squares.js").Board} board with the steps of the piece
 * @property {"tour" | "queens"} kind
 * @property {number} [start] the square of a tour that is marked before its first step
 * @property {number | null} [end] the square on which a tour is to end
 * @property {boolean} [closed]
 *
 * @typedef {{kind: "enter" | "leave" | "reject" | "solution", square: number, at: number | null}} Last the last event, and the square that is its cause
 */
import { onwardMoves } from "./moves.js";
import { freeSquares } from "./queens.js";
import { squareCount } from "./squares.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Mark} Mark */

/**
 * @param {Search} search
 * @param {{path: readonly number[], last: Last | null}} moment
 * @param {{hints: boolean, glide?: number}} options
 * @returns {Scene}
 */
export function momentScene(search, { path, last }, { hints, glide = 0 }) {
  const { board, kind, closed = false } = search, isTour = kind === "tour";
  const marks = [...eventMarks(path, last), ...(isTour ? endMarks(search, path) : [])];
  const lines = last?.kind === "reject" ? rejectLine(kind, path, last) : [];
  if (hints) marks.push(...(isTour ? moveHints(board, path, last) : attackHints(board, path, last)));
  if (!isTour) return { board, queens: path, marks, lines };
  return { board, path, total: squareCount(board), walker: true, marks, lines, glide, closing: closed && path.length > 2 && last?.kind === "solution" };
}

/** @returns {Mark[]} */
function eventMarks(path, last) {
  if (last?.kind === "leave") return [{ square: last.square, kind: "left" }];
  if (last?.kind === "solution") return path.map((square) => ({ square, kind: "solved" }));
  if (last?.kind !== "reject") return [];
  return last.at === null || last.at === last.square ? [{ square: last.square, kind: "reject" }] : [{ square: last.square, kind: "reject" }, { square: last.at, kind: "cause" }];
}

/** Where a tour begins, which its piece covers at first, and where it is to end. @returns {Mark[]} */
function endMarks({ start, end = null }, path) {
  /** @type {Mark[]} */
  const marks = [];
  const first = path.length ? path[0] : start;
  if (first !== undefined && path.length !== 1) marks.push({ square: first, kind: "start" });
  if (end !== null && path[path.length - 1] !== end) marks.push({ square: end, kind: "end" });
  return marks;
}

/** The move that was refused, or the line on which two queens stand. @returns {[number, number][]} */
function rejectLine(kind, path, { square, at }) {
  const from = kind === "tour" ? path[path.length - 1] : at;
  return from === undefined || from === null || from === square ? [] : [[from, square]];
}

/** The squares that the piece may go to, each with the number of moves onward. @returns {Mark[]} */
function moveHints(board, path, last) {
  const marked = last?.kind === "reject" || last?.kind === "leave" ? last.square : -1;
  return [...onwardMoves(board, path)].filter(([square]) => square !== marked).map(([square, onward]) => ({ square, kind: "legal", text: String(onward) }));
}

/** The squares that queens attack. @returns {Mark[]} */
function attackHints(board, queens, last) {
  if (!queens.length) return [];
  const others = new Set([...freeSquares(board, queens), ...queens, ...board.holes, last?.kind === "reject" ? last.square : -1]);
  return Array.from({ length: board.rows * board.cols }, (_, square) => square).filter((square) => !others.has(square)).map((square) => ({ square, kind: "attacked" }));
}
