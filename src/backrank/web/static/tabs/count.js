/**
 * Count: exact numbers, with progress. Counts run in the server, so they go on when the page is closed; and they are kept
 * in the ledger, so that they are there when the server starts again, and can go on.
 * @module
 */
import { fill, h, keepingFocus, setText } from "../board/dom.js";
import { Problem, post, remove } from "../core/api.js";
import { makeModel } from "../core/model.js";
import { listen } from "../core/stream.js";
import { button, segments, selectField, sizeField } from "../widgets/fields.js";
import { jobCard, jobName } from "./count-card.js";

/** @typedef {{kind: "tour" | "queens", rows: number, cols: number, ends: "open" | "strict" | "closed", which: string}} Question `which`: all of them, classes, or an angle */

/** @type {Question} */
const FIRST = { kind: "queens", rows: 10, cols: 10, ends: "open", which: "all" };
const MOST = 60;

/** @param {import("../main.js").App} app @returns {import("../main.js").Tab} */
export function createCount(app) {
  const { t } = app.texts;
  const model = makeModel({ jobs: /** @type {Map<string, any>} */ (new Map()), trouble: "", broken: "", unkept: "", kept: false });
  /** @type {Question} */
  let question = { ...FIRST, ...app.store.get("count") };
  const form = h("section.card", { "aria-label": t("count.question") }), list = h("ul.jobs", { "aria-label": t("count.jobs") }), empty = h("p.soft.nojobs", {}, t("count.none"));
  const trouble = h("p.notice", { "data-kind": "bad", role: "alert", hidden: true });
  const about = h("p.small.soft"), unkept = h("p.notice.unkept", { role: "status", hidden: true });
  /** @type {Map<string, ReturnType<typeof jobCard>>} */
  const cards = new Map();

  /** An answer may come after news that is newer than it. */
  function put(job) {
    if ((model.state.jobs.get(job.id)?.version ?? 0) <= job.version) model.update({ jobs: new Map(model.state.jobs).set(job.id, job) });
  }

  const stop = listen("/api/counts/events", {
    job: (job) => {
      const before = model.state.jobs.get(job.id);
      put(job);
      if (before && before.state !== "done" && job.state === "done") app.say(`${jobName(app, job)}: ${app.texts.number(job.count)}`);
    },
    gone: ({ id }) => drop((name) => name === id),
    // Another server than before has none of what only that one had.
    present: ({ ids }) => drop((name) => !ids.includes(name)),
    ledger: ({ kept, problem }) => model.update({ kept, unkept: problem ? t("count.unkept", { why: app.explain(new Problem(problem)) }) : "" }),
  }, {
    waiting: (seconds, problem) => model.update({ broken: `${problem ? app.explain(problem) : t("stream.ended")} ${t("stream.again", { seconds })}` }),
    going: () => model.state.broken && model.update({ broken: "" }),
    refused: (problem) => model.update({ broken: app.explain(problem) }),
  });

  function drop(is) {
    model.update({ jobs: new Map([...model.state.jobs].filter(([name]) => !is(name))) });
  }

  function ask(patch) {
    question = { ...question, ...patch };
    app.store.set("count", question);
    keepingFocus(form, build);
  }

  async function begin() {
    const { kind, rows, cols, ends, which } = question, isTour = kind === "tour", strict = isTour && ends === "strict";
    const puzzle = isTour ? { kind, board: `${rows}x${cols}`, closed: ends === "closed" } : { kind, board: `${rows}x${cols}` };
    const part = strict || which === "all" ? {} : which === "classes" ? { up_to_symmetry: true } : { symmetry: which };
    await attempt(async () => put(await post("/api/counts", { puzzle, strictly_open: strict, ...part })));
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
  const resume = (job) => attempt(async () => put(await post(`/api/counts/${job.id}/resume`, {})));
  const forget = (job) => attempt(async () => {
    await remove(`/api/counts/${job.id}`);
    drop((name) => name === job.id);
  });

  function build() {
    const { kind, rows, cols, ends, which } = question, isTour = kind === "tour";
    const run = button({ label: t("count.count"), icon: "play", kind: "main", onclick: begin });
    run.id = "count-run";
    fill(
      form,
      segments({ label: t("watch.puzzle"), quiet: true, options: [["tour", t("puzzle.tour")], ["queens", t("puzzle.queens")]], value: kind, onchange: (value) => ask(value === "tour" ? { kind: value, rows: 5, cols: 5 } : { kind: value, rows: 10, cols: 10 }) }),
      sizeField({ label: t(isTour ? "board.size" : "board.queens"), rowsLabel: t(isTour ? "board.rows" : "board.queens"), colsLabel: t("board.cols"), rows, cols, most: MOST, square: !isTour, onchange: (down, right) => ask({ rows: down, cols: isTour ? right : down }) }),
      isTour ? segments({ label: t("play.goal"), options: [["open", t("count.open")], ["strict", t("count.strict")], ["closed", t("count.closed")]], value: ends, onchange: (value) => ask({ ends: value }) }) : null,
      // Strictly open tours are counted one by one.
      isTour && ends === "strict" ? null : selectField({ label: t("count.which"), options: [["all", t("count.all")], ["classes", t("count.classes")], ["180", t("count.half")], ["90", t("count.quarter")]], value: which, onchange: (value) => ask({ which: value }) }).element,
      h("div.row-of", {}, run),
      about,
    );
  }

  function show() {
    const jobs = [...model.state.jobs.values()].sort((a, b) => b.created - a.created || b.id.localeCompare(a.id, "en", { numeric: true }));
    for (const [id, card] of cards) if (!model.state.jobs.has(id)) card.element.remove(), cards.delete(id);
    jobs.forEach((job, index) => {
      let card = cards.get(job.id);
      if (!card) cards.set(job.id, (card = jobCard(app, job, { cancel, resume, forget })));
      card.show(job);
      if (list.children[index] !== card.element) list.insertBefore(card.element, list.children[index] ?? null);
    });
    empty.hidden = jobs.length > 0;
    const wrong = model.state.trouble || model.state.broken;
    trouble.hidden = !wrong;
    setText(trouble, wrong);
    unkept.hidden = !model.state.unkept;
    setText(unkept, model.state.unkept);
    setText(about, [t("count.about"), ...(model.state.kept ? [t("count.kept")] : [])].join(app.texts.language === "en" ? " " : ""));
  }

  const unwatch = model.watch(show);
  build();
  show();
  return {
    element: h("div.view.counting", {}, h("div.panel", {}, form, trouble, unkept), h("section.results-of", {}, h("h2.unseen", {}, t("count.jobs")), list, empty)),
    leave: () => {
      unwatch();
      stop();
    },
  };
}
