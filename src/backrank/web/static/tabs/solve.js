/**
 * Solve: a board editor with holes, the answer or the reason why there is none, and the checking of any text.
 * @module
 */
import { h, setText } from "../board/dom.js";
import { conflicts } from "../board/queens.js";
import { makeBoard, nameOf, squareCount } from "../board/squares.js";
import { isAbort, post } from "../core/api.js";
import { makeModel } from "../core/model.js";
import { readBoard } from "../logic/share.js";
import { createBoard } from "../widgets/board.js";
import { createCheck, faultMarks } from "./solve-check.js";
import { createDownloads } from "./solve-downloads.js";
import { createForm } from "./solve-form.js";

/**
 * @typedef {Object} Task
 * @property {"tour" | "queens"} kind
 * @property {number} rows
 * @property {number} cols
 * @property {number[]} holes
 * @property {boolean} closed
 * @property {number | null} start
 * @property {number | null} end
 * @property {"hole" | "start" | "end"} tool what a click does
 * @property {boolean} line whether the moves are drawn
 * @property {string} text that is to be checked
 * @property {boolean} [own] whether it is checked on this board
 */

/** @type {Task} */
const FIRST = { kind: "tour", rows: 8, cols: 8, holes: [], closed: false, start: null, end: null, tool: "hole", line: true, text: "" };

/** @param {Task} task */
export function puzzleOfTask({ kind, rows, cols, holes, closed, start, end }) {
  const board = `${rows}x${cols}`;
  return kind === "queens" ? { kind, board, holes } : { kind, board, holes, closed, start, end: closed ? null : end };
}

/** @param {import("../main.js").App} app @param {URLSearchParams} values @returns {import("../main.js").Tab} */
export function createSolve(app, values) {
  const { t, told } = app.texts;
  const linked = readBoard(values);
  const model = app.kept.get("solve") ?? makeModel({ task: { ...FIRST, ...app.store.get("solve") }, answer: /** @type {any} */ (null), claim: /** @type {any} */ (null), existence: /** @type {any} */ (null), busy: false, trouble: "" });
  app.kept.set("solve", model);
  /** @type {AbortController | null} */
  let working = null;
  let asking = 0;
  const drawn = createBoard({ label: t("solve.board"), onact: act });
  drawn.element.classList.add("can-act");
  const notice = h("p.notice", { id: "solve-notice" });
  const downloads = createDownloads(app, () => ({ puzzle: puzzleOfTask(model.state.task), squares: model.state.answer.squares, kind: model.state.task.kind }));
  const form = createForm(app, model, { change, solve, stop: () => working?.abort() });
  const check = createCheck(app, model, { change, showClaim });

  /** @param {any} claim that was checked, null for none */
  function showClaim(claim) {
    model.update({ claim, answer: null, trouble: "" });
    if (claim) drawn.element.scrollIntoView({ block: "nearest" });
  }

  /** The task changes, so what was answered before is no answer now. @param {Partial<Task>} patch @param {boolean} keep */
  function change(patch, keep = false) {
    const task = { ...model.state.task, ...patch };
    model.update(keep ? { task } : { task, answer: null, claim: null, trouble: "" });
    app.store.set("solve", task);
    if (!keep) consult();
  }

  function consult() {
    working?.abort();
    clearTimeout(asking);
    model.update({ existence: null });
    asking = setTimeout(async () => {
      const { task } = model.state;
      try {
        const existence = await post("/api/existence", { puzzle: puzzleOfTask(task) });
        if (task === model.state.task) model.update({ existence });
      } catch (error) {
        if (task === model.state.task) model.update({ trouble: app.explain(error) });
      }
    }, 150);
  }

  async function solve() {
    working?.abort();
    const mine = (working = new AbortController());
    model.update({ busy: true, answer: null, claim: null, trouble: "" });
    try {
      const answer = await post("/api/solve", { puzzle: puzzleOfTask(model.state.task), seconds: 25 }, mine.signal);
      if (working !== mine) return;
      model.update({ answer });
      drawn.element.scrollIntoView({ block: "nearest" });
    } catch (error) {
      if (!isAbort(error) && working === mine) model.update({ trouble: app.explain(error) });
    } finally {
      if (working === mine) model.update({ busy: false }), (working = null);
    }
  }

  function act(square) {
    const { task, claim } = model.state;
    if (claim) return;
    const holes = new Set(task.holes);
    if (task.tool === "hole" || task.kind === "queens") {
      if (!holes.delete(square)) holes.add(square);
      const kept = (at) => (at === square ? null : at);
      app.say(t(holes.has(square) ? "square.hole" : "square.free", { name: nameOf(board(), square) }));
      return change({ holes: [...holes].sort((a, b) => a - b), start: kept(task.start), end: kept(task.end) });
    }
    if (holes.has(square)) return;
    const other = task.tool === "start" ? "end" : "start";
    change({ [task.tool]: task[task.tool] === square ? null : square, ...(task[other] === square ? { [other]: null } : {}) });
  }

  const board = () => makeBoard(model.state.task.rows, model.state.task.cols, model.state.task.holes);

  /** @returns {import("../board/scene.js").Scene} */
  function scene() {
    const { task, answer, claim } = model.state;
    if (claim) {
      const claimed = makeBoard(claim.board.rows, claim.board.cols, claim.board.holes), squares = claim.squares ?? [];
      const shown = faultMarks(claimed, claim);
      return task.kind === "queens" ? { board: claimed, queens: onBoard(claimed, claim), attacked: new Set(conflicts(claimed, onBoard(claimed, claim)).flat()), lines: conflicts(claimed, onBoard(claimed, claim)), marks: shown } : { board: claimed, path: squares, total: Math.max(squares.length, squareCount(claimed)), line: task.line, marks: shown, labels: squares.length ? [] : printed(claim) };
    }
    const squares = answer?.squares ?? [];
    /** @type {import("../board/scene.js").Mark[]} */
    const marks = [];
    if (task.kind === "queens") return { board: board(), queens: squares, marks: squares.map((square) => ({ square, kind: "solved" })) };
    if (task.start !== null) marks.push({ square: task.start, kind: "start" });
    if (task.end !== null && !task.closed) marks.push({ square: task.end, kind: "end" });
    return { board: board(), path: squares, total: squares.length, line: task.line, closing: task.closed && squares.length > 2, marks };
  }

  /** The numbers of a grid from which no order can be read off. */
  const printed = ({ grid }) => (grid ?? []).flatMap((row, down) => row.map((number, right) => [down * row.length + right, number]).filter(([, number]) => number !== null).map(([at, number]) => [at, String(number)]));

  const onBoard = (claimed, claim) => [...new Set(claim.cells.filter(([row, col]) => row >= 0 && col >= 0 && row < claimed.rows && col < claimed.cols).map(([row, col]) => row * claimed.cols + col))];

  /** What is said of squares. */
  function describer(shown) {
    const { start, end } = model.state.task, queens = new Set(shown.queens ?? []);
    const steps = new Map((shown.path ?? []).map((square, step) => [square, step + 1]));
    const faults = new Set((shown.marks ?? []).filter((mark) => mark.kind === "fault").map((mark) => mark.square));
    return (square) => {
      const name = nameOf(shown.board, square), step = steps.get(square), faulty = faults.has(square) ? ` ${t("square.fault")}` : "";
      if (shown.board.holes.has(square)) return t("square.hole", { name });
      if (step) return t("square.visited", { name, step }) + faulty;
      if (queens.has(square)) return t("square.queen", { name }) + faulty;
      return t(square === start ? "square.start" : square === end ? "square.end" : "square.free", { name }) + faulty;
    };
  }

  function words() {
    const { task, answer, claim, existence, busy, trouble } = model.state;
    if (trouble) return ["bad", trouble];
    if (busy) return ["", t("solve.busy")];
    if (claim) return claim.valid ? ["good", t("check.valid")] : ["bad", t("check.faults", { n: claim.faults_total ?? claim.faults.length })];
    if (answer) {
      if (!answer.solvable) return ["bad", t("solve.impossible", { reason: told({ text: answer.reason, ...answer }) })];
      return ["good", t(task.kind === "queens" ? "solve.queens" : answer.closable && !task.closed ? "solve.closable" : "solve.tour", { n: answer.squares.length, ms: Math.max(1, Math.round(answer.seconds * 1000)) })];
    }
    if (existence?.answer === "no") return ["bad", t("solve.impossible", { reason: told({ text: existence.reason, ...existence }) })];
    return ["", t(existence?.answer === "yes" ? "solve.possible" : "solve.ready")];
  }

  let saidBefore = "";
  function show() {
    const shown = scene(), { answer, busy } = model.state;
    drawn.show(shown, describer(shown));
    const [kind, text] = words();
    notice.dataset.kind = kind;
    setText(notice, text);
    if (kind && text !== saidBefore) app.say(text);
    saidBefore = text;
    downloads.show(Boolean(answer?.squares) && !busy);
    form.show();
    check.show();
  }

  if (linked) {
    change({ kind: "tour", rows: linked.rows, cols: linked.cols, holes: [...linked.holes], start: null, end: null });
    history.replaceState(null, "", "#solve");
  } else if (!model.state.answer && !model.state.claim) consult();
  const element = h("div.view", {}, h("div.stage.solve", {}, drawn.element, notice, downloads.element), h("div.panel", {}, form.element, check.element));
  const unwatch = model.watch(show), recolour = () => drawn.refresh();
  window.addEventListener("themechange", recolour);
  show();
  return {
    element,
    leave: () => {
      unwatch();
      working?.abort();
      clearTimeout(asking);
      window.removeEventListener("themechange", recolour);
    },
  };
}
