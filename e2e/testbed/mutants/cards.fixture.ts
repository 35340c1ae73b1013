import type { JsonObject } from "@assay/protocol";
import { verifyCard } from "@assay/protocol/signature";
import type { Subject } from "../../fixtures/subject.fixture.ts";
import { plain, speaking10 } from "../../fixtures/testbed.fixture.ts";
import { type Row, row } from "./row.fixture.ts";

const verdictOn = async (agent: Subject) => {
  const { keys } = JSON.parse((await plain(`${agent.origin}/.well-known/jwks.json`)).text) as { keys: JsonObject[] };
  const verdicts = await verifyCard(await agent.card(), async () => keys[0] as never);
  return verdicts.map(({ is }) => is);
};

export const cardRows: readonly Row[] = [
  row("CARD-003.no-name", async (agent) => typeof (await agent.card())["name"], ["string", "undefined"]),
  row(
    "CARD-012.rest",
    async (agent) =>
      ((await agent.card())["supportedInterfaces"] as JsonObject[])
        .filter(({ protocolVersion }) => protocolVersion === "1.0")
        .map(({ protocolBinding }) => protocolBinding),
    [
      ["JSONRPC", "HTTP+JSON", "GRPC"],
      ["JSONRPC", "REST", "GRPC"],
    ],
  ),
  row(
    "CARD-014.relative-url",
    async (agent) => {
      const [first] = (await agent.card())["supportedInterfaces"] as JsonObject[];
      return String(first!["url"]).replace(agent.url, "<url>");
    },
    ["<url>", "/mutants/CARD-014.relative-url"],
  ),
  row("CARD-020.same-id", async (agent) => ((await agent.card())["skills"] as JsonObject[]).map(({ id }) => id), [
    ["message-only", "task-lifecycle"],
    ["default", "default"],
  ]),
  row(
    "CARD-037.undefined-scheme",
    async (agent) => {
      const { securitySchemes, securityRequirements } = (await agent.card()) as {
        securitySchemes: JsonObject;
        securityRequirements: { schemes: JsonObject }[];
      };
      const named = securityRequirements.flatMap(({ schemes }) => Object.keys(schemes));
      return named.filter((name) => !(name in securitySchemes));
    },
    [[], ["bearerAuth"]],
  ),
  row(
    "CACHE-001.no-store",
    async (agent) => (await agent.get("/.well-known/agent-card.json")).headers["cache-control"],
    ["public, max-age=60", "no-store"],
  ),
  row(
    "CACHE-004.always-304",
    async (agent) => (await agent.get("/.well-known/agent-card.json", { "If-None-Match": '"an-old-one"' })).status,
    [200, 304],
    async (agent) => {
      const { etag = "" } = (await agent.get("/.well-known/agent-card.json")).headers;
      return (await agent.get("/.well-known/agent-card.json", { "If-None-Match": etag })).status;
    },
  ),
  row("SIG-013.der", verdictOn, [["valid"], ["malformed"]]),
  row("SIG-014.added-later", verdictOn, [["valid"], ["invalid"]]),
  row("XCARD-003.open", async (agent) => (await agent.get("/extendedAgentCard")).status, [401, 200]),
  ...(["XCARD-005.delta", "XCARD-008.public"] as const).map((id) =>
    row(
      id,
      async (agent) => {
        const { headers, text } = await agent.get("/extendedAgentCard", {
          ...speaking10,
          Authorization: "Bearer agentbin-test-token",
        });
        const card = JSON.parse(text) as { name?: string; skills: unknown[] };
        return [headers["cache-control"], card.name !== undefined, card.skills.length];
      },
      [
        ["private, no-store", true, 9],
        id === "XCARD-005.delta" ? ["private, no-store", false, 1] : ["public, max-age=3600", true, 9],
      ],
    ),
  ),
];
