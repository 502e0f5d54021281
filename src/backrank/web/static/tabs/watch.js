/**
 * Watch: the search at work, forwards and backwards, alone or two side by side.
 * @module
 */
import { fill, h, keepingFocus, setText } from "../core/dom.js";
import { makeBoard } from "../logic/squares.js";
import { readBoard, readOptional } from "../logic/share.js";
import { checkField } from "../widgets/fields.js";
import { createDriver, speedAt } from "./watch-driver.js";
import { createLane } from "./watch-lane.js";
import { MAX_WATCHED, createSetup, setupFor, strategyName } from "./watch-setup.js";
import { createTransport } from "./watch-transport.js";

/** @typedef {import("./watch-driver.js").Setup} Setup */

/** @type {Setup} */
const FIRST = { kind: "tour", rows: 8, cols: 8, start: 0, strategy: "warnsdorff", rival: "fixed:python", compare: false, closed: false };
/** Which line of the pseudocode an event belongs to. */
const LINES = { tour: { enter: 1, solution: 2, reject: 4, leave: 6 }, queens: { solution: 1, reject: 3, enter: 4, leave: 6 } };

/** A line that, where it is too long, goes on further to the right than it began. @param {string} text */
function codeLine(text) {
  const line = h("li", {}, text.trimStart());
  line.style.setProperty("--indent", `${text.length - text.trimStart().length}ch`);
  return line;
}

/** @param {import("../main.js").App} app @param {URLSearchParams} values @returns {import("../main.js").Tab} */
export function createWatch(app, values) {
  const { t } = app.texts;
  /** @type {ReturnType<typeof createDriver>} */
  const driver = app.kept.get("watch") ?? createDriver({ ...FIRST, ...app.store.get("watch") }, (error) => app.explain(error));
  app.kept.set("watch", driver);
  const { model } = driver;
  const element = h("div.view");
  let hints = app.store.get("watchHints") ?? true;
  /** @type {ReturnType<typeof createLane>[]} */
  let lanes = [];
  let transport = createTransport(app, driver);
  let code = h("ol.code"), said = 0;

  /** @param {Partial<Setup>} change */
  function change(change) {
    driver.begin(change);
    app.store.set("watch", model.state.setup);
    const inBoard = lanes[0]?.element.contains(document.activeElement);
    keepingFocus(element, build);
    if (inBoard) lanes[0].board.focus(model.state.setup.start);
  }

  function build() {
    const { setup } = model.state;
    const board = makeBoard(setup.rows, setup.cols), isTour = setup.kind === "tour";
    const names = setup.compare ? [setup.strategy, setup.rival] : [setup.strategy];
    lanes = names.map((name) => createLane(app, { kind: setup.kind, board, start: setup.start, label: t("watch.board", { strategy: strategyName(app.texts, name) }), onact: isTour ? (square) => change({ start: square }) : undefined }));
    transport = createTransport(app, driver);
    code = h("ol.code", { "aria-label": t("code.title") }, Array.from({ length: 7 }, (_, line) => codeLine(t(`code.${setup.kind}.${line}`))));
    const shownHints = checkField({ label: t(isTour ? "watch.hints.tour" : "watch.hints.queens"), checked: hints, onchange: (value) => ((hints = value), app.store.set("watchHints", value), show()) });
    const [lane] = lanes;
    const counted = h("section.card.counted", {}, h("h2.title", {}, t("counters")), lane.counters);
    const card = (title, ...inner) => h("section.card", {}, h("h2.title", {}, title), ...inner);
    const setupCard = createSetup(app, setup, change);
    setupCard.append(shownHints.element);
    element.className = `view ${setup.compare ? "comparing" : "watching"}`;
    const stage = setup.compare
      ? h("div.lanes", {}, lanes.map((each, index) => h("section.lane", { "aria-label": strategyName(app.texts, names[index]) }, h("h2", {}, strategyName(app.texts, names[index])), each.element, each.notice, each.counters)))
      : lane.element;
    fill(
      element,
      h(`div.stage${setup.compare ? ".two" : ""}`, {}, stage, transport.timeline, transport.transport, h("p.foot.keys", {}, t("watch.keys"))),
      h("div.panel.setup", {}, setupCard, ...(setup.compare ? [card(t("code.title"), code)] : [])),
      ...(setup.compare ? [] : [h("div.panel.told", {}, lane.notice, counted, card(t("code.title"), code), card(t("stack"), lane.stack))]),
    );
    show();
  }

  function show() {
    const { setup, moments, looking, trouble, playing, speed } = model.state;
    const glide = playing ? Math.min(160, 700 / speedAt(speed)) : 140;
    lanes.forEach((lane, index) => {
      const live = looking?.live ? looking.progress[index] : null;
      if (live) lane.showLive(live);
      else lane.show(moments[index] ?? { n: 0, path: [], tried: [0], calls: 0, rejects: 0, solutions: 0, deepest: 0, last: null, finished: false }, { hints, glide: speedAt(speed) > 12 && playing ? 0 : glide });
      if (trouble) {
        setText(lane.notice, trouble.startsWith("none:") ? t(`watch.${trouble.replace(":", ".")}`) : trouble);
        lane.notice.dataset.kind = "bad";
      }
    });
    transport.show();
    const line = LINES[setup.kind][moments[0]?.last?.kind ?? ""];
    [...code.children].forEach((each, index) => (index === line ? each.setAttribute("aria-current", "step") : each.removeAttribute("aria-current")));
    clearTimeout(said);
    if (!playing && moments[0]?.last) said = setTimeout(() => app.say(`${lanes[0].notice.textContent} ${t("watch.depth", { depth: moments[0].path.length })}`), 250);
  }

  const KEYS = {
    " ": () => (model.state.playing ? driver.pause() : driver.play()),
    ArrowLeft: () => driver.step(-1), ArrowRight: () => driver.step(1),
    ",": () => driver.step(-1), ".": () => driver.step(1),
    Home: () => driver.go(0), End: () => driver.jump("end"),
    b: () => driver.jump("next-backtrack"), B: () => driver.jump("previous-backtrack"),
    s: () => driver.jump("next-solution"), S: () => driver.jump("previous-solution"),
    "+": () => driver.setSpeed(Math.min(100, model.state.speed + 5)), "-": () => driver.setSpeed(Math.max(0, model.state.speed - 5)),
  };

  const wanted = readBoard(values);
  if (wanted) {
    const base = setupFor(values.get("puzzle") === "queens" ? "queens" : "tour", model.state.setup);
    const rows = Math.min(wanted.rows, MAX_WATCHED), cols = Math.min(wanted.cols, MAX_WATCHED);
    driver.begin({ ...base, rows, cols, compare: false, start: readOptional(makeBoard(rows, cols), values.get("start")) ?? 0, strategy: values.get("strategy") ?? base.strategy });
  } else if (!app.kept.has("watch-begun")) driver.begin();
  app.kept.set("watch-begun", true);
  build();
  const unwatch = model.watch(show);
  const recolour = () => lanes.forEach((lane) => lane.board.refresh());
  window.addEventListener("themechange", recolour);
  return {
    element,
    leave: () => {
      unwatch();
      clearTimeout(said);
      window.removeEventListener("themechange", recolour);
      driver.stop();
    },
    onkey: (event) => {
      if (event.ctrlKey || event.metaKey || !Object.hasOwn(KEYS, event.key)) return false;
      KEYS[event.key]();
      return true;
    },
  };
}

