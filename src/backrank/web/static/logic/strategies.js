/**
 * Strategies by name, as backrank.search.strategies.names writes them: `rule`, `rule:argument`, and `+prune` at the end.
 * @module
 *
 * @typedef {{rule: string, argument: string, prune: boolean}} Parts the argument is a move order, or a seed
 */

const PRUNE = "+prune";
/** What a rule takes if nothing is said: the order of the article whose 621 million calls everybody wants to see, some seed. */
const USUAL = { fixed: "python", random: "1" };

/** @param {string} name @returns {Parts} */
export function partsOf(name) {
  const prune = name.endsWith(PRUNE), plain = prune ? name.slice(0, -PRUNE.length) : name;
  const [rule, ...rest] = plain.split(":");
  return { rule, argument: rest.join(":"), prune };
}

/** @param {Parts} parts */
export const nameOfParts = ({ rule, argument, prune }) => `${rule}${argument ? `:${argument}` : ""}${prune ? PRUNE : ""}`;

/** The strategy of a rule that has just been chosen. @param {string} rule */
export const usualOf = (rule) => nameOfParts({ rule, argument: USUAL[rule] ?? "", prune: false });

/** A strategy in words. @param {import("../board/texts.js").Texts} texts @param {string} name */
export function strategyName({ t, has }, name) {
  const { rule, argument, prune } = partsOf(name);
  const word = (key, otherwise) => (has(key) ? t(key) : otherwise);
  const more = [];
  if (rule === "random") more.push(t("strategy.seed", { seed: argument }));
  else if (argument) more.push(word(`order.${argument}`, argument));
  if (prune) more.push(t("strategy.pruned"));
  const plain = word(`strategy.${rule}`, rule);
  return more.length ? t("strategy.more", { name: plain, more: more.join(t("list.comma")) }) : plain;
}
