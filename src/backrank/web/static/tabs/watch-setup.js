/**
 * What is to be watched: puzzle, board, start, strategy; what is seldom wanted is folded away under "more".
 * @module
 */
import { h } from "../board/dom.js";
import { nameOf } from "../board/squares.js";
import { readSquare } from "../logic/reading.js";
import { nameOfParts, partsOf, strategyName, usualOf } from "../logic/strategies.js";
import { checkField, segments, selectField, setInvalid, sizeField, textField } from "../widgets/fields.js";
import { createMore } from "./watch-more.js";
import { MAX_QUEENS_WATCHED, MAX_WATCHED, boardOf, setupFor } from "./watch-task.js";

/** @typedef {import("./watch-driver.js").Setup} Setup */

/**
 * @param {import("../main.js").App} app
 * @param {Setup} setup
 * @param {{change: (change: Partial<Setup>) => void, more: {open: boolean, tool: string}, unfold: (open: boolean) => void, choose: (tool: string) => void}} does
 */
export function createSetup(app, setup, does) {
  const { t } = app.texts, { change } = does, isTour = setup.kind === "tour", board = boardOf(app, setup);
  const kind = segments({ label: t("watch.puzzle"), quiet: true, options: [["tour", t("puzzle.tour")], ["queens", t("puzzle.queens")]], value: setup.kind, onchange: (value) => change(setupFor(value, setup)) });
  const size = sizeField({
    label: t(isTour ? "board.size" : "board.queens"), rowsLabel: t(isTour ? "board.rows" : "board.queens"), colsLabel: t("board.cols"), rows: setup.rows, cols: setup.cols, most: isTour ? MAX_WATCHED : MAX_QUEENS_WATCHED, square: !isTour,
    onchange: (rows, cols) => change({ rows, cols: isTour ? cols : rows, holes: [], start: 0, end: null }),
  });
  const start = textField({
    label: t("watch.start"), value: nameOf(board, setup.start), placeholder: "a8",
    onchange: (text) => {
      const square = readSquare(board, text), isGood = square >= 0 && !board.holes.has(square);
      setInvalid(start.input, !isGood);
      if (isGood) change({ start: square, end: setup.end === square ? null : setup.end });
    },
  });
  start.input.id = "watch-start";
  const strategy = strategyField(app, { kind: setup.kind, label: t("watch.strategy"), name: setup.strategy, onchange: (name) => change({ strategy: name }) });
  const rival = setup.compare ? strategyField(app, { kind: setup.kind, label: t("watch.rival"), name: setup.rival, onchange: (name) => change({ rival: name }) }) : null;
  const compare = checkField({ label: t("watch.compare"), checked: setup.compare, onchange: (compared) => change({ compare: compared }) });
  const closed = checkField({ label: t("watch.closed"), checked: setup.closed, onchange: (value) => change({ closed: value }) });
  const checks = h("div.row-of.checks", {}, compare.element, isTour ? closed.element : null);
  return h("section.card", { "aria-label": t("watch.setup") }, kind, isTour ? h("div.pair", {}, size, start.element) : size, strategy, rival, checks, createMore(app, setup, does));
}

/**
 * The rules of the engine in plain words, and under it what the chosen one does.
 * @param {import("../main.js").App} app
 * @param {{kind: "tour" | "queens", label: string, name: string, onchange: (name: string) => void}} options
 */
function strategyField(app, { kind, label, name, onchange }) {
  const { texts } = app, { rule, argument, prune } = partsOf(name);
  /** @type {[string, string][]} */
  const options = app.meta.strategies[kind].map((each) => [each.name, each.name === rule ? strategyName(texts, nameOfParts({ rule, argument, prune })) : strategyName(texts, usualOf(each.name))]);
  if (!options.some(([value]) => value === rule)) options.push([rule, rule]);
  const field = selectField({ label, options, value: rule, onchange: (value) => onchange(usualOf(value)) });
  const about = texts.has(`about.${rule}`) ? h("p.small.soft", {}, texts.t(`about.${rule}`)) : null;
  return h("div.strategy", {}, field.element, about);
}
