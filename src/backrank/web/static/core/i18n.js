/**
 * Languages: which there are, which suits a browser, and the catalogue of each. All have the same keys.
 * @module
 */
import { makeTexts } from "../board/texts.js";

/** @typedef {import("../board/texts.js").Texts} Texts */

/** @type {Readonly<Record<string, string>>} */
export const LANGUAGES = { en: "English", "zh-Hans": "简体中文", "zh-Hant": "繁體中文" };

/** The language that suits a browser. @param {readonly string[]} wanted */
export function matching(wanted) {
  for (const tag of wanted) {
    const lower = tag.toLowerCase();
    if (/^zh(-hant|-tw|-hk|-mo)/.test(lower)) return "zh-Hant";
    if (/^zh/.test(lower)) return "zh-Hans";
    if (/^en/.test(lower)) return "en";
  }
  return "en";
}

/** @param {string} language @returns {Promise<Texts>} */
export async function loadTexts(language) {
  const reply = await fetch(new URL(`../texts/${language}.json`, import.meta.url));
  return makeTexts(language, await reply.json());
}
