/**
 * The clock of a player: how many events are due, at a speed of so many a second, and how long the piece takes for one.
 * @module
 */

/** How long the piece takes for a move at rest, in milliseconds. */
const GLIDE = 160;
/** From so many events a second on the piece jumps. */
const JUMPS_FROM = 12;
/** A page that was hidden makes up for no more than this, in milliseconds. */
const LONGEST_FRAME = 250;

/** Events a second at a place 0 … 100 of a slider: even steps of a logarithm, from one. @param {number} place @param {number} fastest */
export const speedAt = (place, fastest) => fastest ** (place / 100);

/** How long a move takes while events follow each other at a speed, in milliseconds. @param {number} speed */
export const glideAt = (speed) => (speed > JUMPS_FROM ? 0 : Math.min(GLIDE, 700 / speed));

/**
 * @param {() => number} speed the events a second
 * @param {(steps: number) => number} ondue takes the number of events that are due, and returns how many of them are settled
 */
export function createClock(speed, ondue) {
  let before = 0, owed = 0, frame = 0;

  function tick(now) {
    frame = requestAnimationFrame(tick);
    owed += (Math.min(now - before, LONGEST_FRAME) / 1000) * speed();
    before = now;
    const steps = Math.floor(owed);
    if (steps > 0) owed -= ondue(steps);
  }

  function start() {
    stop();
    [owed, before] = [0, performance.now()];
    frame = requestAnimationFrame(tick);
  }

  const stop = () => cancelAnimationFrame(frame);

  return { start, stop };
}
