/**
 * What is seldom wanted of a search: how its strategy goes about it, holes, other pieces, glued edges.
 * @module
 */
import { h } from "../board/dom.js";
import { nameOf } from "../board/squares.js";
import { readSquare, readSquareList } from "../logic/reading.js";
import { nameOfParts, partsOf } from "../logic/strategies.js";
import { checkField, segments, selectField, setInvalid, textField } from "../widgets/fields.js";
import { boardOf, withBoard } from "./watch-task.js";

/** @typedef {import("./watch-driver.js").Setup} Setup */

const OWN = "own";

/**
 * @param {import("../main.js").App} app
 * @param {Setup} setup
 * @param {{change: (change: Partial<Setup>) => void, more: {open: boolean, tool: string}, unfold: (open: boolean) => void, choose: (tool: string) => void}} does
 */
export function createMore(app, setup, { change, more, unfold, choose }) {
  const { t } = app.texts, isTour = setup.kind === "tour";
  const element = /** @type {HTMLDetailsElement} */ (h("details.more", { ontoggle: () => element.open !== more.open && unfold(element.open) }, h("summary", {}, t("watch.more"))));
  element.open = more.open;
  const ways = [group(setup.compare ? t("watch.strategy") : "", details(app, setup.kind, setup.strategy, (strategy) => change({ strategy })))];
  if (setup.compare) ways.push(group(t("watch.rival"), details(app, setup.kind, setup.rival, (rival) => change({ rival }))));
  const tools = /** @type {[string, string][]} */ ([["start", t("tool.start")], ["end", t("tool.end")], ["hole", t("tool.hole")]]);
  const tool = isTour ? segments({ label: t("solve.tool"), options: tools, value: more.tool, onchange: choose }) : h("p.small.soft", {}, t("solve.queens.tool"));
  const where = isTour ? h("div.pair", {}, holes(app, setup, change), end(app, setup, change)) : holes(app, setup, change);
  element.append(h("div.unfolded", {}, ways, tool, where, isTour ? piece(app, setup, change) : [], wrap(app, setup, change)));
  return element;
}

/** Fields under a common name, if they need one to be told from others. @param {string} name @param {HTMLElement[]} fields */
const group = (name, fields) => (fields.length ? h("div.group", name ? { role: "group", "aria-label": name } : {}, name ? h("h3", {}, name) : null, fields) : null);

/** How a strategy goes about it: the order of equals, dead ends, the seed. */
function details(app, kind, name, onchange) {
  const { t, has } = app.texts, parts = partsOf(name);
  const known = app.meta.strategies[kind].find((each) => each.name === parts.rule);
  const set = (patch) => onchange(nameOfParts({ ...parts, ...patch }));
  const fields = [];
  if (known?.takes_order) {
    const named = Object.keys(app.meta.orders), isOwn = parts.argument !== "" && !named.includes(parts.argument);
    const options = /** @type {[string, string][]} */ ([["", t("order.piece")], ...named.map((each) => [each, has(`order.${each}`) ? t(`order.${each}`) : each]), [OWN, t("order.own")]]);
    fields.push(selectField({ label: t("watch.order"), options, value: isOwn ? OWN : parts.argument, onchange: (value) => set({ argument: value === OWN ? "87654321" : value }) }).element);
    if (isOwn) fields.push(textField({ label: t("watch.ownorder"), value: parts.argument, placeholder: "87654321", onchange: (text) => set({ argument: text.trim().replace(/\s+/g, " ") }) }).element);
  }
  if (known?.takes_seed) {
    const seed = textField({ label: t("watch.seed"), value: parts.argument, numeric: true, placeholder: "1", onchange: (text) => {
      const isGood = /^\d{1,15}$/.test(text.trim());
      setInvalid(seed.input, !isGood);
      if (isGood) set({ argument: String(Number(text)) });
    } });
    fields.push(seed.element);
  }
  if (known?.takes_prune) fields.push(checkField({ label: t("watch.prune"), checked: parts.prune, onchange: (prune) => set({ prune }) }).element);
  return fields;
}

function holes(app, setup, change) {
  const { t } = app.texts, board = boardOf(app, setup);
  const field = textField({ label: t("watch.holes"), value: setup.holes.map((at) => nameOf(board, at)).join(" "), placeholder: "c3 d4", onchange: (text) => {
    const squares = readSquareList(board, text), next = squares && withBoard(setup, { holes: squares });
    setInvalid(field.input, !next);
    if (next) change(next);
  } });
  return field.element;
}

function end(app, setup, change) {
  const { t } = app.texts, board = boardOf(app, setup);
  const field = textField({ label: t("watch.end"), value: setup.end === null ? "" : nameOf(board, setup.end), placeholder: t("watch.anywhere"), onchange: (text) => {
    const square = readSquare(board, text), isGood = !text.trim() || (square >= 0 && square !== setup.start && !board.holes.has(square));
    setInvalid(field.input, !isGood);
    if (isGood) change({ end: text.trim() ? square : null });
  } });
  return field.element;
}

function piece(app, setup, change) {
  const { t, has } = app.texts, { steps } = app.meta;
  const named = app.meta.pieces.tour, isOwn = !named.includes(setup.piece);
  const label = (name) => (has(`piece.${name}`) ? t(`piece.${name}`) : name) + (steps[name].length <= 8 && name !== "king" ? ` (${steps[name][0].map(Math.abs).sort((a, b) => a - b).join(", ")})` : "");
  const options = /** @type {[string, string][]} */ ([...named.map((name) => [name, label(name)]), [OWN, t("piece.own")]]);
  const choice = selectField({ label: t("watch.piece"), options, value: isOwn ? OWN : setup.piece, onchange: (value) => change({ piece: value === OWN ? "2,5" : value }) });
  if (!isOwn) return [choice.element];
  const own = textField({ label: t("watch.leaper"), value: setup.piece, placeholder: "2,5", onchange: (text) => {
    const numbers = /^\(?\s*(\d{1,2})\s*[,，\s]\s*(\d{1,2})\s*\)?$/.exec(text.trim()), isGood = numbers !== null && Number(numbers[1]) + Number(numbers[2]) > 0;
    setInvalid(own.input, !isGood);
    if (isGood && numbers) change({ piece: `${Number(numbers[1])},${Number(numbers[2])}` });
  } });
  return [choice.element, own.element];
}

function wrap(app, setup, change) {
  const { t, has } = app.texts;
  const options = /** @type {[string, string][]} */ (app.meta.wraps.map((name) => [name, has(`wrap.${name}`) ? t(`wrap.${name}`) : name]));
  return selectField({ label: t("watch.wrap"), options, value: setup.wrap, onchange: (value) => change({ wrap: value }) }).element;
}
