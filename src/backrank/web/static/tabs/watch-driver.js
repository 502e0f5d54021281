/**
 * Who drives the runs of the watch tab: the clock, seeking, jumping, and looking ahead at full speed.
 * @module
 */
import { createClock, speedAt } from "../board/clock.js";
import { Problem, post } from "../core/api.js";
import { makeModel } from "../core/model.js";
import { listen } from "../core/stream.js";
import { BLOCK, Trace } from "../logic/trace.js";

/**
 * @typedef {Object} Setup
 * @property {"tour" | "queens"} kind
 * @property {number} rows
 * @property {number} cols
 * @property {number[]} holes
 * @property {import("../board/squares.js").Wrap} wrap
 * @property {string} piece a name, or two numbers
 * @property {number} start
 * @property {number | null} end
 * @property {string} strategy
 * @property {string} rival the second strategy, when comparing
 * @property {boolean} compare
 * @property {boolean} closed
 */

const FASTEST = 3000;
const QUIET_MILLISECONDS = 30_000;
const NEAR = 16;

/** Events a second at a place 0 … 100 of the slider. @param {number} place */
export const watchSpeed = (place) => speedAt(place, FASTEST);

/** @param {Setup} setup @param {string} strategy */
export function runOf(setup, strategy) {
  const { kind, rows, cols, holes, wrap, piece, closed, start, end } = setup, board = `${rows}x${cols}`;
  if (kind === "queens") return { puzzle: { kind, board, holes, wrap }, strategy };
  return { puzzle: { kind, board, holes, wrap, piece, closed, start, end }, strategy };
}

/**
 * @param {Setup} first
 * @param {(error: unknown) => string} explain
 */
export function createDriver(first, explain) {
  const model = makeModel({ setup: first, n: 0, playing: false, speed: 25, moments: /** @type {any[]} */ ([]), looking: /** @type {any} */ (null), trouble: "" });
  /** @type {Trace[]} */
  let traces = [];
  /** @type {(() => void)[]} */
  let streams = [];
  let wanted = 0, round = 0, jumps = 0;
  const clock = createClock(() => watchSpeed(model.state.speed), advance);

  const { update } = model;
  const known = () => Math.max(0, ...traces.map((trace) => trace.total ?? trace.known));
  const isOver = (n) => traces.every((trace) => trace.total !== null && n >= trace.total);

  /** Begin anew with another setup. @param {Partial<Setup>} change */
  function begin(change = {}) {
    stop();
    const setup = { ...model.state.setup, ...change };
    round += 1;
    traces = (setup.compare ? [setup.strategy, setup.rival] : [setup.strategy]).map((strategy) => new Trace(runOf(setup, strategy), post));
    wanted = 0;
    update({ setup, n: 0, moments: [], trouble: "" });
    const mine = round;
    show(0).then(() => mine === round && !model.state.trouble && !model.state.looking && lookAhead("solution", 0, false));
  }

  /** Come to moment n, however long it takes; what was wanted before is forgotten. @param {number} n @param {boolean} again */
  async function show(n, again = false) {
    wanted = Math.max(0, n);
    const target = wanted, mine = round, before = jumps;
    try {
      if (!traces.every((trace) => trace.peek(target))) await Promise.all(traces.map((trace) => trace.reach(target)));
      if (target !== wanted || mine !== round) return;
      const moments = traces.map((trace) => trace.peek(target));
      const last = Math.max(...moments.map((moment) => moment?.n ?? 0));
      update({ n: isOver(target) ? Math.min(target, last) : target, moments, trouble: before === jumps ? "" : model.state.trouble }); // what a later jump has found stays
      // So that no step, forwards or back, has to wait for the next block.
      for (const near of [target - NEAR, target + NEAR]) for (const trace of traces) trace.reach(Math.max(0, near)).catch(() => undefined);
    } catch (error) {
      if (mine !== round) return;
      if (error instanceof Problem && error.kind === "budget-exceeded" && !again) return lookAhead("event", 0, true, target);
      pause();
      update({ trouble: explain(error) });
    }
  }

  /** A seek by hand. @param {number} n */
  function go(n) {
    pause();
    return show(isOver(n) ? Math.min(n, known()) : n);
  }

  /** Steps count from where we are going, so none is lost while events are on their way. @param {number} by */
  const step = (by) => go(Math.max(0, wanted + by));

  function play() {
    if (model.state.playing || !traces.length) return;
    if (isOver(model.state.n)) show(0);
    update({ playing: true });
    clock.start();
  }

  function pause() {
    clock.stop();
    if (model.state.playing) update({ playing: false });
  }

  /** Go on by the events that are due, as far as they are here. @param {number} steps @returns {number} */
  function advance(steps) {
    const { n } = model.state;
    // What is due while events are on their way is made up for, but no more than two blocks of it.
    if (wanted !== n) return Math.max(0, steps - 2 * BLOCK);
    let target = n + Math.min(steps, BLOCK);
    for (const trace of traces) trace.reach(n + BLOCK).catch(() => undefined);
    while (target > n + 1 && !traces.every((trace) => trace.peek(target))) target = Math.floor(n + (target - n) / 2);
    target = stopAtSolution(n, target);
    show(target).then(() => {
      if (isOver(target) || traces.some((trace) => trace.peek(target)?.n === target && trace.peek(target)?.last?.kind === "solution")) pause();
    });
    return target - n + Math.max(0, steps - BLOCK);
  }

  /** A solution on the way is where playing stops. */
  function stopAtSolution(n, target) {
    for (let at = n + 1; at < target; at++) if (traces.some((trace) => trace.peek(at)?.n === at && trace.peek(at)?.last?.kind === "solution")) return at;
    return target;
  }

  /** Jump to the next or previous solution or backtrack, or to the end. @param {string} to */
  async function jump(to) {
    pause();
    jumps += 1;
    const mine = round, { n, looking } = model.state;
    // What may be far away is sought by a stream, which tells how it goes; one that is under way already may go on.
    if (to === "next-solution" && looking?.until === "solution" && !looking.live) return hear({ live: true, after: n, had: solutionsNow() });
    if (to === "next-solution") return lookAhead("solution", n, true);
    if (to === "end") return lookAhead("end", n, true);
    try {
      const answers = await Promise.all(traces.map((trace) => post("/api/watch/jump", { run: trace.run, event: Math.min(n, trace.total ?? n), to, cursor: trace.cursorBefore(n) })));
      if (mine !== round) return;
      answers.forEach((answer, index) => traces[index].note(answer.moment));
      const found = answers.filter((answer) => answer.found).map((answer) => answer.moment.event);
      if (found.length) await show(to === "next-backtrack" ? Math.min(...found) : Math.max(...found));
      else update({ trouble: `none:${to}` });
    } catch (error) {
      if (mine === round) update({ trouble: explain(error) });
    }
  }

  /**
   * Let the engine run at full speed. `live`: with its board in sight, and its end is where we go then.
   * @param {"solution" | "end" | "event"} until
   * @param {number} from
   * @param {boolean} live
   * @param {number} [event]
   */
  function lookAhead(until, from, live, event) {
    endStreams();
    if (live) pause();
    update({ looking: { until, live, event, after: from, had: solutionsNow(), waiting: 0, progress: traces.map(() => null), open: traces.map(() => true), found: [], ends: [] } });
    streams = traces.map((trace, index) => {
      const query = new URLSearchParams({ run: JSON.stringify(trace.run), until, from: String(from) });
      if (event !== undefined) query.set("event", String(event));
      const end = listen(`/api/watch/stream?${query}`, {
        progress: (told) => {
          trace.known = Math.max(trace.known, told.event);
          for (const cursor of told.cursors ?? []) if (typeof cursor.event === "number") trace.keep(cursor.event, cursor);
          hear({ progress: model.state.looking.progress.with(index, told) });
        },
        found: (moment) => closed(moment, "found"),
        end: (moment) => closed(moment, "ends"),
        problem: (told) => {
          closed(null, "ends");
          update({ trouble: explain(new Problem(told)) });
        },
      }, {
        waiting: (seconds, problem) => update({ looking: { ...model.state.looking, waiting: seconds, isBusy: problem !== null && problem.kind !== "unreachable" } }),
        going: () => model.state.looking?.waiting && update({ looking: { ...model.state.looking, waiting: 0 } }),
        refused: (problem) => {
          closed(null, "ends");
          update({ trouble: explain(problem) });
        },
      });
      function closed(moment, list) {
        end();
        if (moment) trace.note(moment);
        const { looking } = model.state;
        hear({ open: looking.open.with(index, false), [list]: [...looking[list], moment ? moment.event : -1] });
      }
      return end;
    });
    const mine = streams;
    // What nobody asked for takes no more than this of the processor.
    if (!live) setTimeout(() => streams === mine && !model.state.looking?.live && (endStreams(), update({ looking: null })), QUIET_MILLISECONDS);
  }

  /** A stream told something: are we done? Of two runs the earlier solution counts, once the other has come past it. */
  function hear(news) {
    const looking = { ...model.state.looking, ...news };
    update({ looking });
    const { until, live, event, after, had, progress, open, found, ends } = looking, first = Math.min(...found);
    // The engine runs on while a solution is still being told, so being past one does not mean that there was none.
    const isPast = (told, before) => live && until === "solution" && told !== null && told.event >= first && told.solutions <= before;
    if (open.some((still, index) => still && !isPast(progress[index], had[index]))) return;
    endStreams();
    update({ looking: null });
    if (!live) return;
    const last = Math.max(...found, ...ends);
    if (until === "solution" && first <= after) lookAhead("solution", after, true);
    else if (until === "solution" && !found.length) last >= 0 && update({ trouble: progress.every((told) => told?.solutions === 0) ? "none:any-solution" : "none:next-solution" });
    else if (last >= 0) show(event ?? (until === "solution" ? first : last), true);
  }

  const solutionsNow = () => traces.map((_, index) => model.state.moments[index]?.solutions ?? 0);

  function endStreams() {
    for (const end of streams) end();
    streams = [];
  }

  /** Stop whatever runs; a live search stays where it had come to. */
  function stop() {
    endStreams();
    pause();
    const { looking } = model.state;
    if (!looking) return;
    update({ looking: null });
    const reached = Math.max(0, ...looking.progress.map((told) => told?.event ?? 0));
    if (looking.live && reached) show(reached, true);
  }

  return { model, begin, go, step, play, pause, jump, stop, known, isOver, traces: () => traces, setSpeed: (speed) => update({ speed }) };
}
