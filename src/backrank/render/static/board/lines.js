/**
 * The line of a move, as backrank.render.lines draws it: one piece, or two stubs of one that goes over a glued edge.
 * @module
 */
import { cellOf } from "./squares.js";

/**
 * @typedef {[number, number]} Point column and row, from 0, in the middle of a square
 * @param {import("./squares.js").Board} board
 * @param {number} source
 * @param {number} target
 * @returns {[Point, Point][]}
 */
export function moveLine(board, source, target) {
  const [row, col] = cellOf(board, source), [endRow, endCol] = cellOf(board, target);
  const [down, right] = board.wrap === "none" ? [endRow - row, endCol - col] : wayOf(board, endRow - row, endCol - col);
  if (row + down === endRow && col + right === endCol) return [[[col, row], [endCol, endRow]]];
  return [[[col, row], edgeFrom(board, [col, row], [right, down])], [edgeFrom(board, [endCol, endRow], [-right, -down]), [endCol, endRow]]];
}

/** By how much the piece moved, given the difference of the cells: across the board if it can be, else over an edge. */
function wayOf({ rows, cols, wrap, steps, slides }, down, right) {
  const isStep = ([a, b]) => {
    const far = slides ? Math.max(Math.abs(a), Math.abs(b)) : 1;
    return steps.some((step) => step[0] * far === a && step[1] * far === b);
  };
  if (isStep([down, right])) return [down, right];
  const ways = (wrap === "torus" ? [0, -rows, rows] : [0]).flatMap((more) => [0, -cols, cols].map((aside) => [down + more, right + aside])).filter(isStep);
  const length = ([a, b]) => Math.abs(a) + Math.abs(b);
  return ways.reduce((best, way) => (length(way) < length(best) ? way : best), ways[0] ?? [down, right]);
}

/** Where the way from a point by a vector first meets the edge of the board. @returns {Point} */
function edgeFrom({ rows, cols }, [x, y], [right, down]) {
  const shares = [[x, right, cols - 1], [y, down, rows - 1]].filter(([, by]) => by).map(([at, by, last]) => ((by > 0 ? last + 0.5 : -0.5) - at) / by);
  const share = Math.min(...shares);
  return [x + right * share, y + down * share];
}
