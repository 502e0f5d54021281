/**
 * Buttons and fields, each with its name.
 * @module
 */
import { freshId, h } from "../board/dom.js";
import { icon } from "./icons.js";

/**
 * @param {{label: string, icon?: string, kind?: string, bare?: boolean, keys?: string, disabled?: boolean, onclick: () => void}} options `bare`: the icon alone is seen
 */
export function button({ label, icon: name, kind = "", bare = false, keys, disabled, onclick }) {
  const element = h(`button${kind ? `.${kind}` : ""}${bare ? ".icon" : ""}`, { type: "button", "aria-label": bare ? label : null, title: bare ? label : null, "aria-keyshortcuts": keys }, name ? icon(name) : null, bare ? null : h("span", {}, label));
  element.addEventListener("click", (event) => {
    if (element.getAttribute("aria-disabled") !== "true") onclick();
    // After a click with the mouse the keys of the page count again, not the button.
    if (event.detail > 0) element.blur();
  });
  if (disabled) setDisabled(element, true);
  return element;
}

/** A button stays where Tab finds it, though it does nothing now. @param {Element} element @param {boolean} disabled */
export function setDisabled(element, disabled) {
  if (disabled) element.setAttribute("aria-disabled", "true");
  else element.removeAttribute("aria-disabled");
}

/** @param {{label: string, value: string, onchange: (value: string) => void, numeric?: boolean, placeholder?: string}} options */
export function textField({ label, value, onchange, numeric, placeholder }) {
  const input = /** @type {HTMLInputElement} */ (h("input", { type: "text", value, placeholder, autocomplete: "off", spellcheck: "false", autocapitalize: "off", inputmode: numeric ? "numeric" : null, onchange: () => onchange(input.value) }));
  return { element: h("label.field", {}, h("span.name", {}, label), input), input };
}

/** @param {Element} input @param {boolean} invalid */
export function setInvalid(input, invalid) {
  if (invalid) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}

/** @param {{label: string, options: [string, string][], value: string, onchange: (value: string) => void, hidden?: boolean}} options pairs of value and text */
export function selectField({ label, options, value, onchange, hidden }) {
  const input = /** @type {HTMLSelectElement} */ (h("select", { onchange: () => onchange(input.value) }, options.map(([key, text]) => h("option", { value: key }, text))));
  input.value = value;
  if (hidden) input.setAttribute("aria-label", label);
  return { element: hidden ? input : h("label.field", {}, h("span.name", {}, label), input), input };
}

/** One of a few, all of them in sight. @param {{label: string, options: [string, string][], value: string, onchange: (value: string) => void, quiet?: boolean}} options */
export function segments({ label, options, value, onchange, quiet }) {
  const name = freshId("choice");
  const inputs = options.map(([key]) => /** @type {HTMLInputElement} */ (h("input", { type: "radio", name, value: key, checked: key === value, onchange: () => onchange(key) })));
  const labels = options.map(([, text], index) => h("label", {}, inputs[index], h("span", {}, text)));
  return h("fieldset.set", {}, h(`legend${quiet ? ".unseen" : ""}`, {}, label), h("div.segments", {}, labels));
}

/** @param {{label: string, checked: boolean, onchange: (checked: boolean) => void}} options */
export function checkField({ label, checked, onchange }) {
  const input = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", role: "switch", checked, onchange: () => onchange(input.checked) }));
  return { element: h("label.check", {}, input, h("span", {}, label)), input };
}

/**
 * Rows and columns; told when both are whole numbers from 1 to `most`.
 * @param {{label: string, rowsLabel: string, colsLabel: string, rows: number, cols: number, most: number, square?: boolean, onchange: (rows: number, cols: number) => void}} options `square`: one number for both
 */
export function sizeField({ label, rowsLabel, colsLabel, rows, cols, most, square, onchange }) {
  const read = (input) => (/^\d+$/.test(input.value.trim()) && Number(input.value) >= 1 && Number(input.value) <= most ? Number(input.value) : 0);
  const make = (name, value) => /** @type {HTMLInputElement} */ (h("input", { type: "text", inputmode: "numeric", autocomplete: "off", "aria-label": name, value, onchange: changed, onfocus: (event) => event.target.select() }));
  const first = make(rowsLabel, rows), second = square ? first : make(colsLabel, cols);
  function changed() {
    const [down, right] = [first, second].map(read);
    setInvalid(first, !down);
    if (!square) setInvalid(second, !right);
    if (down && right) onchange(down, right);
  }
  const inner = square ? [first] : [first, h("span", { "aria-hidden": "true" }, "×"), second];
  return h("div.field", { role: "group", "aria-label": label }, h("span.name", { "aria-hidden": "true" }, label), h(square ? "div" : "div.size", {}, inner));
}

/** @param {{label: string, min: number, max: number, step?: number, value: number, oninput: (value: number) => void}} options */
export function slider({ label, min, max, step = 1, value, oninput }) {
  const input = /** @type {HTMLInputElement} */ (h("input", { type: "range", min, max, step, "aria-label": label, oninput: () => (paintSlider(input), oninput(Number(input.value))) }));
  input.value = String(value);
  paintSlider(input);
  return input;
}

/** Colour the part of the track before the thumb. @param {HTMLInputElement} input */
export function paintSlider(input) {
  const span = Number(input.max) - Number(input.min);
  input.style.setProperty("--done", `${span ? ((Number(input.value) - Number(input.min)) / span) * 100 : 0}%`);
}
