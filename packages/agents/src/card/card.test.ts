import { type AgentCard, lintCard } from "@assay/protocol";
import { verifyCard } from "@assay/protocol/signature";
import type { JWK } from "jose";
import { describe, expect, test } from "vitest";
import { agents, homes } from "../agents/index.ts";
import { coreSkills, moreSkills } from "../skills/index.ts";
import { cardOf, extendedCardOf } from "./card.ts";
import { CardSigner } from "./card-signer.ts";

const base = "http://127.0.0.1:4040";
/** On the port that all agents share. */
const addressOf = (path: string) => ({
  baseUrl: base,
  oauth: true,
  certificates: true,
  grpc: { target: "127.0.0.1:4040", byTenant: !Object.values(homes.grpc).includes(path) },
});

/** Returns the card of an agent as a client receives it. */
const cardAt = (path: string, make = cardOf): AgentCard =>
  JSON.parse(JSON.stringify(make(agents.find((each) => each.path === path)!, addressOf(path), "1.2.3")));

const idsOf = ({ skills }: AgentCard): string[] => skills.map(({ id }) => id);

const core = coreSkills.map(({ id }) => id);
const more = moreSkills.map(({ id }) => id);

describe("the card of each agent", () => {
  test.each(agents.map(({ path }) => path))("has nothing that our own linter would mind: /%s", (path) => {
    // Only the extended card needs a login, and that is what this finding asks about.
    const asked = "declares schemes, but no securityRequirements say which ones a request needs";
    for (const make of [cardOf, extendedCardOf]) {
      expect(lintCard(cardAt(path, make)).filter(({ message }) => message !== asked)).toEqual([]);
    }
  });

  test.each([
    ["echo", { streaming: false, pushNotifications: false, extendedAgentCard: false }],
    ["spec", { streaming: true, pushNotifications: false, extendedAgentCard: true }],
    ["minimal", { streaming: false, pushNotifications: false, extendedAgentCard: false }],
    [
      "full",
      {
        streaming: true,
        pushNotifications: true,
        extendedAgentCard: true,
        extensions: [
          {
            uri: "urn:assay:extension:timing:v1",
            description:
              "Adds elapsedMs, the time since the request arrived, to the metadata of messages and artifacts.",
          },
          {
            uri: "urn:assay:extension:provenance:v1",
            description: "Adds the name of the test bed to the metadata of messages and artifacts.",
          },
        ],
      },
    ],
  ])("declares what the agent can do: /%s", (path, capabilities) => {
    expect(cardAt(path).capabilities).toEqual(capabilities);
  });

  test("/strict requires one extension, and /full none", () => {
    const required = (path: string) =>
      cardAt(path)
        .capabilities.extensions?.filter((extension) => extension.required)
        .map(({ uri }) => uri);
    expect([required("strict"), required("full")]).toEqual([["urn:assay:extension:acknowledgement:v1"], []]);
  });

  test.each([
    ["echo", ["echo"]],
    ["spec", core],
    ["full", [...core, ...more]],
    ["strict", [...core, ...more]],
    ["minimal", ["message-only", "task-lifecycle"]],
  ])("lists the skills of /%s", (path, skills) => {
    expect(idsOf(cardAt(path))).toEqual(skills);
  });

  test("declares each binding at the address it was asked at, JSON-RPC first", () => {
    const url = `${base}/spec`;
    expect(cardAt("spec").supportedInterfaces).toEqual([
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      { url: "127.0.0.1:4040", protocolBinding: "GRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      { url, protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
    ]);
  });

  test("declares each tenant of /full on each binding, behind the interfaces without one", () => {
    const interfaces = cardAt("full").supportedInterfaces.map(({ protocolBinding, tenant }) => [
      protocolBinding,
      tenant,
    ]);
    expect(interfaces).toEqual([
      ["JSONRPC", undefined],
      ["HTTP+JSON", undefined],
      ["GRPC", "full"],
      ["JSONRPC", "north"],
      ["HTTP+JSON", "north"],
      ["JSONRPC", "south"],
      ["HTTP+JSON", "south"],
    ]);
  });
});

test("the extended card of /spec is the card with a ninth skill", () => {
  const card = cardAt("spec");
  const extended = cardAt("spec", extendedCardOf);
  expect(idsOf(extended)).toEqual([...core, "admin-status"]);
  expect({ ...extended, skills: card.skills }).toEqual(card);
});

describe("a signed card", () => {
  async function signed(): Promise<{ card: AgentCard; keys: JWK[] }> {
    const signer = new CardSigner();
    const card = JSON.parse(JSON.stringify(await signer.sign(cardAt("full"), base))) as AgentCard;
    return { card, keys: (JSON.parse(await signer.jwks()) as { keys: JWK[] }).keys };
  }

  test("verifies with the key that is published where it says", async () => {
    const { card, keys } = await signed();
    expect(keys).toEqual([
      {
        kty: "EC",
        crv: "P-256",
        x: expect.any(String),
        y: expect.any(String),
        kid: "assay-test-bed-1",
        use: "sig",
        alg: "ES256",
      },
    ]);
    expect(await verifyCard(card, async ({ kid }) => keys.find((key) => key.kid === kid))).toEqual([
      {
        is: "valid",
        header: { alg: "ES256", kid: "assay-test-bed-1", typ: "JOSE", jku: `${base}/.well-known/jwks.json` },
        payload: "P1",
        reading: expect.any(String),
      },
    ]);
  });

  test("verifies no more when a word of it was changed", async () => {
    const { card, keys } = await signed();
    const verdicts = await verifyCard({ ...card, name: "Fool Agent" }, async () => keys[0]);
    expect(verdicts.map(({ is }) => is)).toEqual(["invalid"]);
  });

  test("of one signer does not verify with the key of another", async () => {
    const [{ card }, { keys }] = [await signed(), await signed()];
    expect((await verifyCard(card, async () => keys[0])).map(({ is }) => is)).toEqual(["invalid"]);
  });

  test("passes our own linter", async () => {
    const { card } = await signed();
    expect(lintCard(card).filter(({ level }) => level === "error")).toEqual([]);
  });
});
