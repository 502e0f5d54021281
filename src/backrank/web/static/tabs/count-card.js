/**
 * One count: what it counts, how far it is, its answer, and what can be done with it.
 * @module
 */
import { h, setText } from "../board/dom.js";
import { Problem } from "../core/api.js";
import { button } from "../widgets/fields.js";

const OPEN = ["waiting", "running"], STOPPED = ["paused", "cancelled", "elsewhere"];

/** What a job counts, with all that a count must say. @param {import("../main.js").App} app @param {any} job */
export function jobName({ texts: { t } }, { puzzle, options }) {
  if (puzzle.kind === "unknown") return t("job.broken");
  const size = `${puzzle.rows} × ${puzzle.cols}`;
  if (puzzle.kind === "queens") return t("job.queens", { n: puzzle.queens, size });
  const directed = options.directed ?? !puzzle.closed;
  const head = puzzle.closed ? "job.closed" : options.strictly_open ? "job.strict" : "job.open";
  return `${t(head, { size })}${options.up_to_symmetry ? "" : t(directed ? "job.directed" : "job.undirected")}`;
}

/** Which of them. @param {import("../main.js").App} app @param {any} job */
function which({ texts: { t } }, { options }) {
  return options.up_to_symmetry ? t("job.classes") : options.symmetry ? t("job.turned", { angle: options.symmetry }) : "";
}

/** Whether there is more to say than the page itself can ask for: the words of the command line say it. @param {any} job */
function isUnusual({ puzzle, what }) {
  const { rows, cols, holes, wrap, piece, kind, queens, start, end } = puzzle;
  if (kind === "unknown") return false;
  const plain = kind === "queens" ? piece === "queen" && rows === cols && queens === rows && !/ with /.test(what) : piece === "knight" && start === null && end === null;
  return !plain || holes.length > 0 || wrap !== "none";
}

/**
 * @param {import("../main.js").App} app
 * @param {any} first
 * @param {{cancel: (job: any) => void, resume: (job: any) => void, forget: (job: any) => void}} does
 */
export function jobCard(app, first, { cancel, resume, forget }) {
  const { t, number, duration } = app.texts;
  let job = first;
  const title = jobName(app, first), name = h("h3", {}, title), about = h("span.small.soft");
  const result = h("p.count.figure"), fillOf = h("i"), bar = h("div.bar", { role: "progressbar", "aria-valuemin": 0, "aria-valuemax": 100, "aria-label": title }, fillOf);
  const told = h("p.small.soft.figure"), units = h("p.small.soft.figure"), why = h("p.small");
  const halt = button({ label: t("count.cancel"), icon: "stop", kind: "small", onclick: () => cancel(job) });
  const on = button({ label: t("count.resume"), icon: "play", kind: "small", onclick: () => resume(job) });
  const away = button({ label: t("count.remove"), icon: "close", kind: "plain", bare: true, onclick: () => forget(job) });
  const element = h("li.card.job", { "data-job": first.id }, h("div.row-of.spread", {}, h("div", {}, name, about), h("div.row-of", {}, on, halt, away)), result, bar, told, units, why);

  function show(next) {
    const held = document.activeElement === halt || document.activeElement === on;
    job = next;
    element.dataset.state = job.state;
    const open = OPEN.includes(job.state), stopped = STOPPED.includes(job.state);
    halt.hidden = !open && job.state !== "elsewhere";
    on.hidden = !stopped;
    // The button that was pressed makes way for the other one.
    if (held && document.activeElement !== halt && document.activeElement !== on) (halt.hidden ? (on.hidden ? away : on) : halt).focus({ preventScroll: true });
    bar.hidden = !open && !(stopped && job.fraction !== null);
    bar.classList.toggle("unknown", job.fraction === null && job.state === "running");
    if (job.fraction === null) bar.removeAttribute("aria-valuenow"), fillOf.style.removeProperty("width");
    else bar.setAttribute("aria-valuenow", String(Math.floor(job.fraction * 100))), (fillOf.style.width = `${job.fraction * 100}%`);
    setText(result, job.count === null ? t(`count.state.${job.state}`) : number(job.count));
    result.classList.toggle("soft", job.count === null);
    tell(about, [isUnusual(job) ? job.what : "", which(app, job), job.origin === "command" ? t("job.command") : "", job.job ? t("job.ledger", { id: job.job }) : ""]);
    tell(told, progress());
    tell(units, unitsTold());
    tell(why, [job.problem ? app.explain(new Problem(job.problem)) : job.recorded ? t("count.recorded") : ""]);
  }

  /** @param {HTMLElement} where @param {string[]} parts */
  function tell(where, parts) {
    const text = parts.filter((part) => part).join(" · ");
    where.hidden = !text;
    setText(where, text);
  }

  function progress() {
    if (job.state === "waiting" || (job.state === "failed" && !job.seconds)) return [];
    const parts = [job.seconds ? t("count.time", { time: duration(job.seconds) }) : ""];
    if (job.fraction !== null && job.state !== "done") parts.unshift(number(Math.floor(job.fraction * 1000) / 1000, { style: "percent", minimumFractionDigits: 1 }));
    if (job.state !== "running") return parts;
    if (job.rate) parts.push(t("count.rate", { rate: number(job.rate, { notation: "compact", maximumSignificantDigits: 3 }) }));
    if (job.left !== null) parts.push(job.doubt === null ? t("count.left", { time: duration(job.left) }) : t("count.left.doubt", { time: duration(job.left), doubt: duration(Math.max(1, job.doubt)) }));
    return parts;
  }

  function unitsTold() {
    if (!job.units || job.state === "done") return [];
    const { done, total, failed, retried, rate } = job.units, isTour = job.puzzle.kind === "tour";
    return [
      t(isTour ? "count.layers" : "count.units", { done, total }),
      rate && job.state === "running" ? t("count.pace", { rate: number(rate, { maximumSignificantDigits: 3 }) }) : "",
      failed ? t("count.failed", { failed }) : "",
      retried ? t("count.retried", { retried }) : "",
      job.found && !isTour ? t("count.found", { found: number(job.found) }) : "",
    ];
  }

  return { element, show };
}
