import { STATUS_CODES } from "node:http";
import type { HeaderPairs } from "@assay/wire";
import { ownAnswer } from "./answer.ts";
import type { Effect, FaultedCall } from "./effect.ts";

export const reset: Effect = {
  answer(_answer, call) {
    throw call.breakOff("reset");
  },
};

/** A gateway's error page: HTML without any A2A content. */
export const page = (status: number, headers: HeaderPairs = []): Effect => ({
  instead(call) {
    call.hit();
    const title = `${status} ${STATUS_CODES[status] ?? "Error"}`;
    const text = `<html><head><title>${title}</title></head><body><h1>${title}</h1><p>injected by assay --fault</p></body></html>\n`;
    return ownAnswer(status, STATUS_CODES[status] ?? "", [["Content-Type", "text/html"], ...headers], text);
  },
});

export const loseHeader = (lost: string): Effect => {
  const without = (headers: HeaderPairs, call: FaultedCall): HeaderPairs => {
    const kept = headers.filter(([name]) => name.toLowerCase() !== lost);
    if (kept.length < headers.length) call.hit();
    return kept;
  };
  return {
    request: without,
    answer: (answer, call) => ({ ...answer, headers: without(answer.headers, call) }),
  };
};

export const truncate = (bytes: number): Effect => ({
  answer(answer, call) {
    async function* shortened(): AsyncGenerator<Buffer> {
      let left = bytes;
      // The agent is read to its end: only the client gets less.
      for await (const chunk of answer.body) {
        if (chunk.length > left) call.hit();
        if (left > 0) yield chunk.subarray(0, left);
        left = Math.max(0, left - chunk.length);
      }
    }
    const headers = answer.headers.filter(([name]) => name.toLowerCase() !== "content-length");
    return { ...answer, headers, body: shortened() };
  },
});

export const refuse = (ms: number): Effect => ({
  instead(call) {
    call.refuse(ms);
    throw call.breakOff("close");
  },
});
