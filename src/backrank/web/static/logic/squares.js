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
 *
 * @typedef {"none" | "cylinder" | "torus"} Wrap
 */

/** The longest side that the page draws. */
export const MAX_SIDE = 200;

/** The steps of a leaper. @param {number} r @param {number} s @returns {[number, number][]} */
export function leaperSteps(r, s) {
  const all = [[r, s], [s, r]].flatMap(([a, b]) => [[a, b], [a, -b], [-a, b], [-a, -b]].map(([down, right]) => `${down + 0},${right + 0}`));
  return [...new Set(all)].map((step) => /** @type {[number, number]} */ (step.split(",").map(Number)));
}

export const KNIGHT = leaperSteps(1, 2);

/**
 * @param {number} rows
 * @param {number} cols
 * @param {Iterable<number>} [holes]
 * @param {{wrap?: Wrap, steps?: readonly [number, number][]}} [rules]
 * @returns {Board}
 */
export function makeBoard(rows, cols, holes = [], { wrap = "none", steps = KNIGHT } = {}) {
  return { rows, cols, holes: new Set(holes), wrap, steps };
}

/** @param {Board} a @param {Board} b */
export function sameBoard(a, b) {
  return a.rows === b.rows && a.cols === b.cols && a.wrap === b.wrap && String(a.steps) === String(b.steps) && a.holes.size === b.holes.size && [...a.holes].every((hole) => b.holes.has(hole));
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

/**
 * Read `c3` or `row,col`; -1 if it is no square of the board.
 * @param {Board} board
 * @param {string} text
 */
export function readSquare(board, text) {
  const written = text.trim().toLowerCase();
  const cell = /^\(?\s*(\d+)\s*[,，\s]\s*(\d+)\s*\)?$/.exec(written);
  if (cell) return squareAt(board, Number(cell[1]), Number(cell[2]));
  const name = /^([a-z]{1,3})(\d{1,6})$/.exec(written);
  if (!name) return -1;
  const col = [...name[1]].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0) - 1;
  return squareAt(board, board.rows - Number(name[2]), col);
}

/** Read names written one after the other, with anything between them. @param {Board} board @param {string} text */
export function readSquares(board, text) {
  return (text.toLowerCase().match(/[a-z]{1,3}\d{1,6}/g) || []).map((name) => readSquare(board, name));
}

/** Read a list of squares, names or cells; null if anything else is written there. @param {Board} board @param {string} text @returns {number[] | null} */
export function readSquareList(board, text) {
  const word = /[a-z]{1,3}\d{1,6}|\(?\s*\d+\s*[,，]\s*\d+\s*\)?/gi;
  const squares = (text.match(word) || []).map((name) => readSquare(board, name));
  return squares.includes(-1) || text.replace(word, "").replace(/[\s,;，、；]/g, "") ? null : [...new Set(squares)].sort((a, b) => a - b);
}

/**
 * Read `8x8`, `3 × 10` or `8`.
 * @param {string} text
 * @returns {[number, number] | null}
 */
export function readSize(text) {
  const size = /^\s*(\d{1,4})(?:\s*[x×*乘,]\s*(\d{1,4}))?\s*$/i.exec(text);
  if (!size) return null;
  const rows = Number(size[1]), cols = Number(size[2] ?? size[1]);
  return rows > 0 && cols > 0 && rows <= MAX_SIDE && cols <= MAX_SIDE ? [rows, cols] : null;
}
