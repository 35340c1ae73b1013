import type { JsonObject } from "@assay/protocol";
import { type Row, row } from "./row.fixture.ts";

export const cardRows: readonly Row[] = [
  row("legacy-card", async (agent) => (await agent.card())["protocolVersion"], [undefined, "0.3.0"], {
    tolerance: "members of 0.3 on the card",
  }),
  row(
    "listed-scopes",
    async (agent) => {
      const { securityRequirements } = (await agent.card()) as { securityRequirements: { schemes: JsonObject }[] };
      return securityRequirements.find(({ schemes }) => "bearer" in schemes)?.schemes["bearer"];
    },
    [{}, { list: [] }],
  ),
  row(
    "uncached-card",
    async (agent) => {
      const { headers } = await agent.get("/.well-known/agent-card.json");
      return ["etag", "last-modified", "cache-control"].map((name) => name in headers);
    },
    [
      [true, true, true],
      [false, false, false],
    ],
  ),
  row("null-members", async (agent) => (await agent.card())["iconUrl"], [undefined, null], {
    tolerance: "null on the card",
  }),
  row("full-card", async (agent) => Object.keys((await agent.card())["securitySchemes"] as JsonObject).length, [7, 11]),
  row("two-signatures", async (agent) => ((await agent.card())["signatures"] as JsonObject[]).length, [1, 2]),
];
