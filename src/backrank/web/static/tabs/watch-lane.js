/**
 * One run as it is seen: the board, what happened just now, the counters, the recursion stack.
 * @module
 */
import { fill, h, setText } from "../board/dom.js";
import { momentScene } from "../board/moment.js";
import { onwardMoves } from "../board/moves.js";
import { cellOf, nameOf, squareCount } from "../board/squares.js";
import { createBoard } from "../widgets/board.js";

const LEVELS = 10;
const COUNTERS = ["calls", "backtracks", "depth", "deepest", "rejects", "solutions"];

/**
 * @param {import("../main.js").App} app
 * @param {{setup: import("./watch-driver.js").Setup, board: import("../board/squares.js").Board, label: string, onact: (square: number) => void}} options
 */
export function createLane(app, { setup, board, label, onact }) {
  const { t, has, number } = app.texts, { kind, start, end } = setup;
  const isTour = kind === "tour", total = isTour ? squareCount(board) : Math.min(board.rows, board.cols);
  const piece = has(`piece.${setup.piece}`) ? t(`piece.${setup.piece}`) : `(${setup.piece})`;
  const drawn = createBoard({ label, onact });
  const notice = h("p.notice", { "data-kind": "" });
  const values = Object.fromEntries(COUNTERS.map((name) => [name, h("dd.figure", {}, "0")]));
  const counters = h("dl.counters", {}, COUNTERS.map((name) => h("div", {}, h("dt", {}, t(`counter.${name}`)), values[name])));
  const stack = h("ol.stack.figure");

  /** @param {any} moment @param {{hints: boolean, glide: number}} options */
  function show(moment, { hints, glide }) {
    drawn.show(momentScene({ board, kind, start, end, closed: setup.closed }, moment, { hints, glide }), describer(moment));
    notice.dataset.kind = moment.last?.kind ?? "";
    setText(notice, words(moment));
    count({ ...moment, backtracks: moment.calls - moment.path.length, depth: moment.path.length });
    showStack(moment);
  }

  /** A search that runs at full speed: where it stands ten times a second. @param {any} told */
  function showLive(told) {
    const path = told.path ?? [];
    drawn.show({ board, total, ...(isTour ? { path, walker: true } : { queens: path }) }, (square) => nameOf(board, square));
    notice.dataset.kind = "";
    setText(notice, t("watch.running", { rate: number(told.rate, { notation: "compact", maximumSignificantDigits: 3 }) }));
    count({ rejects: null, ...told });
    showStack({ path, tried: null });
  }

  function count(counts) {
    for (const name of COUNTERS) setText(values[name], counts[name] === null || counts[name] === undefined ? "–" : name === "depth" ? t("counter.of", { depth: counts.depth, total }) : number(counts[name]));
  }

  /** What is said of squares at a moment. */
  function describer({ path }) {
    const steps = new Map(path.map((square, step) => [square, step + 1])), onward = isTour ? onwardMoves(board, path) : new Map();
    return (square) => {
      const name = nameOf(board, square), step = steps.get(square);
      if (board.holes.has(square)) return t("square.hole", { name });
      if (!isTour) return t(step ? "square.queen" : "square.empty", { name });
      if (step) return t("square.visited", { name, step });
      return onward.has(square) ? t("square.next", { name, onward: onward.get(square) }) : t("square.free", { name });
    };
  }

  function words({ last, solutions, finished, path }) {
    if (!last) return t(`watch.ready.${kind}`);
    const square = nameOf(board, last.square);
    const over = finished ? ` ${t("watch.over")}` : "";
    if (last.kind === "solution") return t("event.solution", { number: solutions, end: path.map((at) => (isTour ? "" : cellOf(board, at)[1])).join(" ").trim() }) + over;
    if (last.kind === "reject") return t("event.reject", { square, why: t(`reason.${last.reason}`, { square: last.at === null ? "" : nameOf(board, last.at) }) }) + over;
    return t(`event.${last.kind}.${kind}`, { square, piece }) + over;
  }

  function showStack({ path, tried }) {
    const rows = [];
    for (let level = path.length - 1; level >= Math.max(0, path.length - LEVELS); level--) {
      rows.push(h("li", {}, h("span.level", {}, number(level + 1)), h("span.at", {}, nameOf(board, path[level])), h("span.soft.small", {}, tried ? t("stack.tried", { n: tried[level + 1] ?? 0 }) : "")));
    }
    if (path.length > LEVELS) rows[LEVELS - 1] = h("li.soft", {}, t("stack.more", { n: path.length - LEVELS + 1 }));
    if (!path.length) rows.push(h("li.soft", {}, t("stack.empty")));
    while (rows.length < LEVELS) rows.push(h("li", { "aria-hidden": "true" }, "\u00a0"));
    fill(stack, ...rows);
  }

  /** @param {boolean} can whether a click on the board does something */
  const canAct = (can) => drawn.element.classList.toggle("can-act", can);

  return { element: drawn.element, board: drawn, notice, counters, stack, show, showLive, canAct };
}

