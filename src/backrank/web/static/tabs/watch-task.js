/**
 * The task of the watch tab as a value: what there is at first, what changes with the puzzle or the board, what a link asks.
 * @module
 */
import { QUEEN_STEPS, leaperSteps, makeBoard } from "../board/squares.js";
import { readBoard, readOptional } from "../logic/share.js";

/** @typedef {import("./watch-driver.js").Setup} Setup */

export const MAX_WATCHED = 100;
export const MAX_QUEENS_WATCHED = 60;

/** @type {Setup} */
export const FIRST = { kind: "tour", rows: 8, cols: 8, holes: [], wrap: "none", piece: "knight", start: 0, end: null, strategy: "warnsdorff", rival: "fixed:python", compare: false, closed: false };

/** What to begin with for another puzzle. @param {"tour" | "queens"} kind @param {Setup} setup @returns {Setup} */
export function setupFor(kind, setup) {
  const fresh = { ...FIRST, kind, compare: setup.compare };
  return kind === "tour" ? fresh : { ...fresh, strategy: "rows", rival: "fewest-first" };
}

/** The board of a setup, with the steps of its piece. @param {import("../main.js").App} app @param {Setup} setup */
export function boardOf(app, { kind, rows, cols, holes, wrap, piece }) {
  if (kind === "queens") return makeBoard(rows, cols, holes, { wrap, steps: QUEEN_STEPS, slides: true });
  const [r, s] = piece.split(",").map(Number);
  return makeBoard(rows, cols, holes, { wrap, steps: app.meta.steps[piece] ?? leaperSteps(r, s) });
}

/** A setup on another board: the start is a square of it that is no hole. @param {Setup} setup @param {Partial<Setup>} change */
export function withBoard(setup, change) {
  const next = { ...setup, ...change }, holes = new Set(next.holes);
  const free = Array.from({ length: next.rows * next.cols }, (_, at) => at).filter((at) => !holes.has(at));
  if (!free.length) return null;
  const kept = (at) => (at !== null && at < next.rows * next.cols && !holes.has(at) ? at : null);
  return { ...next, start: kept(next.start) ?? free[0], end: kept(next.end) === next.start ? null : kept(next.end) };
}

/** The task of a link, null if it names no board. @param {URLSearchParams} values @param {Setup} setup the task so far @returns {Setup | null} */
export function linkedSetup(values, setup) {
  const wanted = readBoard(values);
  if (!wanted) return null;
  const base = { ...setupFor(values.get("puzzle") === "queens" ? "queens" : "tour", setup), compare: values.has("rival") };
  const most = base.kind === "queens" ? MAX_QUEENS_WATCHED : MAX_WATCHED, rows = Math.min(wanted.rows, most), cols = Math.min(wanted.cols, most);
  const board = makeBoard(rows, cols, rows === wanted.rows && cols === wanted.cols ? wanted.holes : []), wrap = values.get("wrap");
  return withBoard(base, {
    rows, cols, holes: [...board.holes], wrap: wrap === "cylinder" || wrap === "torus" ? wrap : "none", piece: values.get("piece") ?? base.piece, closed: values.get("closed") === "1",
    start: readOptional(board, values.get("start")) ?? 0, end: readOptional(board, values.get("end")), strategy: values.get("strategy") ?? base.strategy, rival: values.get("rival") ?? base.rival,
  });
}
