/**
 * The picture of a board, in whatever draws it best: SVG, or on large boards a canvas. Every picture of a board is made
 * here, on the page of the app and on exported pages.
 * @module
 */
import { createCanvasView } from "./canvas.js";
import { isLarge } from "./scene.js";
import { createSvgView } from "./svg.js";

/** @typedef {import("./scene.js").Scene} Scene */

/**
 * Put a picture into an element, before all else in it.
 * @param {Element} container positioned, since the picture fills it
 * @returns {{show: (scene: Scene) => void, refresh: () => void}} `refresh` draws again, for other colours
 */
export function createView(container) {
  /** @type {{element: Element, show: (scene: Scene) => void, refresh?: () => void} | null} */
  let view = null;
  let large = false;

  function show(scene) {
    if (!view || isLarge(scene.board) !== large) {
      view?.element.remove();
      large = isLarge(scene.board);
      view = large ? createCanvasView() : createSvgView();
      container.prepend(view.element);
    }
    view.show(scene);
  }

  return { show, refresh: () => view?.refresh?.() };
}
