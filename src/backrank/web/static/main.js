/**
 * The page: header, tabs, language, colours. Everything else is made by the tab that is open.
 * @module
 *
 * @typedef {Object} App what every tab is given
 * @property {import("./board/texts.js").Texts} texts
 * @property {import("./core/store.js").Store} store
 * @property {any} meta what the server offers
 * @property {(text: string) => void} say announce to screen readers
 * @property {(error: unknown) => string} explain an error in words
 * @property {Map<string, any>} kept what a tab keeps while another one is open
 *
 * @typedef {Object} Tab
 * @property {HTMLElement} element
 * @property {() => void} leave
 * @property {(event: KeyboardEvent) => boolean} [onkey] whether the key meant something
 */
import { fill, h, s, setText } from "./board/dom.js";
import { HORSE, HORSE_EYE } from "./board/look.js";
import { Problem, get } from "./core/api.js";
import { LANGUAGES, loadTexts, matching } from "./core/i18n.js";
import { makeStore } from "./core/store.js";
import { readHash } from "./logic/share.js";
import { createCount } from "./tabs/count.js";
import { createPlay } from "./tabs/play.js";
import { createSolve } from "./tabs/solve.js";
import { createWatch } from "./tabs/watch.js";
import { button, selectField } from "./widgets/fields.js";

/** @type {Record<string, (app: App, values: URLSearchParams) => Tab>} */
const TABS = { watch: createWatch, play: createPlay, solve: createSolve, count: createCount };
const THEMES = ["auto", "light", "dark"];

function storage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

async function start() {
  const store = makeStore(storage());
  const page = /** @type {HTMLElement} */ (document.getElementById("page"));
  const said = /** @type {HTMLElement} */ (document.getElementById("said"));
  const [texts, meta] = await Promise.all([loadTexts(store.get("language") ?? matching(navigator.languages)), get("/api/meta")]);
  /** @type {App} */
  const app = { texts, store, meta, kept: new Map(), say: (text) => setText(said, text), explain: (error) => explain(error, app) };
  /** @type {Tab | null} */
  let open = null;
  let name = "";

  function draw() {
    open?.leave();
    const { tab, values } = readHash(location.hash);
    name = tab in TABS ? tab : "watch";
    open = TABS[name](app, values);
    document.documentElement.lang = app.texts.language;
    document.title = `${app.texts.t(`tab.${name}`)} · backrank`;
    fill(page, header(app, name, changeLanguage), h("main", { id: "main", tabindex: -1 }, open.element));
  }

  async function changeLanguage(language) {
    app.texts = await loadTexts(language);
    store.set("language", language);
    draw();
    /** @type {HTMLElement | null} */ (document.querySelector(".tools select"))?.focus();
  }

  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.defaultPrevented || event.altKey || event.isComposing || target.closest("textarea, input[type=text], select")) return;
    if ((event.key === " " || event.key === "Enter") && target.closest("button, a, summary, input:not([type=range])")) return;
    if (/^(Arrow|Home|End)/.test(event.key) && target.closest("input")) return;
    if (open?.onkey?.(event)) event.preventDefault();
  });
  window.addEventListener("hashchange", () => {
    const { tab, values } = readHash(location.hash);
    if (tab !== name || values.size) draw();
  });
  draw();
}

/** @param {App} app @param {string} current @param {(language: string) => void} changeLanguage */
function header({ texts: { t, language }, store }, current, changeLanguage) {
  const brand = h("a.brand", { href: "#watch", "aria-label": "backrank" }, s("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, s("rect", { width: 100, height: 100, rx: 22, class: "tile" }), s("path", { d: HORSE, class: "figure", transform: "translate(9 6) scale(.84)" }), s("path", { d: HORSE_EYE, class: "tile", transform: "translate(9 6) scale(.84)" })), h("h1", {}, "backrank"));
  const links = Object.keys(TABS).map((tab) => h("a", { href: `#${tab}`, "aria-current": tab === current ? "page" : null }, t(`tab.${tab}`)));
  const languages = selectField({ label: t("language"), options: Object.entries(LANGUAGES), value: language, hidden: true, onchange: changeLanguage });
  return h("header.top", {}, brand, h("nav.tabs", { "aria-label": t("tabs") }, links), h("div.tools", {}, languages.element, themeButton(t, store)));
}

function themeButton(t, store) {
  const theme = store.get("theme") ?? "auto";
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  const element = button({
    label: `${t(`theme.${theme}`)}`, icon: theme, bare: true, onclick: () => {
      store.set("theme", next);
      if (next === "auto") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = next;
      const fresh = themeButton(t, store);
      element.replaceWith(fresh);
      fresh.focus();
      window.dispatchEvent(new Event("themechange"));
    },
  });
  element.id = "theme";
  return element;
}

/** @param {unknown} error @param {App} app */
function explain(error, { texts: { t, has, told } }) {
  if (!(error instanceof Problem)) return String(error);
  const { kind, code, params, message } = error;
  if (has(`problem.${kind}`)) return t(`problem.${kind}`);
  if (has(`told.${code}`)) return told({ text: message, code, params });
  return t(has(`wrong.${kind}`) ? `wrong.${kind}` : "wrong.backrank-error", { detail: message });
}

start().catch(() => fill(/** @type {HTMLElement} */ (document.getElementById("page")), h("p.noscript", { role: "alert" }, "backrank: the server does not answer. 服务器没有回应。伺服器沒有回應。")));
