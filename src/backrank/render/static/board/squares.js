/**
 * Squares and their names, as in backrank.geometry.board: row-major from 0 at the top left, rank 1 at the bottom.
 * @module
 *
 * @typedef {Object} Board
 * @property {number} rows
 * @property {number} cols
 * @property {ReadonlySet<number>} holes
 * @property {Wrap} wrap which edges are glued
 * @property {readonly [number, number][]} steps of the piece: rows down, columns right
 * @property {boolean} slides whether the piece goes on along its steps until something stands in its way
 *
 * @typedef {"none" | "cylinder" | "torus"} Wrap
 */

/** The steps of a leaper. @param {number} r @param {number} s @returns {[number, number][]} */
export function leaperSteps(r, s) {
  const all = [[r, s], [s, r]].flatMap(([a, b]) => [[a, b], [a, -b], [-a, b], [-a, -b]].map(([down, right]) => `${down + 0},${right + 0}`));
  return [...new Set(all)].map((step) => /** @type {[number, number]} */ (step.split(",").map(Number)));
}

export const KNIGHT = leaperSteps(1, 2);
/** The directions of a queen, who slides. */
export const QUEEN_STEPS = [...leaperSteps(0, 1), ...leaperSteps(1, 1)];

/**
 * @param {number} rows
 * @param {number} cols
 * @param {Iterable<number>} [holes]
 * @param {{wrap?: Wrap, steps?: readonly [number, number][], slides?: boolean}} [rules]
 * @returns {Board}
 */
export function makeBoard(rows, cols, holes = [], { wrap = "none", steps = KNIGHT, slides = false } = {}) {
  return { rows, cols, holes: new Set(holes), wrap, steps, slides };
}

/** @param {Board} a @param {Board} b */
export function sameBoard(a, b) {
  return a.rows === b.rows && a.cols === b.cols && a.wrap === b.wrap && a.slides === b.slides && String(a.steps) === String(b.steps) && a.holes.size === b.holes.size && [...a.holes].every((hole) => b.holes.has(hole));
}

/** How many squares a piece can stand on. @param {Board} board */
export function squareCount(board) {
  return board.rows * board.cols - board.holes.size;
}

/** @param {Board} board @param {number} square @returns {[number, number]} */
export function cellOf(board, square) {
  return [Math.floor(square / board.cols), square % board.cols];
}

/** The square of a cell, -1 off the board. @param {Board} board @param {number} row @param {number} col */
export function squareAt(board, row, col) {
  return row >= 0 && row < board.rows && col >= 0 && col < board.cols ? row * board.cols + col : -1;
}

/** The square a step away, round the glued edges; -1 off the board. @param {Board} board @param {number} square @param {readonly [number, number]} step */
export function squareAfter(board, square, [down, right]) {
  const [row, col] = cellOf(board, square), turned = (at, length) => ((at % length) + length) % length;
  return squareAt(board, board.wrap === "torus" ? turned(row + down, board.rows) : row + down, board.wrap === "none" ? col + right : turned(col + right, board.cols));
}

/** a … z, aa, ab … @param {number} col */
export function fileName(col) {
  let letters = "";
  for (let rest = col + 1; rest; rest = Math.floor((rest - 1) / 26)) letters = String.fromCharCode(97 + ((rest - 1) % 26)) + letters;
  return letters;
}

/** @param {Board} board @param {number} square */
export function nameOf(board, square) {
  const [row, col] = cellOf(board, square);
  return `${fileName(col)}${board.rows - row}`;
}
