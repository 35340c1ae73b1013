import type { AgentCard, JsonObject } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { type OlderWire, validateDialect } from "../../../packages/protocol/src/dialects/check.ts";
import { plain } from "../../fixtures/testbed.fixture.ts";
import { useOlderWires } from "./wires.fixture.ts";

const { bed } = useOlderWires();

describe("cards of older versions, with their names and forms", () => {
  const fetchCard = async (path: string) => {
    const { status, text, headers } = await plain(`${bed.url}/${path}`);
    return { status, headers, card: JSON.parse(text) as JsonObject };
  };

  test.each<[agent: string, wire: OlderWire, protocolVersion: string | undefined, names: string[], not: string[]]>([
    ["spec03", "0.3", "0.3.0", ["agent-card.json"], ["agent.json"]],
    ["spec02", "0.2.6", "0.2.6", ["agent.json", "agent-card.json"], []],
    ["spec01", "0.1", undefined, ["agent.json"], ["agent-card.json"]],
  ])("/%s has one of %s", async (agent, wire, protocolVersion, names, not) => {
    for (const name of names) {
      const { status, headers, card } = await fetchCard(`${agent}/.well-known/${name}`);
      expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
      expect(validateDialect(wire, "AgentCard", card)).toEqual([]);
      expect([card["url"], card["protocolVersion"], card["supportedInterfaces"]]).toEqual([
        `${bed.url}/${agent}`,
        protocolVersion,
        undefined,
      ]);
      expect((card["skills"] as unknown[]).length).toBe(8);
      expect(card["capabilities"]).toMatchObject({ streaming: true, pushNotifications: true });
    }
    for (const name of not) expect((await fetchCard(`${agent}/.well-known/${name}`)).status).toBe(404);
  });

  test("0.3 repeats its main address among all its interfaces, and offers the extended card", async () => {
    const { card } = await fetchCard("spec03/.well-known/agent-card.json");
    const url = `${bed.url}/spec03`;
    expect([
      card["preferredTransport"],
      card["additionalInterfaces"],
      card["supportsAuthenticatedExtendedCard"],
    ]).toEqual([
      "JSONRPC",
      [
        { url, transport: "JSONRPC" },
        { url, transport: "HTTP+JSON" },
        { url: `127.0.0.1:${bed.port}`, transport: "GRPC" },
      ],
      true,
    ]);
  });

  test("/spec declares its 0.3 interfaces beside those of 1.0", async () => {
    const { card } = await fetchCard("spec/.well-known/agent-card.json");
    const url = `${bed.url}/spec`;
    expect((card as unknown as AgentCard).supportedInterfaces).toEqual([
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      { url: `127.0.0.1:${bed.port}`, protocolBinding: "GRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      { url, protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
    ]);
  });
});
