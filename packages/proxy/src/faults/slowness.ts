import type { Effect, FaultedCall } from "./effect.ts";

export const late = (msFor: (call: FaultedCall) => number): Effect => ({
  async answer(answer, call) {
    call.hit();
    await call.wait(msFor(call));
    return answer;
  },
});

/** Twenty steps a second look like a slow line to every client. */
const stepMs = 50;

export const slow = (bytesPerSecond: number): Effect => ({
  answer(answer, call) {
    call.hit();
    const size = Math.max(1, Math.round((bytesPerSecond * stepMs) / 1_000));
    const pauseMs = (size * 1_000) / bytesPerSecond;
    async function* paced(): AsyncGenerator<Buffer> {
      for await (const chunk of answer.body)
        for (let at = 0; at < chunk.length; at += size) {
          // After the last byte, the client may be gone.
          await call.wait(pauseMs);
          yield chunk.subarray(at, at + size);
        }
    }
    return { ...answer, body: paced() };
  },
});
