/**
 * The answer as a file.
 * @module
 */
import { h } from "../board/dom.js";
import { download, fetchFile } from "../core/api.js";
import { button } from "../widgets/fields.js";

const FORMS = { svg: "SVG", png: "PNG", json: "JSON", grid: "download.text", board: "download.text", html: "HTML" };

/**
 * @param {import("../main.js").App} app
 * @param {() => {puzzle: any, squares: number[], kind: "tour" | "queens"}} answer
 */
export function createDownloads(app, answer) {
  const { t } = app.texts;
  const trouble = h("p.small", { role: "alert" });
  const offered = (kind) => app.meta.exports?.[kind] ?? Object.keys(FORMS);
  const buttons = Object.entries(FORMS).map(([form, name]) => ({ form, element: button({ label: name.includes(".") ? t(name) : name, icon: "save", kind: "small", onclick: () => save(form) }) }));
  const element = h("div.row-of.downloads", { role: "group", "aria-label": t("download") }, buttons.map(({ element: each }) => each), trouble);

  async function save(form) {
    const { puzzle, squares } = answer();
    try {
      const { blob, name } = await fetchFile("/api/export", { puzzle, squares, form, language: app.texts.language === "en" ? "en" : "zh" });
      download(blob, name);
      trouble.textContent = "";
    } catch (error) {
      trouble.textContent = app.explain(error);
    }
  }

  /** The place stays kept, so that the board does not jump. @param {boolean} there */
  function show(there) {
    element.classList.toggle("away", !there);
    if (there) for (const { form, element: each } of buttons) each.hidden = !offered(answer().kind).includes(form);
  }

  return { element, show };
}
