/**
 * Squares and their names, as in backrank.board: row-major from 0 at the top left, rank 1 at the bottom.
 * @module
 *
 * @typedef {Object} Board
 * @property {number} rows
 * @property {number} cols
 * @property {ReadonlySet<number>} holes
 */

/** The longest side that the page draws. */
export const MAX_SIDE = 200;

/**
 * @param {number} rows
 * @param {number} cols
 * @param {Iterable<number>} [holes]
 * @returns {Board}
 */
export function makeBoard(rows, cols, holes = []) {
  return { rows, cols, holes: new Set(holes) };
}

/** @param {Board} a @param {Board} b */
export function sameBoard(a, b) {
  return a.rows === b.rows && a.cols === b.cols && a.holes.size === b.holes.size && [...a.holes].every((hole) => b.holes.has(hole));
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
