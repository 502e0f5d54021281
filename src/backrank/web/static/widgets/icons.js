/**
 * Icons, drawn on 24 × 24.
 * @module
 */
import { s } from "../board/dom.js";

/** @type {Record<string, [string, boolean][]>} outlines, and whether they are lines */
const PATHS = {
  play: [["M7 4v16l13-8z", false]],
  pause: [["M6 4h4v16H6zM14 4h4v16h-4z", false]],
  back: [["M18 5v14", true], ["M15 5v14L5 12z", false]],
  forward: [["M6 5v14", true], ["M9 5v14l10-7z", false]],
  start: [["M5 5v14", true], ["M13 5v14l-7-7zM21 5v14l-7-7z", false]],
  end: [["M19 5v14", true], ["M11 5v14l7-7zM3 5v14l7-7z", false]],
  undo: [["M8 5L3.5 9.5L8 14M4 9.5h10a6 6 0 0 1 0 12h-3", true]],
  redo: [["M16 5l4.5 4.5L16 14M20 9.5H10a6 6 0 0 0 0 12h3", true]],
  restart: [["M4.5 12a7.5 7.5 0 1 0 2.2-5.3M4 4v5h5", true]],
  hint: [["M9 17h6M10 20.5h4M8.2 13.4a5.6 5.6 0 1 1 7.6 0c-.7.7-.8 1.4-.8 2.1h-6c0-.7-.1-1.4-.8-2.1z", true]],
  link: [["M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.300l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3A4 4 0 0 0 11 18.700l1-1", true]],
  light: [["M12 7.500a4.500 4.500 0 1 0 0 9a4.500 4.500 0 0 0 0-9M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600L19 19M5 19l1.400-1.400M17.600 6.400L19 5", true]],
  dark: [["M20 14.500A8.500 8.500 0 1 1 9.500 4a7 7 0 0 0 10.500 10.500z", true]],
  auto: [["M12 3.500a8.500 8.500 0 1 0 0 17a8.500 8.500 0 0 0 0-17", true], ["M12 4v16a8 8 0 0 0 0-16", false]],
  stop: [["M6 6h12v12H6z", false]],
  close: [["M6 6l12 12M18 6L6 18", true]],
  save: [["M12 4v11M7 11l5 5l5-5M5 20h14", true]],
  plus: [["M12 5v14M5 12h14", true]],
  minus: [["M5 12h14", true]],
};

/** @param {string} name */
export function icon(name) {
  return s("svg", { class: "ikon", viewBox: "0 0 24 24", "aria-hidden": "true" }, ...PATHS[name].map(([d, stroke]) => s("path", { d, class: stroke ? "stroke" : null })));
}
