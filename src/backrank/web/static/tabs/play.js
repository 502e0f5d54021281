/**
 * Play: by hand, a tour or queens. Which of them, and both games, are there after a reload.
 * @module
 */
import { h } from "../board/dom.js";
import { conflicts } from "../board/queens.js";
import { makeBoard } from "../board/squares.js";
import { begin } from "../logic/history.js";
import { choices, standing } from "../logic/knight.js";
import { readSquares } from "../logic/reading.js";
import { readBoard, readOptional } from "../logic/share.js";
import { segments } from "../widgets/fields.js";
import { createGame } from "./play-game.js";
import { MAX_QUEENS_PLAYED, createQueensGame } from "./play-queens.js";
import { MAX_PLAYED, createTourGame } from "./play-tour.js";

/** @param {import("./play-game.js").Game} game */
function tourRuns(game) {
  return ["going", "stuck", "notclosed"].includes(standing(makeBoard(game.rows, game.cols, game.holes), game.history.now, game));
}

/** @param {import("./play-game.js").Game} game */
function queensRun({ rows, cols, holes, history: { now } }) {
  return now.length > 0 && (now.length !== Math.min(rows, cols) || conflicts(makeBoard(rows, cols, holes), now).length > 0);
}

/** The game of a link; its moves as far as they are legal. @param {URLSearchParams} values */
function shared(values) {
  const board = readBoard(values), kind = values.get("puzzle") === "queens" ? "queens" : "tour";
  const most = kind === "queens" ? MAX_QUEENS_PLAYED : MAX_PLAYED;
  if (!board || board.rows > most || board.cols > most) return null;
  const goal = values.get("goal");
  const rules = { goal: /** @type {import("../logic/knight.js").Goal} */ (goal === "closed" || goal === "ends" ? goal : "open"), start: readOptional(board, values.get("start")), end: readOptional(board, values.get("end")) };
  if (rules.end === rules.start) rules.end = null;
  const moves = readSquares(board, values.get("moves") || "").filter((square) => square >= 0 && !board.holes.has(square));
  let history = begin([...new Set(moves)]);
  if (kind === "tour") {
    /** @type {number[]} */
    const path = [];
    for (const square of moves) {
      if (!choices(board, path, rules).has(square)) break;
      path.push(square);
    }
    // Undo takes back the moves of a link one by one, as if they had been made here.
    history = { now: path, past: path.map((add) => ({ add })), future: [] };
  }
  return { kind, game: { rows: board.rows, cols: board.cols, holes: [...board.holes], ...rules, history, elapsed: 0 } };
}

/** @param {import("../main.js").App} app @param {URLSearchParams} values @returns {import("../main.js").Tab} */
export function createPlay(app, values) {
  const { t } = app.texts, element = h("div.view");
  const link = shared(values);
  if (link) {
    app.store.set("playKind", link.kind);
    app.store.set(`play-${link.kind}`, { ...app.store.get(`play-${link.kind}`), ...link.game });
    // A reload shall bring back the game as it is then, not as it was in the link.
    history.replaceState(null, "", "#play");
  }
  /** @type {ReturnType<typeof createGame>} */
  let game;
  /** @type {ReturnType<typeof createTourGame>} */
  let view;
  let unwatch = () => false;

  function open(kind) {
    close();
    app.store.set("playKind", kind);
    const chooser = segments({ label: t("watch.puzzle"), quiet: true, options: [["tour", t("puzzle.tour")], ["queens", t("puzzle.queens")]], value: kind, onchange: (other) => {
      open(other);
      /** @type {HTMLInputElement | null} */ (element.querySelector(".panel input:checked[value=tour], .panel input:checked[value=queens]"))?.focus();
    } });
    game = createGame(app.store, `play-${kind}`, {}, kind === "queens" ? queensRun : tourRuns);
    view = kind === "queens" ? createQueensGame(app, game, chooser) : createTourGame(app, game, chooser);
    element.replaceChildren(view.stage, view.panel);
    unwatch = game.model.watch(view.show);
    view.show();
  }

  function close() {
    unwatch();
    game?.close();
    view?.forget();
  }

  const KEYS = { u: () => game.undo(), r: () => game.redo(), h: () => view.hint(), z: () => game.undo(), y: () => game.redo(), Backspace: () => game.undo() };
  const recolour = () => view.board.refresh();
  window.addEventListener("themechange", recolour);
  open(app.store.get("playKind") ?? "tour");
  return {
    element,
    leave: () => {
      close();
      window.removeEventListener("themechange", recolour);
    },
    onkey: (event) => {
      const held = event.ctrlKey || event.metaKey;
      if (!Object.hasOwn(KEYS, event.key) || held !== (event.key === "z" || event.key === "y")) return false;
      KEYS[event.key]();
      return true;
    },
  };
}
