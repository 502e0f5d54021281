/**
 * Streams of events. Who loses the connection, or is told to come back later, tries again after growing pauses and goes on
 * where it stopped. The browser's own EventSource gives up when a server is busy, and does not tell why.
 * @module
 */
import { Problem } from "./api.js";

const LONGEST_PAUSE = 30;
/** What passes: the server is busy, slow, or starting. */
const PASSING = new Set([408, 425, 429, 502, 503, 504]);

/**
 * @param {number} attempt how often it has been tried in vain, from 0
 * @param {number} least what the server asks for
 */
export const pauseBefore = (attempt, least) => Math.min(LONGEST_PAUSE, Math.max(least || 0, 2 ** attempt));

/**
 * Listen to a stream; returns how to stop.
 * @param {string} path
 * @param {Record<string, (data: any) => void>} handlers by the name of the event
 * @param {{waiting?: (seconds: number, problem: Problem | null) => void, going?: () => void, refused?: (problem: Problem) => void}} how
 *   `waiting` before another attempt, `going` when there is a connection, `refused` for good
 * @returns {() => void}
 */
export function listen(path, handlers, { waiting, going, refused } = {}) {
  const control = new AbortController();
  let last = "", attempt = 0, timer = 0;

  async function connect() {
    try {
      const headers = { Accept: "text/event-stream", ...(last ? { "Last-Event-ID": last } : {}) };
      const reply = await fetch(path, { headers, signal: control.signal, cache: "no-store" });
      if (!reply.ok || !reply.body) {
        const problem = new Problem(await reply.json().catch(() => ({ title: reply.statusText, status: reply.status })));
        if (!PASSING.has(reply.status)) refused?.(problem);
        else again(Number(reply.headers.get("Retry-After")), problem);
        return;
      }
      going?.();
      for await (const message of messages(reply.body)) {
        if (control.signal.aborted) return;
        attempt = 0;
        last = message.id || last;
        handlers[message.event]?.(JSON.parse(message.data));
      }
      again(0, null);
    } catch {
      again(0, new Problem({ type: "unreachable" }));
    }
  }

  function again(least, problem) {
    if (control.signal.aborted) return;
    const seconds = pauseBefore(attempt, least);
    attempt += 1;
    waiting?.(seconds, problem);
    timer = setTimeout(connect, seconds * 1000);
  }

  connect();
  return () => {
    clearTimeout(timer);
    control.abort();
  };
}

/** The messages of a stream; comments have no event and are left out. @param {ReadableStream<Uint8Array>} body */
async function* messages(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (text + value).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const message = Object.fromEntries(block.split("\n").map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]));
      if (message.event) yield message;
    }
  }
}
