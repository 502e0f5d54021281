/**
 * A run, event by event, of which only a window is here. Events come from the server in blocks; any moment within a
 * block is folded from its first, so a step forwards or backwards asks nobody. Cursors are kept on the way: sent back,
 * they let a server that has forgotten the run go on from there.
 * @module
 *
 * @typedef {{number: number, kind: "enter" | "leave" | "reject" | "solution", square: number, depth: number, reason: string | null, at: number | null}} Event
 *
 * @typedef {Object} Moment what stands after n events
 * @property {number} n
 * @property {readonly number[]} path
 * @property {readonly number[]} tried how many candidates have been tried on each level
 * @property {number} calls
 * @property {number} rejects
 * @property {number} solutions
 * @property {number} deepest
 * @property {Event | null} last what happened just now
 * @property {boolean} finished
 */

export const BLOCK = 512;
const BLOCKS_KEPT = 48;
const CURSORS_KEPT = 200;

/** Let one event happen to a moment, in place. @param {any} moment @param {Event} event */
export function happen(moment, event) {
  const { path, tried } = moment;
  moment.n += 1;
  moment.last = event;
  if (event.kind === "leave") {
    path.pop();
    tried.pop();
    return;
  }
  tried[path.length] = (tried[path.length] ?? 0) + 1;
  if (event.kind === "enter") {
    path.push(event.square);
    tried.push(0);
    moment.calls += 1;
    moment.deepest = Math.max(moment.deepest, path.length);
  } else if (event.kind === "reject") moment.rejects += 1;
  else moment.solutions += 1;
}

/** The first moment of a block, from what the server says. @param {any} told @returns {Moment} */
export function firstMoment(told) {
  const { stats } = told;
  const tried = told.path.concat(-1).fill(0);
  for (const level of told.stack) tried[level.depth] = level.tried;
  return { n: told.event, path: told.path, tried, calls: stats.calls, rejects: stats.rejects, solutions: stats.solutions, deepest: stats.deepest, last: told.last, finished: told.finished };
}

/** @param {Moment} moment @returns {Moment} */
const copied = (moment) => ({ ...moment, path: moment.path.slice(), tried: moment.tried.slice() });

export class Trace {
  /**
   * @param {{puzzle: any, strategy: string | null}} run
   * @param {(path: string, body: any, signal?: AbortSignal) => Promise<any>} ask
   */
  constructor(run, ask) {
    this.run = run;
    this.ask = ask;
    /** @type {number | null} */
    this.total = null;
    this.known = 0;
    /** @type {Map<number, {first: Moment, events: Event[], ends: boolean}>} */
    this.blocks = new Map();
    /** @type {Map<number, Promise<void>>} */
    this.coming = new Map();
    /** @type {{event: number, cursor: any}[]} in order */
    this.cursors = [];
    /** @type {Moment | null} the moment last folded, from which the next is often one event away */
    this.near = null;
  }

  /** The moment n if its block is here; of a run that is over before, its last one. @param {number} n @returns {Moment | null} */
  peek(n) {
    const wanted = this.total === null ? n : Math.min(n, this.total);
    const number = Math.floor(wanted / BLOCK), block = this.blocks.get(number);
    if (!block) return null;
    const offset = wanted - block.first.n;
    if (offset > block.events.length) return null;
    const near = this.near && this.near.n <= wanted && this.near.n >= block.first.n ? this.near : block.first;
    const moment = copied(near);
    for (const event of block.events.slice(near.n - block.first.n, offset)) happen(moment, event);
    moment.finished = block.ends && offset === block.events.length;
    this.near = moment;
    return moment;
  }

  /** Fetch what is needed to know moment n. @param {number} n @returns {Promise<void>} */
  async reach(n) {
    while (!this.peek(n)) {
      const number = Math.floor((this.total === null ? n : Math.min(n, this.total)) / BLOCK);
      if (!this.coming.has(number)) {
        const work = this.load(number).finally(() => this.coming.delete(number));
        this.coming.set(number, work);
      }
      await this.coming.get(number);
    }
  }

  /** @param {number} number of the block */
  async load(number) {
    const first = number * BLOCK;
    const told = await this.ask("/api/watch/window", { run: this.run, first, count: BLOCK, cursor: this.cursorBefore(first) });
    this.note(told.moment);
    this.note(told.end);
    if (told.moment.event < first) return;
    const ends = told.end.finished && told.end.event === first + told.events.length;
    this.blocks.delete(number);
    this.blocks.set(number, { first: firstMoment(told.moment), events: told.events, ends });
    if (this.blocks.size > BLOCKS_KEPT) this.blocks.delete(/** @type {number} */ (this.blocks.keys().next().value));
  }

  /** Take notice of a moment that the server told of. @param {any} told */
  note(told) {
    if (told.total !== null && told.total !== undefined) this.total = told.total;
    else if (told.finished) this.total = told.event;
    this.known = Math.max(this.known, told.known ?? 0, told.event, this.total ?? 0);
    if (told.cursor) this.keep(told.event, told.cursor);
  }

  /** Keep a cursor; of too many every second one is forgotten. @param {number} event @param {any} cursor */
  keep(event, cursor) {
    const at = this.cursors.findIndex((kept) => kept.event >= event);
    if (at >= 0 && this.cursors[at].event === event) return;
    this.cursors.splice(at < 0 ? this.cursors.length : at, 0, { event, cursor });
    if (this.cursors.length > CURSORS_KEPT) this.cursors = this.cursors.filter((_, index) => index % 2 === 0);
  }

  /** @param {number} n */
  cursorBefore(n) {
    return this.cursors.findLast((kept) => kept.event <= n)?.cursor ?? null;
  }
}
