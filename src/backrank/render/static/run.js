/**
 * A recorded run: reading it, and the board after any number of its events.
 * A position n means that n events have happened. Every 2048 events the whole state is kept; any other state is folded
 * forward from the nearest one kept before it, or from the present one if that is nearer.
 * @module
 */

export const ENTER = 0;
export const LEAVE = 1;
export const REJECT = 2;
export const SOLUTION = 3;
const KEPT_EVERY = 2048;

/** Yield the numbers of LEB128 bytes: seven bits each, the lowest first, the top bit set on all but the last. */
function numbersIn(bytes) {
  let at = 0;
  return () => {
    let value = 0, scale = 1, byte;
    do {
      byte = bytes[at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  };
}

function bytesOf(code) {
  const raw = atob(code);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

export function startState() {
  return { n: 0, stack: [], calls: 0, rejects: 0, solutions: 0, deepest: 0 };
}

function copyState(state) {
  return { ...state, stack: state.stack.slice() };
}

/** Let one event happen. */
function applyEvent(run, state) {
  const i = state.n++;
  switch (run.kinds[i]) {
    case ENTER:
      state.stack.push(run.squares[i]);
      state.calls++;
      if (state.stack.length > state.deepest) state.deepest = state.stack.length;
      break;
    case LEAVE:
      state.stack.pop();
      break;
    case REJECT:
      state.rejects++;
      break;
    default:
      state.solutions++;
  }
}

/** Read a run. `depths` has one entry more than there are events: the depth at every position. */
export function readRun(data) {
  const next = numbersIn(bytesOf(data.code));
  const run = {
    count: data.count,
    kinds: new Uint8Array(data.count),
    squares: new Int32Array(data.count),
    reasons: new Int32Array(data.count),
    depths: new Int32Array(data.count + 1),
    solutions: [],
    backtracks: [],
    kept: [],
  };
  const state = startState();
  for (let i = 0; i < run.count; i++) {
    if (i % KEPT_EVERY === 0) run.kept.push(copyState(state));
    const number = next();
    const kind = number % 4;
    const top = state.stack.length ? state.stack[state.stack.length - 1] : -1;
    run.kinds[i] = kind;
    run.squares[i] = kind === ENTER || kind === REJECT ? Math.floor(number / 4) : top;
    if (kind === REJECT) run.reasons[i] = next();
    if (kind === SOLUTION) run.solutions.push(i + 1);
    if (kind === LEAVE) run.backtracks.push(i + 1);
    applyEvent(run, state);
    run.depths[i + 1] = state.stack.length;
  }
  if (!run.kept.length) run.kept.push(startState());
  run.last = copyState(state);
  return run;
}

/** Return the state at a position; the state given is used up. */
export function seekState(run, state, n) {
  const kept = run.kept[Math.min(Math.floor(n / KEPT_EVERY), run.kept.length - 1)];
  const from = state && state.n <= n && state.n >= kept.n ? state : copyState(kept);
  while (from.n < n) applyEvent(run, from);
  return from;
}

/** The first position of a sorted list after n, or the last one before it; -1 if there is none. */
export function positionAfter(positions, n) {
  let low = 0, high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (positions[middle] > n) high = middle;
    else low = middle + 1;
  }
  return low < positions.length ? positions[low] : -1;
}

export function positionBefore(positions, n) {
  let low = 0, high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (positions[middle] < n) low = middle + 1;
    else high = middle;
  }
  return low > 0 ? positions[low - 1] : -1;
}
