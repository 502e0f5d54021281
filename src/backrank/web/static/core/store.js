/**
 * What outlives a reload, kept in one place. Each part of the page owns one slice of it.
 * @module
 */

const KEY = "backrank";

/**
 * @typedef {Object} Store
 * @property {(slice: string) => any} get
 * @property {(slice: string, value: unknown) => void} set
 */

/** @param {Storage | null} storage @returns {Store} */
export function makeStore(storage) {
  /** @type {Record<string, unknown>} */
  let all = {};
  try {
    all = JSON.parse(storage?.getItem(KEY) || "{}") || {};
  } catch {
    all = {};
  }
  return {
    get: (slice) => all[slice],
    set: (slice, value) => {
      all = { ...all, [slice]: value };
      try {
        storage?.setItem(KEY, JSON.stringify(all));
      } catch {
        // A full or forbidden storage costs the memory of the page, not the page.
      }
    },
  };
}
