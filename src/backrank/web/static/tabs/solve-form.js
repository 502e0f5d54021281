/**
 * What is to be solved, and what a click on the board does.
 * @module
 */
import { fill, h, keepingFocus } from "../board/dom.js";
import { makeBoard } from "../board/squares.js";
import { makeHash, writeBoard } from "../logic/share.js";
import { button, checkField, segments, sizeField } from "../widgets/fields.js";
import { MAX_PLAYED } from "./play-tour.js";
import { MAX_QUEENS_PLAYED } from "./play-queens.js";

export const MAX_SOLVED = 100;

/**
 * @param {import("../main.js").App} app
 * @param {any} model
 * @param {{change: (patch: any, keep?: boolean) => void, solve: () => void, stop: () => void}} does
 */
export function createForm(app, model, { change, solve, stop }) {
  const { t } = app.texts;
  const element = h("section.card", { "aria-label": t("solve.task") });
  let builtFor = "";

  function build() {
    const { task, busy } = model.state, isTour = task.kind === "tour";
    const kind = segments({ label: t("watch.puzzle"), quiet: true, options: [["tour", t("puzzle.tour")], ["queens", t("puzzle.queens")]], value: task.kind, onchange: (value) => change({ kind: value, holes: [], start: null, end: null, cols: value === "queens" ? task.rows : task.cols }) });
    const size = sizeField({ label: t("board.size"), rowsLabel: t("board.rows"), colsLabel: t("board.cols"), rows: task.rows, cols: task.cols, most: MAX_SOLVED, onchange: (rows, cols) => change({ rows, cols, holes: [], start: null, end: null }) });
    const closed = segments({ label: t("play.goal"), options: [["open", t("goal.open")], ["closed", t("goal.closed")]], value: task.closed ? "closed" : "open", onchange: (value) => change({ closed: value === "closed", tool: task.tool === "end" ? "start" : task.tool }) });
    const tool = segments({ label: t("solve.tool"), options: [["hole", t("tool.hole")], ["start", t("tool.start")], ...(task.closed ? [] : [/** @type {[string, string]} */ (["end", t("tool.end")])])], value: task.tool, onchange: (value) => change({ tool: value }, true) });
    const line = checkField({ label: t("solve.line"), checked: task.line, onchange: (value) => change({ line: value }, true) });
    const run = busy ? button({ label: t("stop"), icon: "stop", kind: "main", onclick: stop }) : button({ label: t("solve.solve"), icon: "play", kind: "main", onclick: solve });
    run.id = "solve-run";
    const clear = button({ label: t("solve.clear"), onclick: () => change({ holes: [], start: null, end: null }) });
    const board = makeBoard(task.rows, task.cols, task.holes);
    const isPlayable = Math.max(task.rows, task.cols) <= (isTour ? MAX_PLAYED : MAX_QUEENS_PLAYED);
    const play = !isPlayable ? null : h("a.button", { href: makeHash("play", { puzzle: task.kind, ...writeBoard(board), goal: task.closed ? "closed" : "open" }) }, t("solve.play"));
    fill(element, kind, size, ...(isTour ? [closed, tool] : [h("p.small.soft", {}, t("solve.queens.tool"))]), h("div.row-of", {}, run, clear, play), ...(isTour ? [line.element] : []));
  }

  function show() {
    const { task, busy } = model.state, key = JSON.stringify([task.kind, task.rows, task.cols, task.closed, task.tool, task.line, task.holes, busy]);
    if (key === builtFor) return;
    builtFor = key;
    keepingFocus(element, build);
  }

  return { element, show };
}
