/**
 * A state that tells when it changes. It is told once per picture, however often it changes in between.
 * @module
 * @template {object} State
 * @typedef {{state: State, update: (patch: Partial<State>) => void, watch: (see: () => void) => () => void}} Model
 */

/**
 * @template {object} State
 * @param {State} first
 */
export function makeModel(first) {
  let state = first, due = false;
  /** @type {Set<() => void>} */
  const watchers = new Set();
  const tell = () => {
    due = false;
    for (const see of [...watchers]) see();
  };
  return {
    get state() {
      return state;
    },
    /** @param {Partial<State>} patch */
    update(patch) {
      state = Object.assign({}, state, patch);
      if (!due) queueMicrotask(tell);
      due = true;
    },
    /** @param {() => void} see */
    watch(see) {
      watchers.add(see);
      return () => watchers.delete(see);
    },
  };
}
