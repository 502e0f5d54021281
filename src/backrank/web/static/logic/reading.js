/**
 * Reading squares and sizes as people write them.
 * @module
 */
import { squareAt } from "../board/squares.js";

/** @typedef {import("../board/squares.js").Board} Board */

/** The longest side that the page draws. */
export const MAX_SIDE = 200;

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
