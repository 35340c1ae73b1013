// A language model for the AI SDK: waits for the given seconds, then answers OK in two pieces.
import { setTimeout as sleep } from "node:timers/promises";

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

export const okModel = (seconds) => ({
  specificationVersion: "v2",
  provider: "fake",
  modelId: "ok",
  supportedUrls: {},
  async doGenerate({ abortSignal }) {
    await sleep(seconds * 1000, undefined, { signal: abortSignal });
    return { content: [{ type: "text", text: "OK" }], finishReason: "stop", usage, warnings: [] };
  },
  async doStream({ abortSignal }) {
    const stream = new ReadableStream({
      async start(controller) {
        controller.enqueue({ type: "stream-start", warnings: [] });
        await sleep(seconds * 1000, undefined, { signal: abortSignal });
        controller.enqueue({ type: "text-start", id: "1" });
        controller.enqueue({ type: "text-delta", id: "1", delta: "O" });
        controller.enqueue({ type: "text-delta", id: "1", delta: "K" });
        controller.enqueue({ type: "text-end", id: "1" });
        controller.enqueue({ type: "finish", finishReason: "stop", usage });
        controller.close();
      },
    });
    return { stream };
  },
});
