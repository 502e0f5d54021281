/**
 * Watch: the search at work, forwards and backwards, alone or two side by side.
 * @module
 */
import { glideAt } from "../board/clock.js";
import { fill, h, keepingFocus, setText } from "../board/dom.js";
import { nameOf } from "../board/squares.js";
import { strategyName } from "../logic/strategies.js";
import { checkField } from "../widgets/fields.js";
import { createDriver, watchSpeed } from "./watch-driver.js";
import { createLane } from "./watch-lane.js";
import { createSetup } from "./watch-setup.js";
import { FIRST, boardOf, linkedSetup, withBoard } from "./watch-task.js";
import { createTransport } from "./watch-transport.js";

/** @typedef {import("./watch-driver.js").Setup} Setup */

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
  let code = h("ol.code"), said = 0, acted = 0;
  let more = { open: false, tool: "start", ...app.store.get("watchMore") };

  /** @param {Partial<Setup>} change */
  function change(change) {
    driver.begin(change);
    app.store.set("watch", model.state.setup);
    const inBoard = lanes[0]?.element.contains(document.activeElement);
    keepingFocus(element, build);
    if (inBoard) lanes[0].board.focus(acted);
  }

  /** A click on the board: the start, unless the fold is open and says otherwise. @param {number} square */
  function act(square) {
    const { setup } = model.state, tool = setup.kind === "queens" ? "hole" : more.open ? more.tool : "start";
    acted = square;
    if (tool === "hole") {
      const holes = setup.holes.includes(square) ? setup.holes.filter((at) => at !== square) : [...setup.holes, square].sort((a, b) => a - b);
      const next = withBoard(setup, { holes });
      if (!next) return;
      app.say(t(holes.includes(square) ? "square.hole" : "square.free", { name: nameOf(boardOf(app, setup), square) }));
      change(next);
    } else if (setup.holes.includes(square)) app.say(t("play.refused.hole", { name: nameOf(boardOf(app, setup), square) }));
    else if (tool === "start") change({ start: square, end: setup.end === square ? null : setup.end });
    else if (square !== setup.start) change({ end: setup.end === square ? null : square });
  }

  /** @param {boolean} open */
  function unfold(open) {
    more = { ...more, open };
    app.store.set("watchMore", more);
    lanes.forEach((lane) => lane.canAct(canAct()));
  }

  /** @param {string} tool what a click sets */
  function choose(tool) {
    more = { ...more, tool };
    app.store.set("watchMore", more);
  }

  const canAct = () => model.state.setup.kind === "tour" || more.open;

  function build() {
    const { setup } = model.state, fold = element.querySelector("details");
    // The fold tells that it was opened a moment later.
    if (fold && fold.open !== more.open) unfold(fold.open);
    const board = boardOf(app, setup), isTour = setup.kind === "tour";
    const names = setup.compare ? [setup.strategy, setup.rival] : [setup.strategy];
    lanes = names.map((name) => createLane(app, { setup, board, label: t("watch.board", { strategy: strategyName(app.texts, name) }), onact: (square) => canAct() && act(square) }));
    lanes.forEach((lane) => lane.canAct(canAct()));
    transport = createTransport(app, driver);
    code = h("ol.code", { "aria-label": t("code.title") }, Array.from({ length: 7 }, (_, line) => codeLine(t(`code.${setup.kind}.${line}`))));
    const shownHints = checkField({ label: t(isTour ? "watch.hints.tour" : "watch.hints.queens"), checked: hints, onchange: (value) => ((hints = value), app.store.set("watchHints", value), show()) });
    const [lane] = lanes;
    const counted = h("section.card.counted", {}, h("h2.title", {}, t("counters")), lane.counters);
    const card = (title, ...inner) => h("section.card", {}, h("h2.title", {}, title), ...inner);
    const setupCard = createSetup(app, setup, { change, more, unfold, choose });
    setupCard.querySelector("details")?.before(shownHints.element);
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
    const glide = glideAt(playing ? watchSpeed(speed) : 1);
    lanes.forEach((lane, index) => {
      const live = looking?.live ? looking.progress[index] : null;
      if (live) lane.showLive(live);
      else lane.show(moments[index] ?? { n: 0, path: [], tried: [0], calls: 0, rejects: 0, solutions: 0, deepest: 0, last: null, finished: false }, { hints, glide });
      if (looking?.live && looking.waiting) setText(lane.notice, t(looking.isBusy ? "stream.busy" : "stream.lost", { seconds: looking.waiting }));
      if (trouble) {
        setText(lane.notice, trouble.startsWith("none:") ? t(`watch.${trouble.replace(":", ".")}`) : trouble);
        lane.notice.dataset.kind = "bad";
      }
    });
    transport.show();
    const line = LINES[setup.kind][moments[0]?.last?.kind ?? ""];
    [...code.children].forEach((each, index) => (index === line ? each.setAttribute("aria-current", "step") : each.removeAttribute("aria-current")));
    clearTimeout(said);
    const depth = moments[0]?.last && !trouble && !looking?.live ? ` ${t("watch.depth", { depth: moments[0].path.length })}` : "";
    if (!playing && (depth || trouble || (looking?.live && looking.waiting))) said = setTimeout(() => app.say(`${lanes[0].notice.textContent}${depth}`), 250);
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

  const wanted = linkedSetup(values, model.state.setup);
  if (wanted) {
    driver.begin(wanted);
    app.store.set("watch", wanted);
    // A reload shall bring back what is watched then, not what the link said.
    history.replaceState(null, "", "#watch");
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

