/**
 * Texts by key. A catalogue is a flat JSON object. `{name}` stands for a value, and `{name:one|many}` for one of two
 * words, depending on the number.
 * @module
 *
 * @typedef {Object} Texts
 * @property {string} language
 * @property {(key: string, values?: Record<string, string | number>) => string} t a text with its values filled in
 * @property {(key: string) => boolean} has
 * @property {(value: number | bigint | string, options?: Intl.NumberFormatOptions) => string} number
 * @property {(seconds: number) => string} duration
 * @property {(said: Said) => string} told what the server says, in this language if it is a known sentence
 *
 * @typedef {{text: string, code?: string, params?: Record<string, any>}} Said a line of the server, its code and its values
 */

/** @param {string} language @param {Record<string, string>} catalogue @returns {Texts} */
export function makeTexts(language, catalogue) {
  const plural = new Intl.PluralRules(language);
  const whole = new Intl.NumberFormat(language);
  const number = (value, options) => {
    const asked = typeof value === "string" && /^-?\d+$/.test(value) ? BigInt(value) : value;
    return (options ? new Intl.NumberFormat(language, options) : whole).format(asked);
  };
  const t = (key, values = {}) =>
    (catalogue[key] ?? key).replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (found, name, one, many) => {
      if (!(name in values)) return found;
      const value = values[name];
      if (many !== undefined) return plural.select(Number(value)) === "one" ? one : many;
      return typeof value === "number" ? number(value) : String(value);
    });
  const has = (key) => Object.hasOwn(catalogue, key);
  /** @param {Said} said */
  function told({ text, code, params = {} }) {
    if (language === "en" || !has(`told.${code}`)) return text;
    return t(`told.${code}`, Object.fromEntries(Object.entries(params).map(([name, value]) => [name, word(name, value)])));
  }
  /** A value of a sentence: another sentence, the name of a piece or of a kind of thing, or a number or square as it is. */
  function word(name, value) {
    if (value && typeof value === "object") return told(value);
    const key = name === "piece" ? `piece.${value}` : `noun.${value}`;
    return (name === "piece" || name === "noun") && has(key) ? t(key) : value;
  }
  return { language, t, has, number, duration: (seconds) => spelt(seconds, t), told };
}

/** @param {number} seconds @param {Texts["t"]} t */
function spelt(seconds, t) {
  if (!Number.isFinite(seconds)) return t("time.unknown");
  const rounded = Math.round(seconds);
  if (rounded < 1) return t("time.moment");
  if (rounded < 60) return t("time.seconds", { s: rounded });
  if (rounded < 3600) return t("time.minutes", { m: Math.floor(rounded / 60), s: rounded % 60 });
  if (rounded < 172800) return t("time.hours", { h: Math.floor(rounded / 3600), m: Math.floor((rounded % 3600) / 60) });
  const days = rounded / 86400;
  return days < 3650 ? t("time.days", { d: Math.round(days) }) : t("time.years", { y: Math.round(days / 365) });
}
