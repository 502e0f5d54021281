/**
 * A tour walked by hand.
 * @module
 */
import { h, keepingFocus, setText } from "../board/dom.js";
import { isMove } from "../board/moves.js";
import { makeBoard, nameOf, squareCount } from "../board/squares.js";
import { addSquare } from "../logic/history.js";
import { choices, standing } from "../logic/knight.js";
import { readSquare } from "../logic/reading.js";
import { writeBoard, writeSquares } from "../logic/share.js";
import { createBoard } from "../widgets/board.js";
import { segments, setInvalid, sizeField, textField } from "../widgets/fields.js";
import { createBar, createFigures, hintLevels, outlookWords } from "./play-frame.js";
import { createOutlook, shortCount } from "./play-game.js";

/** @typedef {import("./play-game.js").Game} Game */
/** @typedef {import("../board/scene.js").Mark} Mark */

export const MAX_PLAYED = 50;
const LEVELS = ["hints.off", "hints.legal", "hints.onward", "hints.solvable"];

/** The rules as the server takes them. @param {Game} game */
export function puzzleOfGame({ rows, cols, holes, goal, start, end }) {
  return { kind: "tour", board: `${rows}x${cols}`, holes, closed: goal === "closed", start: goal === "ends" ? start : null, end: goal === "ends" ? end : null };
}

/**
 * @param {import("../main.js").App} app
 * @param {ReturnType<typeof import("./play-game.js").createGame>} game
 * @param {HTMLElement} chooser of the puzzle
 */
export function createTourGame(app, game, chooser) {
  const { t } = app.texts, { model } = game;
  let board = makeBoard(1, 1), hintSquare = -1, refused = "", drawnFor = "";
  /** @type {any} */
  let outlook = null;
  /** @type {readonly number[]} */
  let before = [];
  const drawn = createBoard({ label: t("play.board"), onact: act });
  drawn.element.classList.add("can-act");
  const notice = h("p.notice", { id: "play-notice" });
  const bar = createBar(app, game, { hint, link });
  const figures = createFigures(app, "play.visited");
  const panel = h("div.panel");
  const ask = createOutlook("/api/play/tour/outlook", (answer, error) => {
    outlook = answer ?? { error: app.explain(error) };
    show();
  });
  const hinting = createOutlook("/api/play/tour/outlook", (answer, error) => {
    const { length } = model.state.history.now;
    hintSquare = answer?.completion?.[length] ?? -1;
    refused = error ? app.explain(error) : answer.solvable === "no" || hintSquare < 0 ? outlookWords(app, { ...answer, solvable: answer.solvable === "no" ? "no" : "unknown" }, length > 0) : "";
    if (hintSquare >= 0) app.say(t("play.try", { name: nameOf(board, hintSquare) }));
    show();
  });

  function act(square) {
    const { history } = model.state, name = nameOf(board, square), path = history.now;
    hintSquare = -1;
    if (choices(board, path, model.state).has(square)) {
      refused = "";
      game.set({ history: addSquare(history, square) });
      return;
    }
    const step = path.indexOf(square);
    if (board.holes.has(square)) refused = t("play.refused.hole", { name });
    else if (step >= 0) refused = t("play.refused.visited", { name, step: step + 1 });
    else if (!path.length) refused = t("play.refused.start", { name: model.state.start === null ? "" : nameOf(board, model.state.start) });
    else if (isMove(board, path[path.length - 1], square)) refused = t("play.refused.end", { name });
    else refused = t("play.refused.move", { name, from: nameOf(board, path[path.length - 1]) });
    app.say(refused);
    show();
  }

  function hint() {
    if (standing(board, model.state.history.now, model.state) === "done") return;
    refused = t("outlook.asking");
    hinting.ask({ puzzle: puzzleOfGame(model.state), path: model.state.history.now, seconds: 5, ways: false, moves: false }, 0);
    show();
  }

  /** @returns {Record<string, string>} */
  function link() {
    const { goal, start, end, history } = model.state;
    /** @type {Record<string, string>} */
    const ends = goal === "ends" ? { start: start === null ? "" : nameOf(board, start), end: end === null ? "" : nameOf(board, end) } : {};
    return { puzzle: "tour", ...writeBoard(board), goal, ...ends, moves: writeSquares(board, history.now) };
  }

  function build() {
    const { rows, cols, goal, start, end, hints } = model.state;
    const renew = (patch) => game.renew(patch);
    const size = sizeField({ label: t("board.size"), rowsLabel: t("board.rows"), colsLabel: t("board.cols"), rows, cols, most: MAX_PLAYED, onchange: (down, right) => renew({ rows: down, cols: right, holes: [], start: null, end: null }) });
    const goals = segments({ label: t("play.goal"), options: [["open", t("goal.open")], ["closed", t("goal.closed")], ["ends", t("goal.ends")]], value: goal, onchange: (value) => renew({ goal: value, start: value === "ends" ? start ?? firstSquare() : start }) });
    const square = (label, value, key) => {
      const field = textField({ label: t(label), value: value === null ? "" : nameOf(board, value), placeholder: "a1", onchange: (text) => {
        const at = readSquare(board, text);
        const other = key === "start" ? end : start, isGood = at >= 0 && !board.holes.has(at) && at !== other;
        setInvalid(field.input, text.trim() !== "" && !isGood);
        if (!text.trim()) renew({ [key]: null });
        else if (isGood) renew({ [key]: at });
      } });
      return field.element;
    };
    const ends = goal === "ends" ? h("div.pair", {}, square("goal.start", start, "start"), square("goal.end", end, "end")) : null;
    panel.replaceChildren(
      notice,
      h("section.card", {}, figures.element),
      h("section.card", {}, hintLevels(app, LEVELS, hints, (level) => ((refused = ""), game.set({ hints: level })))),
      h("section.card", { "aria-label": t("play.setup") }, chooser, size, goals, ...(ends ? [ends] : [])),
    );
  }

  const firstSquare = () => Array.from({ length: board.rows * board.cols }, (_, at) => at).find((at) => !board.holes.has(at)) ?? 0;

  function show() {
    const state = model.state, { rows, cols, holes, goal, start, end, history, hints } = state, path = history.now;
    const key = JSON.stringify([rows, cols, holes, goal, start, end]);
    if (key !== drawnFor) {
      drawnFor = key;
      board = makeBoard(rows, cols, holes);
      keepingFocus(panel, build);
    }
    const moved = path !== before;
    const went = path.length === before.length + 1;
    before = path;
    if (moved) {
      hintSquare = -1;
      refused = "";
      outlook = null;
      ask.forget();
    }
    const stand = standing(board, path, state), next = choices(board, path, state);
    if (hints === 3 && path.length && stand === "going" && !outlook && moved !== null) consult();
    const marks = marksFor(stand, next);
    drawn.show({ board, path, total: squareCount(board), walker: true, marks, glide: went ? 170 : 0, closing: stand === "done" && path.length > 2 && isMove(board, path[0], path[path.length - 1]) && goal === "closed" }, describer(path, next));
    const [kind, text] = words(stand, next, path);
    notice.dataset.kind = kind;
    setText(notice, text);
    if (moved && path.length) app.say(`${nameOf(board, path[path.length - 1])}, ${t("square.said", { step: path.length, onward: next.size })} ${kind === "bad" || kind === "good" ? text : ""}`);
    figures.show(path.length, squareCount(board), state.elapsed);
    bar.show();
  }

  let consulted = "";
  function consult() {
    const { history } = model.state, key = drawnFor + history.now.join();
    if (consulted === key) return;
    consulted = key;
    ask.ask({ puzzle: puzzleOfGame(model.state), path: history.now, seconds: 5, ways: true, moves: true });
  }

  /** @returns {Mark[]} */
  function marksFor(stand, next) {
    const { goal, start, end, history: { now: path }, hints } = model.state;
    /** @type {Mark[]} */
    const marks = [];
    if (stand === "done") return path.map((square) => ({ square, kind: "solved" }));
    if (goal === "ends" && end !== null) marks.push({ square: end, kind: "end" });
    if (goal === "ends" && start !== null && !path.length) marks.push({ square: start, kind: "start" });
    if (goal === "closed" && path.length > 1) marks.push({ square: path[0], kind: "start" });
    const judged = new Map((hints === 3 && outlook?.moves ? outlook.moves : []).map((move) => [move.square, move]));
    if (hints && path.length) {
      for (const [square, onward] of next) {
        const move = judged.get(square);
        if (square === hintSquare) continue;
        if (move?.solvable === "no") marks.push({ square, kind: "reject" });
        else if (move?.solvable === "yes") marks.push({ square, kind: "hint", text: move.ways ? shortCount(move.ways) : undefined });
        else marks.push({ square, kind: "legal", text: hints >= 2 ? String(onward) : undefined });
      }
    }
    if (hintSquare >= 0) marks.push({ square: hintSquare, kind: "hint" });
    return marks;
  }

  function words(stand, next, path) {
    if (refused) return ["bad", refused];
    const total = squareCount(board);
    if (hintSquare >= 0) return ["good", t("play.try", { name: nameOf(board, hintSquare) })];
    if (stand === "empty") return ["", model.state.goal === "ends" && model.state.start !== null ? t("play.begin.at", { name: nameOf(board, model.state.start) }) : t("play.begin")];
    if (stand === "done") return ["good", total === 1 ? t("play.done.one") : t(model.state.goal !== "closed" && path.length > 2 && isMove(board, path[0], path[path.length - 1]) ? "play.done.closable" : "play.done", { total })];
    if (stand === "notclosed") return ["bad", t("play.notclosed", { name: nameOf(board, path[0]) })];
    if (stand === "stuck") return ["bad", t("play.stuck", { name: nameOf(board, path[path.length - 1]), left: total - path.length })];
    if (model.state.hints === 3) return [outlook?.solvable === "no" ? "bad" : outlook?.solvable === "yes" ? "good" : "", outlookWords(app, outlook, path.length > 0)];
    return ["enter", t("play.going", { name: nameOf(board, path[path.length - 1]), moves: next.size })];
  }

  /** What is said of squares. */
  function describer(path, next) {
    const steps = new Map(path.map((square, step) => [square, step + 1]));
    return (square) => {
      const name = nameOf(board, square), step = steps.get(square);
      if (board.holes.has(square)) return t("square.hole", { name });
      if (step) return t(step === path.length ? "square.here" : "square.visited", { name, step, onward: next.size });
      const onward = next.get(square) ?? -1;
      return onward < 0 || !model.state.hints ? t("square.free", { name }) : t("square.next", { name, onward });
    };
  }

  const forget = () => (ask.forget(), hinting.forget());
  return { stage: h("div.stage", {}, drawn.element, bar.element, h("p.foot.keys", {}, t("play.keys"))), panel, show, hint, forget, board: drawn };
}
