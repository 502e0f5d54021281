/**
 * Count: exact numbers, with progress. Counts run in the server, so they go on when the page is closed.
 * @module
 */
import { Problem, post, remove } from "../core/api.js";
import { fill, h, keepingFocus, setText } from "../core/dom.js";
import { makeModel } from "../core/model.js";
import { listen } from "../core/stream.js";
import { button, checkField, segments, sizeField } from "../widgets/fields.js";

/** @typedef {{kind: "tour" | "queens", rows: number, cols: number, closed: boolean, classes: boolean}} Question */

/** @type {Question} */
const FIRST = { kind: "queens", rows: 10, cols: 10, closed: false, classes: false };
const MOST = 60;

/** @param {import("../main.js").App} app @returns {import("../main.js").Tab} */
export function createCount(app) {
  const { t } = app.texts;
  const model = makeModel({ jobs: /** @type {Map<string, any>} */ (new Map()), loaded: false, trouble: "", broken: "" });
  /** @type {Question} */
  let question = { ...FIRST, ...app.store.get("count") };
  const form = h("section.card", { "aria-label": t("count.question") }), list = h("ul.jobs", { "aria-label": t("count.jobs") }), empty = h("p.soft.nojobs", {}, t("count.none"));
  const trouble = h("p.notice", { "data-kind": "bad", role: "alert", hidden: true });
  /** @type {Map<string, ReturnType<typeof jobCard>>} */
  const cards = new Map();

  const put = (job) => model.update({ jobs: new Map(model.state.jobs).set(job.id, job), loaded: true });
  const stop = listen("/api/counts/events", {
    job: (job) => {
      const before = model.state.jobs.get(job.id);
      put(job);
      if (before?.state === "running" && job.state === "done") app.say(`${jobName(app, job)}: ${app.texts.number(job.count)}`);
    },
    gone: ({ id }) => {
      const jobs = new Map(model.state.jobs);
      jobs.delete(id);
      model.update({ jobs });
    },
  }, {
    waiting: (seconds, problem) => model.update({ broken: `${problem ? app.explain(problem) : t("stream.ended")} ${t("stream.again", { seconds })}` }),
    going: () => model.state.broken && model.update({ broken: "" }),
    refused: (problem) => model.update({ broken: app.explain(problem) }),
  });

  function ask(patch) {
    question = { ...question, ...patch };
    app.store.set("count", question);
    keepingFocus(form, build);
  }

  async function begin() {
    const { kind, rows, cols, closed, classes } = question;
    const puzzle = kind === "queens" ? { kind, board: `${rows}x${cols}` } : { kind, board: `${rows}x${cols}`, closed };
    await attempt(async () => put(await post("/api/counts", { puzzle, up_to_symmetry: classes })));
  }

  async function attempt(work) {
    try {
      await work();
      model.update({ trouble: "" });
    } catch (error) {
      model.update({ trouble: app.explain(error) });
    }
  }

  const cancel = (job) => attempt(async () => put(await post(`/api/counts/${job.id}/cancel`, {})));
  const forget = (job) => attempt(async () => {
    await remove(`/api/counts/${job.id}`);
    const jobs = new Map(model.state.jobs);
    jobs.delete(job.id);
    model.update({ jobs });
  });

  function build() {
    const { kind, rows, cols, closed, classes } = question, isTour = kind === "tour";
    const run = button({ label: t("count.count"), icon: "play", kind: "main", onclick: begin });
    run.id = "count-run";
    fill(
      form,
      segments({ label: t("watch.puzzle"), quiet: true, options: [["tour", t("puzzle.tour")], ["queens", t("puzzle.queens")]], value: kind, onchange: (value) => ask(value === "tour" ? { kind: value, rows: 5, cols: 5 } : { kind: value, rows: 10, cols: 10 }) }),
      sizeField({ label: t(isTour ? "board.size" : "board.queens"), rowsLabel: t(isTour ? "board.rows" : "board.queens"), colsLabel: t("board.cols"), rows, cols, most: MOST, square: !isTour, onchange: (down, right) => ask({ rows: down, cols: isTour ? right : down }) }),
      isTour ? segments({ label: t("play.goal"), options: [["open", t("count.open")], ["closed", t("count.closed")]], value: closed ? "closed" : "open", onchange: (value) => ask({ closed: value === "closed" }) }) : null,
      checkField({ label: t("count.classes"), checked: classes, onchange: (value) => ask({ classes: value }) }).element,
      h("div.row-of", {}, run),
      h("p.small.soft", {}, t("count.about")),
    );
  }

  function show() {
    const jobs = [...model.state.jobs.values()].sort((a, b) => b.created - a.created || b.id.localeCompare(a.id, "en", { numeric: true }));
    for (const [id, card] of cards) if (!model.state.jobs.has(id)) card.element.remove(), cards.delete(id);
    jobs.forEach((job, index) => {
      let card = cards.get(job.id);
      if (!card) cards.set(job.id, (card = jobCard(app, job, { cancel, forget, again: () => ask(questionOf(job)) })));
      card.show(job);
      if (list.children[index] !== card.element) list.insertBefore(card.element, list.children[index] ?? null);
    });
    empty.hidden = jobs.length > 0;
    const wrong = model.state.trouble || model.state.broken;
    trouble.hidden = !wrong;
    setText(trouble, wrong);
  }

  const unwatch = model.watch(show);
  build();
  show();
  return {
    element: h("div.view.counting", {}, h("div.panel", {}, form, trouble), h("section.results-of", {}, h("h2.unseen", {}, t("count.jobs")), list, empty)),
    leave: () => {
      unwatch();
      stop();
    },
  };
}

function questionOf({ puzzle, options }) {
  return { kind: puzzle.kind, rows: puzzle.rows, cols: puzzle.cols, closed: Boolean(puzzle.closed), classes: Boolean(options?.up_to_symmetry) };
}

/** What a job counts, with all that a count must say. @param {import("../main.js").App} app @param {any} job */
function jobName({ texts: { t } }, { puzzle, options }) {
  const size = `${puzzle.rows} × ${puzzle.cols}`;
  if (puzzle.kind === "queens") return t("job.queens", { n: puzzle.rows, size });
  const directed = options?.directed ?? !puzzle.closed;
  return `${t(puzzle.closed ? "job.closed" : "job.open", { size })}${options?.up_to_symmetry ? "" : t(directed ? "job.directed" : "job.undirected")}`;
}

/**
 * @param {import("../main.js").App} app
 * @param {any} first
 * @param {{cancel: (job: any) => void, forget: (job: any) => void, again: () => void}} does
 */
function jobCard(app, first, { cancel, forget }) {
  const { t, number, duration } = app.texts;
  let job = first;
  const name = h("h3", {}, jobName(app, first)), classes = h("span.small.soft", {}, first.options?.up_to_symmetry ? t("job.classes") : "");
  const result = h("p.count.figure"), fillOf = h("i"), bar = h("div.bar", { role: "progressbar", "aria-valuemin": 0, "aria-valuemax": 100, "aria-label": jobName(app, first) }, fillOf);
  const told = h("p.small.soft.figure");
  const halt = button({ label: t("count.cancel"), icon: "stop", kind: "small", onclick: () => cancel(job) });
  const away = button({ label: t("count.remove"), icon: "close", kind: "plain", bare: true, onclick: () => forget(job) });
  const element = h("li.card.job", { "data-job": first.id }, h("div.row-of.spread", {}, h("div", {}, name, classes), h("div.row-of", {}, halt, away)), result, bar, told);

  function show(next) {
    job = next;
    element.dataset.state = job.state;
    const running = job.state === "running" || job.state === "waiting";
    halt.hidden = !running;
    bar.hidden = !running;
    bar.classList.toggle("unknown", job.fraction === null && job.state === "running");
    if (job.fraction === null) bar.removeAttribute("aria-valuenow"), fillOf.style.removeProperty("width");
    else bar.setAttribute("aria-valuenow", String(Math.round(job.fraction * 100))), (fillOf.style.width = `${job.fraction * 100}%`);
    setText(result, job.count === null ? t(`count.state.${job.state}`) : number(job.count));
    result.classList.toggle("soft", job.count === null);
    setText(told, progress());
  }

  function progress() {
    if (job.state === "waiting") return "";
    if (job.state === "failed") return job.problem ? app.explain(new Problem(job.problem)) : "";
    const parts = [t("count.time", { time: duration(job.seconds) })];
    if (job.state === "running") {
      if (job.fraction !== null) parts.unshift(number(job.fraction, { style: "percent", maximumFractionDigits: 1 }));
      if (job.rate) parts.push(t("count.rate", { rate: number(job.rate, { notation: "compact", maximumSignificantDigits: 3 }) }));
      if (job.left !== null) parts.push(t("count.left", { time: duration(job.left) }));
    }
    return parts.join(" · ");
  }

  return { element, show };
}
