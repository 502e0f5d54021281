"use strict";
/* Squares, their names, and the lines and moves between them, as in backrank.geometry.board, .pieces and .render.lines. */
const backrankGeometry = ({ rows, cols, holes, wrap }, { steps, slides }) => {
  const hole = new Set(holes);
  const cell = (square) => [Math.floor(square / cols), square % cols];

  function fileName(col) {
    let letters = "";
    for (col += 1; col; col = Math.floor((col - 1) / 26)) letters = String.fromCharCode(97 + (col - 1) % 26) + letters;
    return letters;
  }

  function name(square) {
    const [row, col] = cell(square);
    return `${fileName(col)}${rows - row}`;
  }

  /* The square a step away, round glued edges; -1 off the board. */
  function stepped(row, col, [down, right]) {
    row += down;
    col += right;
    if (wrap !== "none") col = ((col % cols) + cols) % cols;
    if (wrap === "torus") row = ((row % rows) + rows) % rows;
    return row >= 0 && row < rows && col >= 0 && col < cols ? row * cols + col : -1;
  }

  /* The squares that the piece reaches in one move. Queens that are placed see through holes, riders stop at them. */
  function reach(square, throughHoles = false) {
    const found = new Set();
    for (const by of steps) {
      let at = stepped(...cell(square), by);
      while (at >= 0 && at !== square && (throughHoles || !hole.has(at))) {
        if (!hole.has(at)) found.add(at);
        if (!slides) break;
        at = stepped(...cell(at), by);
      }
    }
    return [...found];
  }

  function isStep(down, right) {
    const far = Math.max(Math.abs(down), Math.abs(right));
    return steps.some(([a, b]) => (a === down && b === right) || (slides && a * far === down && b * far === right));
  }

  /* By how much the piece really moved from one cell to the other. */
  function way(down, right) {
    if (wrap === "none" || isStep(down, right)) return [down, right];
    let best = null;
    for (const i of wrap === "torus" ? [0, -rows, rows] : [0]) {
      for (const j of [0, -cols, cols]) {
        const far = Math.abs(down + i) + Math.abs(right + j);
        if (isStep(down + i, right + j) && (!best || far < Math.abs(best[0]) + Math.abs(best[1]))) {
          best = [down + i, right + j];
        }
      }
    }
    return best || [down, right];
  }

  function toEdge(x, y, dx, dy) {
    let share = Infinity;
    if (dx) share = Math.min(share, ((dx > 0 ? cols - 0.5 : -0.5) - x) / dx);
    if (dy) share = Math.min(share, ((dy > 0 ? rows - 0.5 : -0.5) - y) / dy);
    return [x + dx * share, y + dy * share];
  }

  /* The line of a move: one segment [x1, y1, x2, y2], or the two stubs of a move over a glued edge. */
  function line(source, target) {
    const [row, col] = cell(source), [endRow, endCol] = cell(target);
    const [down, right] = way(endRow - row, endCol - col);
    if (row + down === endRow && col + right === endCol) {
      return { overEdge: false, segments: [[col, row, endCol, endRow]] };
    }
    return {
      overEdge: true,
      segments: [
        [col, row, ...toEdge(col, row, right, down)],
        [...toEdge(endCol, endRow, -right, -down), endCol, endRow],
      ],
    };
  }

  return { rows, cols, size: rows * cols, hole, cell, fileName, name, reach, line };
};
if (typeof module !== "undefined") module.exports = backrankGeometry;
