import type { JsonObject } from "@assay/protocol";
import { type Row, row } from "./row.fixture.ts";

export const olderHybridRows: readonly Row[] = [
  row(
    "card-by-version",
    async (agent) => {
      const cards = [{}, { "A2A-Version": "1.0" }].map((headers) => agent.get("/.well-known/agent-card.json", headers));
      return (await Promise.all(cards)).map(({ text }) => (JSON.parse(text) as JsonObject)["protocolVersion"]);
    },
    [
      [undefined, undefined],
      ["0.3", undefined],
    ],
    { tolerance: "members of 0.3 on the card for those who do not name 1.0" },
  ),
  row("card-for-everybody", async (agent) => typeof (await agent.card())["url"], ["undefined", "string"], {
    tolerance: "members of 0.3 on the card",
  }),
  row(
    "silent-about-0.3",
    async (agent) => ((await agent.card())["supportedInterfaces"] as JsonObject[]).length,
    [5, 3],
  ),
  row(
    "method-names-decide",
    async (agent) => {
      const { text } = await agent.post({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: "none" } });
      const { code, data } = (JSON.parse(text) as { error: JsonObject }).error;
      return [code, typeof data];
    },
    [
      [-32601, "object"],
      [-32001, "string"],
    ],
  ),
  row(
    "version-before-path",
    async (agent) => (JSON.parse((await agent.get("/tasks/none", {})).text) as JsonObject)["error"] !== undefined,
    [true, false],
  ),
];
