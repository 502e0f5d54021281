/**
 * The outlines of pieces and the colours of steps, those of backrank.render.look, which a test compares. The colours of
 * boards are in board.css.
 * Every outline is drawn in a box of 100 × 100.
 * @module
 */

export const HORSE =
  "M27 88C26 71 33 63 43 55C46 52 47 49 46 46C40 50 34 51 30 55C27 59 24 62 20 61C15 60 12 56 13 51C17 43 23 36 27 28C29 24 33 21 38 19L37 8L49 16C68 18 80 37 80 62C80 72 79 80 77 88Z";
export const HORSE_EYE = "M36 31a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0Z";
const QUEEN =
  "M24 68L15 37L32 54L33 26L44.5 51L50 20L55.5 51L67 26L68 54L85 37L76 68Q50 60 24 68ZM8.5 32a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0ZM27 21a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0ZM44.5 14.5a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0ZM62 21a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0ZM80.5 32a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0ZM25 72.5Q50 64.5 75 72.5L74 78Q50 70.5 26 78ZM21 90L24 82Q50 75 76 82L79 90Q50 85 21 90Z";

const PAWN =
  "M50 12a15 15 0 0 1 9.5 26.6L63 42C63 56 66 64 74 76L37 76L26 76C34 64 37 56 37 42L40.5 38.6A15 15 0 0 1 50 12ZM22 80H78V90H22Z";

/**
 * The outline of each kind of piece, and what is cut out of it.
 * @type {Record<"horse" | "queen" | "pawn", {body: string, eye: string}>}
 */
export const PIECES = { horse: { body: HORSE, eye: HORSE_EYE }, queen: { body: QUEEN, eye: "" }, pawn: { body: PAWN, eye: "" } };

/** From blue through violet to orange: told apart by the colour-blind too, and white numbers can be read on all of it. */
const TRAIL = ["#1f5fae", "#5350b8", "#8a42ae", "#b03a8a", "#c23a5c", "#c04a2a"];

/**
 * The colour of a step.
 * @param {number} step from 0
 * @param {number} total
 */
export function colourOf(step, total) {
  const place = (Math.min(step, total - 1) / Math.max(total - 1, 1)) * (TRAIL.length - 1);
  const index = Math.min(Math.floor(place), TRAIL.length - 2);
  const channels = [1, 3, 5].map((at) => {
    const low = parseInt(TRAIL[index].slice(at, at + 2), 16), high = parseInt(TRAIL[index + 1].slice(at, at + 2), 16);
    return Math.round(low + (high - low) * (place - index)).toString(16).padStart(2, "0");
  });
  return `#${channels.join("")}`;
}
