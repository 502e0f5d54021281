/**
 * The server: JSON there and back, problems as errors.
 * @module
 */

/** What the server says when it cannot answer: the same line that the command prints. */
export class Problem extends Error {
  /** @param {{type?: string, detail?: string, title?: string, status?: number, known?: unknown, code?: string, params?: Record<string, any>}} data */
  constructor(data) {
    super(data.detail || data.title || "");
    this.kind = (data.type || "").replace("/problems/", "");
    this.status = data.status || 0;
    this.known = typeof data.known === "number" ? data.known : null;
    this.code = data.code || "";
    this.params = data.params || {};
  }
}

/** @param {string} path @param {RequestInit} options */
async function ask(path, options) {
  let reply;
  try {
    reply = await fetch(path, options);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem({ type: "unreachable" });
  }
  if (reply.ok) return reply;
  const data = await reply.json().catch(() => ({ title: reply.statusText, status: reply.status }));
  throw new Problem(data);
}

/** @param {unknown} error */
export const isAbort = (error) => error instanceof DOMException && error.name === "AbortError";

/** @param {string} path @param {AbortSignal} [signal] */
export async function get(path, signal) {
  return (await ask(path, { signal })).json();
}

/** @param {string} path @param {unknown} body @param {AbortSignal} [signal] */
export async function post(path, body, signal) {
  return (await ask(path, request(body, signal))).json();
}

/** A file that the server makes. @param {string} path @param {unknown} body */
export async function fetchFile(path, body) {
  const reply = await ask(path, request(body));
  const name = /filename="([^"]+)"/.exec(reply.headers.get("Content-Disposition") || "");
  return { blob: await reply.blob(), name: name ? name[1] : "backrank" };
}

/** @param {string} path */
export async function remove(path) {
  await ask(path, { method: "DELETE" });
}

/** @param {unknown} body @param {AbortSignal} [signal] @returns {RequestInit} */
function request(body, signal) {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
}

/** Save a file under a name. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
