/**
 * Making elements. Texts go onto the page as text, never as markup.
 * @module
 *
 * @typedef {Node | string | number | null | undefined | false} Child
 */

const SVG = "http://www.w3.org/2000/svg";

/** @param {Element} element @param {Record<string, unknown>} options */
function setOptions(element, options) {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name in element && (name === "value" || name === "checked" || name === "hidden" || name === "disabled")) Reflect.set(element, name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Make an element: `h("button.main", {onclick}, "Start")`.
 * @param {string} what a tag and classes
 * @param {Record<string, unknown>} [options] attributes, and `onevent` handlers
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(what, options = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  setOptions(element, options);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false).map(textOr));
  return element;
}

/** Make an element of a drawing. @param {string} tag @param {Record<string, unknown>} [options] @param {...Element} children @returns {SVGElement} */
export function s(tag, options = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  setOptions(element, options);
  element.append(...children);
  return element;
}

/** @param {unknown} child */
const textOr = (child) => (child instanceof Node ? child : String(child));

/** Set a text only if it changes, so that nothing is announced or laid out twice. @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {Element} element @param {...Child} children */
export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined && child !== false).map(textOr));
}

let made = 0;

/** A fresh id, for labels and descriptions. @param {string} name */
export function freshId(name) {
  made += 1;
  return `${name}-${made}`;
}

/** What tells a control from its neighbours: its group, its name, and of a choice its value. @param {Element} control */
function controlKey(control) {
  const group = control.closest("[role=group]")?.getAttribute("aria-label") ?? "";
  const name = control.getAttribute("aria-label") ?? control.closest("label")?.querySelector("span")?.textContent ?? control.textContent;
  return `${group} ${control.tagName} ${name} ${/** @type {HTMLInputElement} */ (control).type === "radio" ? /** @type {HTMLInputElement} */ (control).value : ""}`;
}

/** Build a part of the page anew; the focus stays on the control that it was on. @param {Element} container @param {() => void} build */
export function keepingFocus(container, build) {
  const active = document.activeElement;
  const key = active && container.contains(active) ? controlKey(active) : null;
  build();
  if (key === null) return;
  const control = [...container.querySelectorAll("input, select, textarea, button, a, summary")].find((each) => controlKey(each) === key);
  /** @type {HTMLElement | undefined} */ (control)?.focus({ preventScroll: true });
}
