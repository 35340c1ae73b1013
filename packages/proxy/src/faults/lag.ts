import { jsonObjectIn } from "@assay/protocol";
import { isGrpc, ofChunks, type PassedAnswer } from "./answer.ts";
import type { Effect } from "./effect.ts";

/** Answers reads with an earlier response to the same caller, like a replica with a delay. */
export const lag = (ms: number): Effect => {
  const known = new Map<string, { readonly at: number; readonly answer: PassedAnswer; readonly bytes: Buffer }>();
  return {
    instead(call) {
      const earlier = known.get(call.question);
      if (!earlier || performance.now() - earlier.at > ms) return undefined;
      call.hit();
      return { ...earlier.answer, body: ofChunks([withId(earlier.bytes, earlier.answer, call.rpcId)]) };
    },
    answer(answer, call) {
      const earlier = known.get(call.question);
      if (answer.status !== 200 || (earlier && performance.now() - earlier.at <= ms)) return answer;
      async function* remembered(): AsyncGenerator<Buffer> {
        const chunks: Buffer[] = [];
        for await (const chunk of answer.body) {
          chunks.push(chunk);
          yield chunk;
        }
        for (const [question, { at }] of known) if (performance.now() - at > ms) known.delete(question);
        const trailers = answer.trailers();
        const headers = answer.headers.filter(([name]) => name.toLowerCase() !== "content-length");
        known.set(call.question, {
          at: performance.now(),
          answer: { ...answer, headers, trailers: () => trailers },
          bytes: Buffer.concat(chunks),
        });
      }
      return { ...answer, body: remembered() };
    },
  };
};

/** A JSON-RPC response repeats the id of its request. */
function withId(bytes: Buffer, answer: PassedAnswer, id: unknown): Buffer {
  const json = id === undefined || isGrpc(answer) ? undefined : jsonObjectIn(bytes);
  return json ? Buffer.from(JSON.stringify({ ...json, id })) : bytes;
}
