/**
 * The board that people use: a picture, and over it a grid of cells with names, for the mouse, the keyboard and screen
 * readers. One tab stop; arrows go about in it. Of boards drawn on a canvas only the cell in hand is in the document.
 * @module
 */
import { h } from "../board/dom.js";
import { isLarge, measures } from "../board/scene.js";
import { cellOf, makeBoard, sameBoard, squareAt } from "../board/squares.js";
import { createView } from "../board/view.js";

/** @typedef {import("../board/scene.js").Scene} Scene */
/** @typedef {import("../board/squares.js").Board} Board */

/**
 * @typedef {Object} BoardElement
 * @property {HTMLElement} element
 * @property {(scene: Scene, describe: (square: number) => string) => void} show
 * @property {(square: number) => void} focus
 * @property {() => number} focused
 * @property {() => void} refresh draw again, for other colours
 */

/** On larger boards the names of all cells but the one in hand wait until the board has come to rest. */
const LABELLED_AT_ONCE = 256;
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/**
 * @param {{label: string, onact?: (square: number, again: boolean) => void}} options `onact` is told which square was clicked or entered
 * @returns {BoardElement}
 */
export function createBoard({ label, onact }) {
  const cells = h("div.cells", { role: "grid", "aria-label": label });
  const element = h("div.board", {}, cells);
  /** @type {Board} */
  let board = makeBoard(0, 0);
  const view = createView(element);
  let virtual = false, current = 0;
  /** @type {(square: number) => string} */
  let describe = () => "";
  /** @type {HTMLElement[]} */
  let all = [];
  /** @type {string[]} */
  let labels = [], labelling = 0;

  function show(scene, words) {
    describe = words;
    if (!sameBoard(board, scene.board)) build(scene.board);
    view.show({ ...scene, board });
    if (virtual) virtualCell().setAttribute("aria-label", describe(current));
    else if (all.length <= LABELLED_AT_ONCE) all.forEach(relabel);
    else {
      if (all[current]) relabel(all[current], current);
      clearTimeout(labelling);
      labelling = setTimeout(() => all.forEach(relabel), 150);
    }
  }

  /** @param {HTMLElement} cell @param {number} square */
  function relabel(cell, square) {
    const words = describe(square);
    if (labels[square] === words) return;
    labels[square] = words;
    cell.setAttribute("aria-label", words);
  }

  function build(next) {
    board = next;
    const { rows, cols } = board, { margin, width, height } = measures(board);
    virtual = isLarge(board);
    element.style.setProperty("--ratio", String(width / height));
    element.style.aspectRatio = `${width} / ${height}`;
    Object.assign(cells.style, { left: `${(margin / width) * 100}%`, right: `${(margin / width) * 100}%`, top: `${(margin / height) * 100}%`, bottom: `${(margin / height) * 100}%` });
    cells.setAttribute("aria-rowcount", String(rows));
    cells.setAttribute("aria-colcount", String(cols));
    current = Math.min(current, rows * cols - 1);
    cells.replaceChildren(...(virtual ? [virtualRow()] : Array.from({ length: rows }, (_, row) => wholeRow(row))));
    all = virtual ? [] : /** @type {HTMLElement[]} */ ([...cells.querySelectorAll("[role=gridcell]")]);
    labels = [];
    if (virtual) move(current, false);
  }

  function wholeRow(row) {
    const { cols } = board;
    const inner = Array.from({ length: cols }, (_, col) => cellElement(row * cols + col, row * cols + col === current));
    return h("div.row", { role: "row", "aria-rowindex": row + 1 }, inner);
  }

  const virtualRow = () => h("div.row.virtual", { role: "row" }, cellElement(current, true));
  const virtualCell = () => /** @type {HTMLElement} */ (cells.querySelector("[role=gridcell]"));

  function cellElement(square, stop) {
    const col = cellOf(board, square)[1];
    return h("div.cell", { role: "gridcell", tabindex: stop ? 0 : -1, "data-square": square, "aria-colindex": col + 1 });
  }

  /** Make a square the one that Tab comes to, and perhaps give it the focus now. */
  function move(square, focus = true) {
    if (virtual) {
      const cell = virtualCell(), [row, col] = cellOf(board, square);
      cell.dataset.square = String(square);
      cell.setAttribute("aria-colindex", String(col + 1));
      cell.parentElement?.setAttribute("aria-rowindex", String(row + 1));
      Object.assign(cell.style, { left: `${(col / board.cols) * 100}%`, top: `${(row / board.rows) * 100}%`, width: `${100 / board.cols}%`, height: `${100 / board.rows}%` });
      cell.setAttribute("aria-label", describe(square));
    } else {
      cellAt(current)?.setAttribute("tabindex", "-1");
      cellAt(square)?.setAttribute("tabindex", "0");
    }
    current = square;
    if (!virtual && all[square]) relabel(all[square], square);
    if (focus) (virtual ? virtualCell() : cellAt(square))?.focus({ preventScroll: virtual });
  }

  const cellAt = (square) => all[square];

  function onkeydown(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const [row, col] = cellOf(board, current);
    let next = -1;
    if (event.key in ARROWS) next = squareAt(board, row + ARROWS[event.key][0], col + ARROWS[event.key][1]);
    else if (event.key === "Home") next = row * board.cols;
    else if (event.key === "End") next = row * board.cols + board.cols - 1;
    else if (event.key === "PageUp") next = col;
    else if (event.key === "PageDown") next = (board.rows - 1) * board.cols + col;
    else if (event.key === "Enter" || event.key === " ") onact?.(current, event.repeat);
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (next >= 0 && next !== current) move(next);
  }

  function onclick(event) {
    let square = Number(/** @type {HTMLElement} */ (event.target).closest("[data-square]")?.getAttribute("data-square") ?? -1);
    if (virtual) {
      const box = cells.getBoundingClientRect();
      square = squareAt(board, Math.floor(((event.clientY - box.top) / box.height) * board.rows), Math.floor(((event.clientX - box.left) / box.width) * board.cols));
    }
    if (square < 0) return;
    move(square);
    onact?.(square, false);
  }

  cells.addEventListener("keydown", onkeydown);
  cells.addEventListener("click", onclick);
  return { element, show, focus: (square) => move(square), focused: () => current, refresh: view.refresh };
}
