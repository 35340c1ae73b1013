// An agent of VoltAgent behind its A2A server, set up as in its documentation. Its model is a stub.
//
//     node server.js --port 3141 [--think 2]
import { parseArgs } from "node:util";
import { A2AServer } from "@voltagent/a2a-server";
import { Agent, VoltAgent } from "@voltagent/core";
import { honoServer } from "@voltagent/server-hono";
import { okModel } from "../ok-model.js";

const { values } = parseArgs({ options: { port: { type: "string" }, think: { type: "string", default: "0" } } });

const assistant = new Agent({
  name: "assistant",
  instructions: "You answer OK.",
  model: okModel(Number(values.think)),
});

new VoltAgent({
  agents: { assistant },
  a2aServers: { a2aServer: new A2AServer({ name: "assistant", version: "0.1.0", description: "Answers OK" }) },
  server: honoServer({ port: Number(values.port), hostname: "127.0.0.1" }),
});
