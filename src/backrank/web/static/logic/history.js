/**
 * Undo and redo without limit. A history is a value: every function returns a new one, and those share their parts.
 * An entry is what was before and after; for a step onto one more square that is the square alone.
 * @module
 *
 * @typedef {{add: number} | {before: readonly number[], after: readonly number[]}} Entry
 * @typedef {{now: readonly number[], past: readonly Entry[], future: readonly Entry[]}} History
 */

/** @param {readonly number[]} [now] @returns {History} */
export function begin(now = []) {
  return { now, past: [], future: [] };
}

/** @param {History} history @param {number} square @returns {History} */
export function addSquare(history, square) {
  return { now: [...history.now, square], past: [...history.past, { add: square }], future: [] };
}

/** @param {History} history @param {readonly number[]} after @returns {History} */
export function replaceAll(history, after) {
  return { now: after, past: [...history.past, { before: history.now, after }], future: [] };
}

/** @param {History} history @returns {History} */
export function undo({ now, past, future }) {
  const entry = past[past.length - 1];
  if (!entry) return { now, past, future };
  return { now: "add" in entry ? now.slice(0, -1) : entry.before, past: past.slice(0, -1), future: [...future, entry] };
}

/** @param {History} history @returns {History} */
export function redo({ now, past, future }) {
  const entry = future[future.length - 1];
  if (!entry) return { now, past, future };
  return { now: "add" in entry ? [...now, entry.add] : entry.after, past: [...past, entry], future: future.slice(0, -1) };
}
