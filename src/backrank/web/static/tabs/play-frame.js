/**
 * What both games have around their boards: buttons, figures, messages, and the sharing of links.
 * @module
 */
import { h, setText } from "../board/dom.js";
import { makeHash } from "../logic/share.js";
import { button, segments, setDisabled } from "../widgets/fields.js";
import { clockText } from "./play-game.js";

/**
 * @param {import("../main.js").App} app
 * @param {ReturnType<typeof import("./play-game.js").createGame>} game
 * @param {{hint: () => void, link: () => Record<string, string>, fill?: () => void}} does
 */
export function createBar(app, game, { hint, link, fill }) {
  const { t } = app.texts;
  const back = button({ label: t("play.undo"), icon: "undo", bare: true, keys: "u", onclick: game.undo });
  const again = button({ label: t("play.redo"), icon: "redo", bare: true, keys: "r", onclick: game.redo });
  const restart = button({ label: t("play.restart"), icon: "restart", bare: true, onclick: game.restart });
  const help = button({ label: t("play.hint"), icon: "hint", keys: "h", onclick: hint });
  const fillIn = fill ? button({ label: t("play.fill"), onclick: fill }) : null;
  const share = button({ label: t("play.share"), icon: "link", bare: true, onclick: () => copyLink(app, link()) });
  const element = h("div.row-of.playbar", {}, back, again, restart, help, fillIn, share);
  function show() {
    const { past, future, now } = game.model.state.history;
    setDisabled(back, !past.length);
    setDisabled(again, !future.length);
    setDisabled(restart, !now.length);
  }
  return { element, show };
}

/** @param {import("../main.js").App} app @param {Record<string, string>} values */
async function copyLink(app, values) {
  const address = new URL(makeHash("play", values), location.href).href;
  let text = app.texts.t("play.shared");
  try {
    await navigator.clipboard.writeText(address);
  } catch {
    // Not every page may write to the clipboard; the address bar shows the link then.
    history.replaceState(null, "", address);
    text = app.texts.t("play.sharedbar");
  }
  app.say(text);
  const bubble = h("div.bubble", {}, text);
  document.querySelector(".playbar")?.append(bubble);
  setTimeout(() => bubble.remove(), 2600);
}

/** How far the game has come. @param {import("../main.js").App} app @param {string} what the key of what is counted */
export function createFigures(app, what) {
  const { t } = app.texts;
  const done = h("dd.figure", {}, ""), time = h("dd.figure", {}, "");
  const element = h("dl.figures", {}, h("div", {}, h("dt", {}, t(what)), done), h("div", {}, h("dt", {}, t("play.time")), time));
  return {
    element,
    show: (now, total, elapsed) => {
      setText(done, t("counter.of", { depth: now, total }));
      setText(time, clockText(elapsed));
    },
  };
}

/** @param {import("../main.js").App} app @param {string[]} levels keys of texts @param {number} value @param {(level: number) => void} onchange */
export function hintLevels(app, levels, value, onchange) {
  return segments({ label: app.texts.t("play.hints"), options: levels.map((key, level) => [String(level), app.texts.t(key)]), value: String(value), onchange: (level) => onchange(Number(level)) });
}

/** What the server thinks, in words. @param {import("../main.js").App} app @param {any} outlook @param {boolean} [moved] whether anything has been played */
export function outlookWords({ texts: { t, number, told } }, outlook, moved = true) {
  if (!outlook) return t("outlook.asking");
  if (outlook.error) return outlook.error;
  const reason = outlook.method === "theorem" ? told({ text: outlook.reason, ...outlook }) : "";
  if (outlook.solvable === "no" && reason) return t(moved ? "outlook.no.why" : "outlook.never", { reason });
  if (outlook.solvable === "no") return t("outlook.no");
  if (outlook.solvable === "unknown") return t("outlook.unknown");
  if (outlook.ways === null) return t("outlook.yes");
  return t(outlook.ways === "1" ? "outlook.one" : "outlook.ways", { ways: number(outlook.ways) });
}
