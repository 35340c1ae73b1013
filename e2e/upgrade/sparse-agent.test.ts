import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { JsonObject } from "@assay/protocol";
import { planOf, type UpgradePlan } from "@assay/upgrade";
import { expect, test } from "vitest";
import { record } from "./two-versions.fixture.ts";

/** Plans the upgrade of an agent of 0.3 that gives one response to every message and knows no task. */
async function planFor(response: JsonObject): Promise<UpgradePlan> {
  const server = createServer(async (request, reply) => {
    const url = `http://${request.headers.host}/`;
    const card = {
      protocolVersion: "0.3.0",
      name: "Sparse",
      description: "Answers with one message.",
      version: "1",
      url,
      capabilities: {},
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [{ id: "s", name: "S", description: "Answers.", tags: ["s"] }],
    };
    const answer = async (): Promise<JsonObject> => {
      const { id, method } = (await json(request)) as JsonObject;
      const unknown = { error: { code: -32001, message: "Task not found" } };
      return { jsonrpc: "2.0", id: id ?? null, ...(method === "message/send" ? response : unknown) };
    };
    const isCard = request.url === "/.well-known/agent-card.json";
    reply.writeHead(isCard || request.method === "POST" ? 200 : 404, { "Content-Type": "application/json" });
    reply.end(JSON.stringify(isCard ? card : await answer().catch(() => ({}))));
  });
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  try {
    const plan = planOf(await record(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), []);
    if (!("steps" in plan)) throw new Error(plan.message);
    return plan;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const message = { kind: "message", role: "agent", messageId: "m1", parts: [{ kind: "text", text: "OK" }] };

test("the plan lists the changes that the traffic did not show", async () => {
  const { changes, unseen, unsent, steps } = await planFor({ result: message });
  const [seen, others] = [changes, unseen].map((all) => all.map(({ id }) => id));
  expect(seen).toEqual(expect.arrayContaining(["method", "wrapper", "role"]));
  expect(others).toEqual(expect.arrayContaining(["state", "timestamp", "final", "file"]));
  expect(others!.filter((id) => seen!.includes(id))).toEqual([]);
  expect(unsent).toBeUndefined();
  expect(changes.find(({ id }) => id === "version-header")!.fix).toMatch(
    /VersionNotSupportedError \(JSON-RPC -32009\)\.$/,
  );
  expect(steps.filter(({ gate }) => gate.includes("--equivalent"))).toEqual([]);
});

test("the plan says why it shows no task if the agent accepts no message", async () => {
  const { unsent } = await planFor({ error: { code: -32602, message: "I read nothing" } });
  expect(unsent).toContain("I read nothing");
});
