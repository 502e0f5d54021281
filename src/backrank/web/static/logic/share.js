/**
 * Boards and games as the part of an address behind `#`, so that a link shares them and no server sees them.
 * @module
 */
import { makeBoard, nameOf } from "../board/squares.js";
import { readSize, readSquare, readSquares } from "./reading.js";

/** @typedef {import("../board/squares.js").Board} Board */

/** @param {string} hash @returns {{tab: string, values: URLSearchParams}} */
export function readHash(hash) {
  const [tab, query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return { tab, values: new URLSearchParams(query) };
}

/** @param {string} tab @param {Record<string, string>} [values] */
export function makeHash(tab, values = {}) {
  const query = Object.entries(values).filter(([, value]) => value !== "").map(([key, value]) => `${key}=${encodeURIComponent(value).replace(/%2C/g, ",")}`);
  return `#${tab}${query.length ? `?${query.join("&")}` : ""}`;
}

/** @param {Board} board @param {Iterable<number>} squares */
export function writeSquares(board, squares) {
  return [...squares].map((square) => nameOf(board, square)).join("");
}

/** @param {Board} board @returns {Record<string, string>} */
export function writeBoard(board) {
  return { board: `${board.rows}x${board.cols}`, holes: writeSquares(board, board.holes) };
}

/** The board of a link, null if it names none. @param {URLSearchParams} values @returns {Board | null} */
export function readBoard(values) {
  const size = readSize(values.get("board") || "");
  if (!size) return null;
  const plain = makeBoard(...size);
  return makeBoard(...size, readSquares(plain, values.get("holes") || "").filter((square) => square >= 0));
}

/** @param {Board} board @param {string | null} text @returns {number | null} */
export function readOptional(board, text) {
  const square = readSquare(board, text || "");
  return square < 0 || board.holes.has(square) ? null : square;
}
