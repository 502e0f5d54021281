/**
 * What a board shows, as plain data. Both views, SVG and canvas, draw the same scenes.
 * @module
 *
 * @typedef {import("./squares.js").Board} Board
 *
 * @typedef {"legal" | "hint" | "reject" | "cause" | "left" | "start" | "end" | "fault" | "attacked" | "safe" | "solved"} MarkKind
 *
 * @typedef {Object} Mark
 * @property {number} square
 * @property {MarkKind} kind
 * @property {string} [text]
 *
 * @typedef {Object} Scene
 * @property {Board} board
 * @property {readonly number[]} [path] the squares of a tour, in order
 * @property {number} [total] the steps of the whole tour, for the colours
 * @property {boolean} [closing] whether a dashed line leads from the last square back to the first
 * @property {boolean} [walker] whether the piece stands on the last square
 * @property {boolean} [line] whether the moves are drawn; they are unless it is false
 * @property {boolean} [numbers] whether the steps are numbered; they are unless it is false
 * @property {"horse" | "queen" | "pawn"} [piece] what stands on the board: a horse at the end of a path, queens otherwise
 * @property {readonly number[]} [queens]
 * @property {ReadonlySet<number>} [attacked] those of the queens that attack each other
 * @property {readonly Mark[]} [marks]
 * @property {readonly [number, number][]} [lines] lines of warning between squares
 * @property {readonly [number, string][]} [labels] numbers that stand on squares, without a path
 * @property {number} [glide] how many milliseconds the piece takes for a move
 */

/** Boards with more squares than this are drawn on a canvas. */
const MAX_SVG_SQUARES = 900;
/** On a canvas numbers are written on squares that are at least so many pixels wide. */
const NUMBERED_FROM = 17;

/** Whether a board is drawn on a canvas, since an SVG of it would be too slow. @param {Board} board */
export function isLarge({ rows, cols }) {
  return rows * cols > MAX_SVG_SQUARES;
}

/** Whether steps can be numbered on a picture of a board. @param {Board} board @param {number} pixels the width of a square */
export function isNumbered(board, pixels) {
  return !isLarge(board) || pixels >= NUMBERED_FROM;
}

/**
 * The measures of a board in the unit of its drawing: a square is 100 wide.
 * @param {Board} board
 */
export function measures({ rows, cols }) {
  const longer = Math.max(rows, cols);
  const font = Math.max(18, Math.min(longer * 3, 300));
  const margin = font * 1.5;
  return { font, margin, width: cols * 100 + 2 * margin, height: rows * 100 + 2 * margin };
}

/** Every how many files or ranks a letter is written, so that they do not touch. @param {number} least in squares */
export function roundStep(least) {
  for (let power = 1; ; power *= 10) for (const step of [1, 2, 5]) if (step * power >= least) return step * power;
}

/** The size of a number of so many digits on its bead. @param {number} digits */
export function numberSize(digits) {
  return [36, 36, 36, 29, 24, 20][Math.min(digits, 5)];
}
