/**
 * Pasted text is checked: every fault, on the board and in words.
 * @module
 */
import { fill, h } from "../board/dom.js";
import { fileName, nameOf } from "../board/squares.js";
import { post } from "../core/api.js";
import { button, checkField, selectField } from "../widgets/fields.js";

const SHOWN = 60;
const EXAMPLE = "1 4 7 10\n8 11 2 5\n3 6 9 12";

/** @param {import("../board/squares.js").Board} board @param {any} claim @returns {import("../board/scene.js").Mark[]} */
export function faultMarks(board, claim) {
  const on = new Set();
  for (const { cells } of claim.faults) for (const [row, col] of cells) if (row >= 0 && col >= 0 && row < board.rows && col < board.cols) on.add(row * board.cols + col);
  return [...on].map((square) => ({ square, kind: "fault" }));
}

/**
 * @param {import("../main.js").App} app
 * @param {any} model
 * @param {{change: (patch: any, keep?: boolean) => void, showClaim: (claim: any) => void}} does
 */
export function createCheck(app, model, { change, showClaim }) {
  const { t, language, number, told } = app.texts;
  const area = /** @type {HTMLTextAreaElement} */ (h("textarea", { id: "check-text", spellcheck: "false", rows: 7, placeholder: EXAMPLE, oninput: () => change({ text: area.value }, true) }));
  area.value = model.state.task.text;
  const results = h("div.results");
  const own = checkField({ label: t("check.own"), checked: Boolean(model.state.task.own), onchange: (value) => change({ own: value }, true) });
  /** @type {any[]} */
  let claims = app.kept.get("claims") ?? [];
  let drawnFor = /** @type {any} */ (undefined);
  const run = button({ label: t("check.check"), kind: "main", onclick: check });
  run.id = "check-run";
  const element = h("section.card", { "aria-label": t("check.title") }, h("h2", {}, t("check.title")), h("label.field", {}, h("span.name", {}, t("check.label")), area), own.element, h("div.row-of", {}, run), results);

  async function check() {
    const { task } = model.state;
    try {
      const told = await post("/api/check", { kind: task.kind, text: area.value, closed: task.kind === "tour" && task.closed, ...(own.input.checked ? boardOf(task) : {}) });
      claims = told.claims;
      app.kept.set("claims", claims);
      if (claims.length) showClaim(claims[0]);
      drawnFor = undefined;
      show();
    } catch (error) {
      claims = [];
      model.update({ claim: null, trouble: app.explain(error) });
    }
  }

  /** What is asked on the board that is edited, and not on the one that the text itself makes. */
  function boardOf({ kind, rows, cols, holes, closed, start, end }) {
    return { board: `${rows}x${cols}`, holes, ...(kind === "tour" ? { start, end: closed ? null : end } : {}) };
  }

  /** A square by its name, also off the board. */
  function named({ board }, [row, col]) {
    return row >= 0 && col >= 0 && row < board.rows && col < board.cols ? nameOf({ ...board, holes: new Set() }, row * board.cols + col) : col >= 0 ? `${fileName(col)}${board.rows - row}` : `(${row}, ${col})`;
  }

  function sentence(claim, fault) {
    if (language === "en") return fault.message.replace(`${fault.kind}: `, "");
    const parts = [];
    if (fault.cells.length) parts.push(fault.cells.slice(0, 12).map((cell) => named(claim, cell)).join(t("list.comma")) + (fault.cells.length > 12 ? "…" : ""));
    if (fault.steps.length) parts.push(t("check.steps", { steps: fault.steps.slice(0, 12).map((step) => number(step)).join(t("list.comma")) }));
    return parts.join(t("list.semicolon")) || fault.message;
  }

  function show() {
    const { claim } = model.state;
    if (claim === drawnFor) return;
    drawnFor = claim;
    if (!claim) return fill(results);
    const which = claims.length > 1 ? selectField({ label: t("check.which"), options: claims.map((each, index) => [String(index), `${index + 1}: ${t(each.valid ? "check.short.valid" : "check.short.faults", { n: each.faults.length })}`]), value: String(Math.max(0, claims.indexOf(claim))), onchange: (index) => showClaim(claims[Number(index)]) }).element : null;
    const rows = claim.faults.slice(0, SHOWN).map((fault) => h("li", {}, h("strong", {}, t(`fault.${fault.kind}`)), " ", h("span.small", {}, sentence(claim, fault))));
    const notes = (claim.notes ?? []).map((note) => h("p.small.soft", {}, told(note)));
    fill(results, which, ...notes, claim.faults.length ? h("ol.faults", {}, rows) : h("p", {}, t("check.valid")), claim.faults.length > SHOWN ? h("p.soft", {}, t("check.more", { n: claim.faults.length - SHOWN })) : null, h("div", {}, button({ label: t("check.close"), kind: "small", onclick: () => showClaim(null) })));
  }

  return { element, show };
}
