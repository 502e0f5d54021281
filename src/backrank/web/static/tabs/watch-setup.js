/**
 * What is to be watched: puzzle, board, start, strategy.
 * @module
 */
import { h } from "../core/dom.js";
import { makeBoard, nameOf, readSquare } from "../logic/squares.js";
import { checkField, segments, selectField, setInvalid, sizeField, textField } from "../widgets/fields.js";

export const MAX_WATCHED = 100;

/** @type {Record<"tour" | "queens", string[]>} */
export const STRATEGIES = {
  tour: ["warnsdorff", "warnsdorff-roth", "degree", "fixed:python", "fixed:java-a", "fixed:java-b", "fixed:row-major", "random:1", "fixed:python+prune", "fixed:row-major+prune", "random:1+prune"],
  queens: ["rows", "centre-out", "fewest-first", "random:1"],
};

/** A strategy in words; one that came by a link may have none. @param {import("../core/i18n.js").Texts} texts @param {string} name */
export function strategyName({ t, has }, name) {
  return has(`strategy.${name}`) ? t(`strategy.${name}`) : name;
}

/** @param {import("./watch-driver.js").Setup} setup what to begin with for another puzzle */
export function setupFor(kind, setup) {
  return kind === "tour"
    ? { ...setup, kind, rows: 8, cols: 8, start: 0, strategy: "warnsdorff", rival: "fixed:python" }
    : { ...setup, kind, rows: 8, cols: 8, start: 0, closed: false, strategy: "rows", rival: "fewest-first" };
}

/**
 * @param {import("../main.js").App} app
 * @param {import("./watch-driver.js").Setup} setup
 * @param {(change: Partial<import("./watch-driver.js").Setup>) => void} change
 */
export function createSetup(app, setup, change) {
  const { t } = app.texts, isTour = setup.kind === "tour";
  const board = makeBoard(setup.rows, setup.cols);
  const named = (chosen) => [...new Set([...STRATEGIES[setup.kind], chosen])].map((name) => /** @type {[string, string]} */ ([name, strategyName(app.texts, name)]));
  const kind = segments({ label: t("watch.puzzle"), quiet: true, options: [["tour", t("puzzle.tour")], ["queens", t("puzzle.queens")]], value: setup.kind, onchange: (value) => change(setupFor(value, setup)) });
  const size = sizeField({
    label: t(isTour ? "board.size" : "board.queens"), rowsLabel: t(isTour ? "board.rows" : "board.queens"), colsLabel: t("board.cols"), rows: setup.rows, cols: setup.cols, most: isTour ? MAX_WATCHED : 60, square: !isTour,
    onchange: (rows, cols) => change({ rows, cols: isTour ? cols : rows, start: 0 }),
  });
  const start = textField({
    label: t("watch.start"), value: nameOf(board, setup.start), placeholder: "a8",
    onchange: (text) => {
      const square = readSquare(board, text);
      setInvalid(start.input, square < 0);
      if (square >= 0) change({ start: square });
    },
  });
  const strategy = selectField({ label: t("watch.strategy"), options: named(setup.strategy), value: setup.strategy, onchange: (value) => change({ strategy: value }) });
  const rival = selectField({ label: t("watch.rival"), options: named(setup.rival), value: setup.rival, onchange: (value) => change({ rival: value }) });
  const compare = checkField({ label: t("watch.compare"), checked: setup.compare, onchange: (compared) => change({ compare: compared }) });
  const closed = checkField({ label: t("watch.closed"), checked: setup.closed, onchange: (value) => change({ closed: value }) });
  start.input.id = "watch-start";
  return h("section.card", { "aria-label": t("watch.setup") }, kind, isTour ? h("div.pair", {}, size, start.element) : size, strategy.element, setup.compare ? rival.element : null, h("div.row-of.checks", {}, compare.element, isTour ? closed.element : null));
}
