// An agent of VoltAgent behind its A2A server, as the documentation puts one there; the model is at hand.
//
//     node server.js --port 3141 [--think 2]
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { A2AServer } from "@voltagent/a2a-server";
import { Agent, VoltAgent } from "@voltagent/core";
import { honoServer } from "@voltagent/server-hono";

const { values } = parseArgs({ options: { port: { type: "string" }, think: { type: "string", default: "0" } } });

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** Says OK, in two pieces: a language model as the AI SDK defines them. */
const model = {
  specificationVersion: "v2",
  provider: "fake",
  modelId: "ok",
  supportedUrls: {},
  async doGenerate({ abortSignal }) {
    await sleep(Number(values.think) * 1000, undefined, { signal: abortSignal });
    return { content: [{ type: "text", text: "OK" }], finishReason: "stop", usage, warnings: [] };
  },
  async doStream({ abortSignal }) {
    const stream = new ReadableStream({
      async start(controller) {
        controller.enqueue({ type: "stream-start", warnings: [] });
        await sleep(Number(values.think) * 1000, undefined, { signal: abortSignal });
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
};

const assistant = new Agent({ name: "assistant", instructions: "You answer OK.", model });

new VoltAgent({
  agents: { assistant },
  a2aServers: { a2aServer: new A2AServer({ name: "assistant", version: "0.1.0", description: "Answers OK" }) },
  server: honoServer({ port: Number(values.port), hostname: "127.0.0.1" }),
});
