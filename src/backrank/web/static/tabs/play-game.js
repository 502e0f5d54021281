/**
 * A game that is played by hand: its state, which survives a reload, its clock, and what the server thinks of it.
 * @module
 */
import { isAbort, post } from "../core/api.js";
import { makeModel } from "../core/model.js";
import { begin, redo, replaceAll, undo } from "../logic/history.js";

/**
 * @typedef {Object} Game
 * @property {number} rows
 * @property {number} cols
 * @property {number[]} holes
 * @property {import("../logic/knight.js").Goal} goal of a tour
 * @property {number | null} start
 * @property {number | null} end
 * @property {import("../logic/history.js").History} history
 * @property {number} hints which level, from 0
 * @property {number} elapsed milliseconds
 */

/** @type {Game} */
export const FRESH = { rows: 8, cols: 8, holes: [], goal: "open", start: null, end: null, history: begin(), hints: 1, elapsed: 0 };

/**
 * @param {import("../core/store.js").Store} store
 * @param {string} slice where it is kept
 * @param {Partial<Game>} first
 * @param {(game: Game) => boolean} running whether the clock runs
 */
export function createGame(store, slice, first, running) {
  const model = makeModel(/** @type {Game} */ ({ ...FRESH, ...first, ...store.get(slice) }));
  const save = () => store.set(slice, model.state);
  let since = performance.now();
  const clock = setInterval(() => {
    const now = performance.now();
    if (running(model.state) && !document.hidden) set({ elapsed: model.state.elapsed + Math.min(now - since, 2000) });
    since = now;
  }, 500);

  /** @param {Partial<Game>} patch */
  function set(patch) {
    model.update(patch);
    save();
  }

  return {
    model,
    set,
    /** Another board or goal: a new game. @param {Partial<Game>} patch */
    renew: (patch) => set({ ...patch, history: begin(), elapsed: 0 }),
    undo: () => set({ history: undo(model.state.history) }),
    redo: () => set({ history: redo(model.state.history) }),
    restart: () => model.state.history.now.length && set({ history: replaceAll(model.state.history, []), elapsed: 0 }),
    close: () => clearInterval(clock),
  };
}

/**
 * What the server knows of a position. Only the last question counts; it is asked when the hand has come to rest.
 * @param {string} path
 * @param {(answer: any | null, error: unknown) => void} tell
 */
export function createOutlook(path, tell) {
  let waiting = 0;
  /** @type {AbortController | null} */
  let asked = null;

  function forget() {
    clearTimeout(waiting);
    asked?.abort();
    asked = null;
  }

  /** @param {unknown} body @param {number} pause milliseconds */
  function ask(body, pause = 200) {
    forget();
    waiting = setTimeout(async () => {
      const mine = (asked = new AbortController());
      try {
        const answer = await post(path, body, mine.signal);
        if (asked === mine) tell(answer, null);
      } catch (error) {
        if (!isAbort(error) && asked === mine) tell(null, error);
      }
    }, pause);
  }

  return { ask, forget };
}

/** @param {number} elapsed milliseconds */
export function clockText(elapsed) {
  const seconds = Math.floor(elapsed / 1000), two = (value) => String(value).padStart(2, "0");
  return seconds < 3600 ? `${Math.floor(seconds / 60)}:${two(seconds % 60)}` : `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** A long decimal number as one that fits on a square: 304, 12k, 5e9. @param {string} digits */
export function shortCount(digits) {
  if (digits.length <= 3) return digits;
  if (digits.length <= 6) return `${digits.slice(0, -3)}k`;
  if (digits.length <= 9) return `${digits.slice(0, -6)}M`;
  return `e${digits.length - 1}`;
}
