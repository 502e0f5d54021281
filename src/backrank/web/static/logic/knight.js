/**
 * The state of a tour that is walked by hand.
 * @module
 */
import { isMove, onwardMoves } from "../board/moves.js";
import { squareCount } from "../board/squares.js";

/** @typedef {import("../board/squares.js").Board} Board */
/** @typedef {"open" | "closed" | "ends"} Goal */

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
  if (rules.goal === "closed" && (path.length < 3 || !isMove(board, path[0], path[path.length - 1]))) return "notclosed";
  return "done";
}
