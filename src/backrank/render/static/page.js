/**
 * What stands around the board: texts in two languages, counters, the stack, the profile of depths. All texts go on the
 * page as text, never as markup.
 * @module
 */
import { h, setText } from "./board/dom.js";
import { colourOf } from "./board/look.js";
import { nameOf, squareCount } from "./board/squares.js";
import { makeTexts } from "./board/texts.js";
import { ENTER, LEAVE, SOLUTION } from "./run.js";

const COUNTERS = ["events", "calls", "backtracks", "rejects", "solutions", "depth", "deepest"];
const KINDS = ["enter", "leave", "reject", "solution"];

/** @param {any} data what the page carries @param {any} run @param {import("./board/squares.js").Board} board */
export function createSurroundings(data, run, board) {
  const find = (id) => document.getElementById(id);
  const walks = data.mode === "walk";
  const cells = {}, lines = [], total = squareCount(board);
  let language = data.language, texts = makeTexts(language, data.texts[language]);

  const say = (key, values) => texts.t(key, values);
  const grouped = (value) => texts.number(value);
  const pieceName = () => (texts.has(`piece.${data.piece.name}`) ? say(`piece.${data.piece.name}`) : data.piece.name);

  function why(number) {
    const sentence = data.run.reasons[number], cause = data.run.causes[number];
    const rule = cause >= 0 ? sentence.slice(0, sentence.lastIndexOf(" ")) : sentence;
    return texts.has(`reason.${rule}`) ? say(`reason.${rule}`, { square: cause >= 0 ? nameOf(board, cause) : "" }) : sentence;
  }

  /** What happened last at a position. A walk that is whole is a solution at its end. */
  function kindAt(n) {
    return walks && data.whole && n === run.count ? SOLUTION : run.kinds[n - 1];
  }

  /** The event before a position, in words. */
  function inWords(n, state) {
    if (n === 0) return say("ready");
    const kind = kindAt(n), square = nameOf(board, run.squares[n - 1]);
    const values = { square, piece: pieceName(), depth: state.stack.length, number: state.solutions };
    if (kind === ENTER) return say(`enter_${data.kind}`, values);
    if (kind === LEAVE) return say(`leave_${data.kind}`, values) + ending(n);
    if (kind === SOLUTION) return say(`solution_${walks ? (data.closed ? "closed" : "walk") : "search"}`, values) + ending(n);
    const reason = why(run.reasons[n - 1]);
    return reason ? say("reject", { ...values, why: reason }) : say("reject_bare", values);
  }

  function ending(n) {
    if (n < run.count || walks) return "";
    return " " + say(data.truncated ? "truncated" : "finished");
  }

  function counts(state) {
    const depth = state.stack.length;
    const { calls, rejects, solutions, deepest } = state;
    return { events: state.n, calls, backtracks: calls - depth, rejects, solutions, depth, deepest };
  }

  const totals = Object.keys(data.totals || {}).length || data.truncated ? data.totals : counts(run.last);

  function setTexts() {
    texts = makeTexts(language, data.texts[language]);
    document.documentElement.lang = language === "zh" ? "zh-CN" : language;
    for (const each of document.querySelectorAll("[data-text]")) each.textContent = say(each.dataset.text);
    for (const each of document.querySelectorAll("[data-label]")) label(each, say(each.dataset.label));
    const title = data.title ?? say(`title_${walks ? "walk" : data.kind}`, {
      size: `${board.rows}×${board.cols}`,
      piece: pieceName(),
    });
    document.title = find("title").textContent = title;
    find("strategy").hidden = !data.strategy;
    find("strategy").textContent = say("strategy", { strategy: data.strategy });
    find("language").textContent = say("language");
    label(find("language"), say("language_label"));
    find("hints-text").textContent = say(`hints_${data.kind}`);
    find("stack-title").textContent = say(`stack_${data.mode}`);
    find("help").textContent = say(`help_${data.mode}`);
    label(find("position"), say("timeline"));
    // Where the piece is is added once it stays there.
    find("board").setAttribute("aria-label", say("board"));
    if (!walks) setCounters();
  }

  function setCounters() {
    find("counters").replaceChildren();
    for (const name of COUNTERS) {
      cells[name] = h("dd");
      const total = name !== "depth" && totals && name in totals ? say("of", { total: totals[name] }) : "";
      find("counters").append(h("dt", {}, say(name)), cells[name], h("dd.total", {}, total));
    }
  }

  /** Name an element, for those who see it and for those who hear it. */
  function label(element, text) {
    element.setAttribute("aria-label", text);
    element.title = text;
  }

  function show(state, capacity) {
    find("event").dataset.kind = state.n ? KINDS[kindAt(state.n)] : "ready";
    find("event").textContent = inWords(state.n, state);
    find("where").textContent = say("position", { n: state.n, count: run.count });
    if (!walks) for (const [name, value] of Object.entries(counts(state))) setText(cells[name], grouped(value));
    showStack(state.stack, capacity);
  }

  /** One line per level, the newest on top; the lines are made once and written on. */
  function showStack(stack, capacity) {
    const shown = Math.min(stack.length, capacity);
    const more = stack.length - shown;
    const wanted = Math.max(shown + (more ? 1 : 0), 1);
    while (lines.length < wanted) {
      const level = h("span"), name = document.createTextNode(""), item = h("li", {}, level, name);
      find("stack").append(item);
      lines.push({ item, level, name });
    }
    lines.forEach(({ item, level, name }, i) => {
      item.hidden = i >= wanted;
      if (item.hidden) return;
      const isSquare = i < shown, step = stack.length - i;
      item.classList.toggle("more", !isSquare);
      level.hidden = !isSquare;
      level.textContent = isSquare ? grouped(step) : "";
      if (isSquare) {
        item.style.borderLeftColor = data.kind === "tour" ? colourOf(step - 1, total) : "";
        name.data = nameOf(board, stack[stack.length - 1 - i]);
      } else {
        name.data = more ? say("stack_more", { more }) : say("stack_empty");
      }
    });
  }

  /** Draw how deep the search was over the whole run, what lies ahead fainter, and the solutions as ticks at the top. */
  let band = null;
  function drawProfile(n) {
    const canvas = find("profile"), ratio = window.devicePixelRatio || 1;
    const wide = Math.round(canvas.clientWidth * ratio), high = Math.round(canvas.clientHeight * ratio);
    if (!wide || !run.count) return;
    if (!band || canvas.width !== wide || canvas.height !== high) {
      Object.assign(canvas, { width: wide, height: high });
      band = depthBand(wide);
    }
    const style = getComputedStyle(document.documentElement);
    const pen = canvas.getContext("2d");
    pen.clearRect(0, 0, wide, high);
    const now = n / run.count * wide, tick = Math.round(5 * ratio);
    const level = (depth) => high - Math.round(depth / Math.max(run.last.deepest, 1) * (high - tick - ratio));
    pen.fillStyle = style.getPropertyValue("--accent");
    for (let column = 0; column < wide; column++) {
      const [low, peak] = [level(band.low[column]), level(band.high[column])];
      pen.globalAlpha = column <= now ? 0.45 : 0.16;
      pen.fillRect(column, low, 1, high - low);
      pen.globalAlpha = column <= now ? 1 : 0.42;
      pen.fillRect(column, peak, 1, Math.max(low - peak, ratio));
    }
    pen.globalAlpha = 1;
    pen.fillStyle = style.getPropertyValue("--good");
    for (const column of band.ticks) pen.fillRect(column, 0, Math.max(2, Math.round(2 * ratio)), tick);
  }

  /** The lowest and highest depth in each column; in a short run an event is several columns wide. */
  function depthBand(wide) {
    const low = new Int32Array(wide), high = new Int32Array(wide);
    for (let column = 0; column < wide; column++) {
      const from = Math.floor(column / wide * run.count);
      const to = Math.max(from + 1, Math.floor((column + 1) / wide * run.count));
      low[column] = high[column] = run.depths[from + 1];
      for (let n = from + 1; n <= to; n++) {
        low[column] = Math.min(low[column], run.depths[n]);
        high[column] = Math.max(high[column], run.depths[n]);
      }
    }
    const ticks = new Set(run.solutions.map((n) => Math.min(wide - 2, Math.floor((n - 0.5) / run.count * wide))));
    return { low, high, ticks };
  }

  return {
    find, say, show, grouped, label, setTexts, drawProfile, inWords,
    kindAt: (n) => KINDS[kindAt(n)],
    toggleLanguage: () => {
      language = language === "en" ? "zh" : "en";
      setTexts();
    },
  };
}
