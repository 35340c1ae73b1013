// An agent of Mastra behind its adapter for Hono, as the documentation puts one there; the model is at hand.
//
//     node server.js --port 4111 [--think 2]
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { serve } from "@hono/node-server";
import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { MastraServer } from "@mastra/hono";
import { InMemoryTaskStore } from "@mastra/server/a2a/store";
import { Hono } from "hono";

const { values } = parseArgs({ options: { port: { type: "string" }, think: { type: "string", default: "0" } } });

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** Says OK, in two pieces: a language model as the AI SDK defines them. */
const model = {
  specificationVersion: "v2",
  provider: "fake",
  modelId: "ok",
  supportedUrls: {},
  async doGenerate() {
    await sleep(Number(values.think) * 1000);
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

const agent = new Agent({ id: "ok-agent", name: "Mastra agent", instructions: "You answer OK.", model });
const app = new Hono();
const mastra = new Mastra({ agents: { agent }, logger: false });
// Without a task store every call of A2A is an internal error.
const server = new MastraServer({ app, mastra, taskStore: new InMemoryTaskStore() });
await server.init();
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(values.port) });
