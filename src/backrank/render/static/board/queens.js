/**
 * Queens that attack each other. They see across holes.
 * @module
 */
import { cellOf } from "./squares.js";

/** @typedef {import("./squares.js").Board} Board */

/**
 * The four lines through a square: row, column, two diagonals, which go on round glued edges.
 * @param {Board} board @param {number} square
 */
export function linesOf(board, square) {
  const { rows, cols, wrap } = board, [row, col] = cellOf(board, square);
  const length = wrap === "none" ? 0 : wrap === "cylinder" ? cols : common(rows, cols);
  const numbered = (line) => (length ? ((line % length) + length) % length : line);
  return [`r${row}`, `c${col}`, `d${numbered(row - col)}`, `u${numbered(row + col)}`];
}

/** The greatest common divisor. @param {number} a @param {number} b @returns {number} */
const common = (a, b) => (b ? common(b, a % b) : a);

/**
 * Pairs of queens that attack each other, neighbours on their line only.
 * @param {Board} board
 * @param {Iterable<number>} queens
 * @returns {[number, number][]}
 */
export function conflicts(board, queens) {
  const last = new Map();
  /** @type {[number, number][]} */
  const pairs = [];
  for (const queen of [...queens].sort((a, b) => a - b)) {
    for (const line of linesOf(board, queen)) {
      if (last.has(line)) pairs.push([last.get(line), queen]);
      last.set(line, queen);
    }
  }
  return pairs;
}

/** The squares that no queen attacks, and where none stands. @param {Board} board @param {Iterable<number>} queens */
export function freeSquares(board, queens) {
  const taken = new Set([...queens].flatMap((queen) => linesOf(board, queen)));
  const free = [];
  for (let at = 0; at < board.rows * board.cols; at++) {
    if (!board.holes.has(at) && !linesOf(board, at).some((line) => taken.has(line))) free.push(at);
  }
  return free;
}
