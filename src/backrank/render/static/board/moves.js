/**
 * How a piece moves.
 * @module
 */
import { squareAfter } from "./squares.js";

/** @typedef {import("./squares.js").Board} Board */

/** The squares one move away. @param {Board} board @param {number} square @returns {number[]} */
export function movesFrom(board, square) {
  // Round glued edges two steps may lead to one square.
  const targets = new Set();
  for (const step of board.steps) {
    let at = squareAfter(board, square, step);
    while (at >= 0 && at !== square && !board.holes.has(at)) {
      targets.add(at);
      if (!board.slides) break;
      at = squareAfter(board, at, step);
    }
  }
  return [...targets];
}

/** @param {Board} board @param {number} a @param {number} b */
export function isMove(board, a, b) {
  return movesFrom(board, a).includes(b);
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
  for (const target of movesFrom(board, path[path.length - 1])) {
    if (visited.has(target)) continue;
    found.set(target, movesFrom(board, target).filter((next) => !visited.has(next)).length);
  }
  return found;
}
