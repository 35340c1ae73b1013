// An agent of Mastra behind its adapter for Hono, set up as in its documentation. Its model is a stub.
//
//     node server.js --port 4111 [--think 2]
import { parseArgs } from "node:util";
import { serve } from "@hono/node-server";
import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { MastraServer } from "@mastra/hono";
import { InMemoryTaskStore } from "@mastra/server/a2a/store";
import { Hono } from "hono";
import { okModel } from "../ok-model.js";

const { values } = parseArgs({ options: { port: { type: "string" }, think: { type: "string", default: "0" } } });

const agent = new Agent({
  id: "ok-agent",
  name: "Mastra agent",
  instructions: "You answer OK.",
  model: okModel(Number(values.think)),
});
const app = new Hono();
const mastra = new Mastra({ agents: { agent }, logger: false });
// Without a task store every call of A2A is an internal error.
const server = new MastraServer({ app, mastra, taskStore: new InMemoryTaskStore() });
await server.init();
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(values.port) });
