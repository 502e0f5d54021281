/**
 * The bar under the board: where in the run we are, and how to get elsewhere.
 * @module
 */
import { fill, h, setText } from "../board/dom.js";
import { button, paintSlider, setDisabled, slider } from "../widgets/fields.js";
import { icon } from "../widgets/icons.js";
import { watchSpeed } from "./watch-driver.js";

/**
 * @param {import("../main.js").App} app
 * @param {ReturnType<typeof import("./watch-driver.js").createDriver>} driver
 */
export function createTransport(app, driver) {
  const { t, number } = app.texts, { model } = driver;
  const bare = (name, label, onclick, keys) => button({ label: t(label), icon: name, bare: true, onclick, keys });
  const position = slider({ label: t("watch.position"), min: 0, max: 0, value: 0, oninput: (n) => driver.go(n) });
  position.id = "watch-position";
  const where = h("span.figure", { id: "watch-where" }), halt = button({ label: t("stop"), icon: "stop", kind: "small", onclick: driver.stop });
  const play = button({ label: t("watch.play"), icon: "play", kind: "main", bare: true, keys: "Space", onclick: () => (model.state.playing ? driver.pause() : driver.play()) });
  play.id = "watch-play";
  const back = bare("back", "watch.back", () => driver.step(-1), "ArrowLeft");
  const forward = bare("forward", "watch.forward", () => driver.step(1), "ArrowRight");
  const start = bare("start", "watch.tostart", () => driver.go(0), "Home");
  const end = bare("end", "watch.toend", () => driver.jump("end"), "End");
  const speed = slider({ label: t("watch.speed"), min: 0, max: 100, value: model.state.speed, oninput: (value) => driver.setSpeed(value) });
  const rate = h("output.figure.small.soft.rate", {}, "");
  const jumps = ["backtrack", "solution"].map((what) =>
    h("div.jump", { role: "group", "aria-label": t(`watch.${what}`) }, small("‹", `watch.previous-${what}`, () => driver.jump(`previous-${what}`)), h("span.small.soft", {}, t(`watch.${what}`)), small("›", `watch.next-${what}`, () => driver.jump(`next-${what}`))),
  );

  function small(text, label, onclick) {
    const element = button({ label: t(label), bare: true, onclick, kind: "small" });
    element.append(text);
    element.id = label.replace("watch.", "jump-");
    return element;
  }

  let playing = false;
  function show() {
    const { state } = model, most = Math.max(driver.known(), state.n);
    if (Number(position.max) !== most) position.max = String(most);
    if (document.activeElement !== position || Number(position.value) !== state.n) position.value = String(state.n);
    position.setAttribute("aria-valuetext", t("watch.where", { n: state.n, known: most }));
    paintSlider(position);
    const { looking } = state, told = looking?.progress.find(Boolean);
    halt.style.visibility = looking && (told || looking.waiting) ? "visible" : "hidden";
    setText(where, looking?.waiting ? t("stream.again", { seconds: looking.waiting }) : looking && told ? t(`watch.looking.${looking.until}`, { calls: number(told.calls, { notation: "compact", maximumSignificantDigits: 4 }), rate: number(told.rate, { notation: "compact", maximumSignificantDigits: 3 }) }) : t(driver.isOver(most) ? "watch.where" : "watch.wheresofar", { n: state.n, known: most }));
    setText(rate, t("watch.persecond", { n: watchSpeed(state.speed) < 10 ? Math.round(watchSpeed(state.speed) * 10) / 10 : Math.round(watchSpeed(state.speed)) }));
    speed.setAttribute("aria-valuetext", rate.textContent || "");
    setDisabled(back, state.n === 0);
    setDisabled(start, state.n === 0);
    setDisabled(forward, driver.isOver(state.n));
    if (playing !== state.playing) {
      playing = state.playing;
      fill(play, icon(playing ? "pause" : "play"));
      play.setAttribute("aria-label", t(playing ? "watch.pause" : "watch.play"));
      play.title = t(playing ? "watch.pause" : "watch.play");
    }
  }

  const timeline = h("div.timeline", {}, position, h("div.where", {}, where, halt, h("div.speed", {}, speed, rate)));
  const transport = h("div.transport", {}, h("div.row-of.buttons", {}, start, back, play, forward, end), h("div.jumps", {}, jumps));
  return { timeline, transport, show };
}
