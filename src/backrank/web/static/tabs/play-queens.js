/**
 * Queens placed by hand.
 * @module
 */
import { h, keepingFocus, setText } from "../board/dom.js";
import { conflicts, freeSquares } from "../board/queens.js";
import { makeBoard, nameOf } from "../board/squares.js";
import { replaceAll } from "../logic/history.js";
import { writeBoard, writeSquares } from "../logic/share.js";
import { createBoard } from "../widgets/board.js";
import { sizeField } from "../widgets/fields.js";
import { createBar, createFigures, hintLevels, outlookWords } from "./play-frame.js";
import { createOutlook } from "./play-game.js";

export const MAX_QUEENS_PLAYED = 50;
const LEVELS = ["hints.off", "hints.attacked", "hints.solvable"];

/**
 * @param {import("../main.js").App} app
 * @param {ReturnType<typeof import("./play-game.js").createGame>} game
 * @param {HTMLElement} chooser of the puzzle
 */
export function createQueensGame(app, game, chooser) {
  const { t } = app.texts, { model } = game;
  let board = makeBoard(1, 1), drawnFor = "", hintSquare = -1, refused = "", consulted = "";
  /** @type {any} */
  let outlook = null;
  /** @type {readonly number[]} */
  let before = [];
  const drawn = createBoard({ label: t("play.board"), onact: act });
  drawn.element.classList.add("can-act");
  const notice = h("p.notice", { id: "play-notice" });
  const bar = createBar(app, game, { hint, link, fill: fillIn });
  const figures = createFigures(app, "play.placed");
  const panel = h("div.panel");
  const ask = createOutlook("/api/play/queens/outlook", (answer, error) => {
    outlook = answer ?? { error: app.explain(error) };
    show();
  });
  const completing = createOutlook("/api/play/queens/outlook", (answer, error) => complete(answer, error));
  let whole = false;

  const wanted = () => Math.min(model.state.rows, model.state.cols);
  const isSolved = () => model.state.history.now.length === wanted() && !conflicts(board, model.state.history.now).length;
  const puzzle = () => ({ kind: "queens", board: `${model.state.rows}x${model.state.cols}`, holes: model.state.holes });

  function act(square) {
    const { history } = model.state;
    refused = "";
    hintSquare = -1;
    if (board.holes.has(square)) return;
    const there = history.now.includes(square);
    game.set({ history: replaceAll(history, there ? history.now.filter((at) => at !== square) : [...history.now, square]) });
  }

  function complete(answer, error) {
    const { history } = model.state, stands = new Set(history.now);
    const rest = (answer?.completion ?? []).filter((square) => !stands.has(square));
    refused = error ? app.explain(error) : answer.solvable === "no" || !rest.length ? outlookWords(app, { ...answer, solvable: answer.solvable === "no" ? "no" : "unknown" }, stands.size > 0) : "";
    if (rest.length && whole) game.set({ history: replaceAll(history, [...history.now, ...rest]) });
    else if (rest.length) {
      [hintSquare] = rest;
      app.say(t("play.try", { name: nameOf(board, hintSquare) }));
    }
    show();
  }

  function request(all) {
    if (isSolved()) return;
    if (conflicts(board, model.state.history.now).length) refused = t("play.queens.first");
    else {
      whole = all;
      refused = t("outlook.asking");
      completing.ask({ puzzle: puzzle(), queens: model.state.history.now, seconds: 5, ways: false }, 0);
    }
    show();
  }

  function hint() {
    request(false);
  }

  function fillIn() {
    request(true);
  }

  function link() {
    return { puzzle: "queens", ...writeBoard(board), moves: writeSquares(board, model.state.history.now) };
  }

  function build() {
    const { rows, hints } = model.state;
    panel.replaceChildren(
      notice,
      h("section.card", {}, figures.element),
      h("section.card", {}, hintLevels(app, LEVELS, Math.min(hints, 2), (level) => ((refused = ""), game.set({ hints: level })))),
      h("section.card", { "aria-label": t("play.setup") }, chooser, sizeField({ label: t("board.queens"), rowsLabel: t("board.queens"), colsLabel: t("board.queens"), rows, cols: rows, most: MAX_QUEENS_PLAYED, square: true, onchange: (n) => game.renew({ rows: n, cols: n, holes: [] }) })),
    );
  }

  function show() {
    const { rows, cols, holes, history, hints, elapsed } = model.state, queens = history.now;
    const key = JSON.stringify([rows, cols, holes]);
    if (key !== drawnFor) {
      drawnFor = key;
      board = makeBoard(rows, cols, holes);
      keepingFocus(panel, build);
    }
    const moved = queens !== before;
    before = queens;
    const pairs = conflicts(board, queens), attacked = new Set(pairs.flat());
    if (moved) {
      outlook = null;
      hintSquare = -1;
      refused = "";
      consulted = "";
      ask.forget();
    }
    const solved = isSolved();
    if (hints === 2 && !pairs.length && !solved && consulted !== queens.join() + drawnFor) {
      consulted = queens.join() + drawnFor;
      ask.ask({ puzzle: puzzle(), queens, seconds: 5, ways: true });
    }
    drawn.show({ board, queens, attacked, lines: pairs, marks: marksFor(solved, queens) }, (square) => describe(square, attacked));
    const [kind, text] = words(solved, pairs);
    notice.dataset.kind = kind;
    setText(notice, text);
    if (moved && queens.length) app.say(text);
    figures.show(queens.length, wanted(), elapsed);
    bar.show();
  }

  /** @returns {import("../board/scene.js").Mark[]} */
  function marksFor(solved, queens) {
    /** @type {import("../board/scene.js").Mark[]} */
    const marks = [];
    if (solved) return queens.map((square) => ({ square, kind: "solved" }));
    if (model.state.hints && queens.length) {
      const free = new Set([...freeSquares(board, queens), ...queens]);
      for (let at = 0; at < board.rows * board.cols; at++) if (!free.has(at) && !board.holes.has(at)) marks.push({ square: at, kind: "attacked" });
    }
    if (hintSquare >= 0) marks.push({ square: hintSquare, kind: "hint" });
    return marks;
  }

  function words(solved, pairs) {
    const { history: { now: queens }, hints } = model.state;
    if (refused) return ["bad", refused];
    if (hintSquare >= 0) return ["good", t("play.try", { name: nameOf(board, hintSquare) })];
    if (solved) return ["good", t("play.queens.done", { n: queens.length })];
    if (pairs.length) return ["bad", t("play.queens.conflict", { a: nameOf(board, pairs[0][0]), b: nameOf(board, pairs[0][1]), more: pairs.length - 1 }) + (pairs.length > 1 ? ` ${t("play.queens.more", { n: pairs.length - 1 })}` : "")];
    if (hints === 2) return [outlook?.solvable === "no" ? "bad" : outlook?.solvable === "yes" ? "good" : "", outlookWords(app, outlook, queens.length > 0)];
    const free = freeSquares(board, queens).length;
    if (queens.length && !free && queens.length < wanted()) return ["bad", t("play.queens.stuck", { left: wanted() - queens.length })];
    return ["", queens.length ? t("play.queens.going", { left: wanted() - queens.length }) : t("play.queens.begin")];
  }

  function describe(square, attacked) {
    const name = nameOf(board, square), stands = model.state.history.now.includes(square);
    if (board.holes.has(square)) return t("square.hole", { name });
    return t(stands ? (attacked.has(square) ? "square.queen.attacked" : "square.queen") : "square.empty", { name });
  }

  const forget = () => (ask.forget(), completing.forget());
  return { stage: h("div.stage", {}, drawn.element, bar.element, h("p.foot.keys", {}, t("play.keys"))), panel, show, hint, forget, board: drawn };
}
