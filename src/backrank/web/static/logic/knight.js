/**
 * How a knight moves, and the state of a tour that is walked by hand.
 * @module
 */
import { cellOf, squareAt, squareCount } from "./squares.js";

/** @typedef {import("./squares.js").Board} Board */
/** @typedef {"open" | "closed" | "ends"} Goal */

const STEPS = [[-2, -1], [-2, 1], [-1, -2], [-1, 2], [1, -2], [1, 2], [2, -1], [2, 1]];

/** The squares one move away. @param {Board} board @param {number} square @returns {number[]} */
export function knightMoves(board, square) {
  const [row, col] = cellOf(board, square);
  return STEPS.map(([down, right]) => squareAt(board, row + down, col + right)).filter((at) => at >= 0 && !board.holes.has(at));
}

/** @param {Board} board @param {number} a @param {number} b */
export function isKnightMove(board, a, b) {
  const [row, col] = cellOf(board, a), [otherRow, otherCol] = cellOf(board, b);
  return Math.abs(row - otherRow) * Math.abs(col - otherCol) === 2;
}

/**
 * The squares where the piece may go next, each with the number of moves onward from it.
 * @param {Board} board
 * @param {readonly number[]} path
 * @returns {Map<number, number>}
 */
export function onwardMoves(board, path) {
  const found = new Map();
  if (!path.length) return found;
  const visited = new Set(path);
  for (const target of knightMoves(board, path[path.length - 1])) {
    if (visited.has(target)) continue;
    found.set(target, knightMoves(board, target).filter((next) => !visited.has(next)).length);
  }
  return found;
}

/**
 * What may be clicked next in a game: anywhere, or the given start, for the first square; then the legal moves.
 * @param {Board} board
 * @param {readonly number[]} path
 * @param {{goal: Goal, start: number | null, end: number | null}} rules
 * @returns {Map<number, number>} each with its number of onward moves, -1 for a first square
 */
export function choices(board, path, { goal, start, end }) {
  if (path.length) {
    const next = onwardMoves(board, path);
    // The last square may only be entered at last.
    if (goal === "ends" && end !== null && path.length < squareCount(board) - 1) next.delete(end);
    if (goal === "ends" && end !== null && path.length === squareCount(board) - 1) for (const at of [...next.keys()]) if (at !== end) next.delete(at);
    return next;
  }
  if (goal === "ends" && start !== null) return new Map([[start, -1]]);
  const found = new Map();
  for (let at = 0; at < board.rows * board.cols; at++) if (!board.holes.has(at) && !(goal === "ends" && at === end)) found.set(at, -1);
  return found;
}

/**
 * How a game stands.
 * @param {Board} board
 * @param {readonly number[]} path
 * @param {{goal: Goal, start: number | null, end: number | null}} rules
 * @returns {"empty" | "going" | "stuck" | "notclosed" | "done"}
 */
export function standing(board, path, rules) {
  if (!path.length) return "empty";
  if (path.length < squareCount(board)) return choices(board, path, rules).size ? "going" : "stuck";
  if (rules.goal === "closed" && (path.length < 3 || !isKnightMove(board, path[0], path[path.length - 1]))) return "notclosed";
  return "done";
}
