import { expect, test } from "vitest";
import type { HttpClient } from "../client/http.ts";
import { cardTrouble } from "./card-trouble.ts";
import { discoverCard } from "./discover.ts";

/** A host that serves these documents and nothing else. */
const hostOf = (documents: Readonly<Record<string, object>>): HttpClient =>
  ({
    async request({ url }: { readonly url: string }) {
      const body = documents[new URL(url).pathname];
      const response = { status: body ? 200 : 404, headers: [], body: Buffer.from(JSON.stringify(body ?? {})) };
      return { http: { request: { url }, response } };
    },
  }) as unknown as HttpClient;

const cardAt = (path: string) => ({ name: "Agent", url: `http://host.test${path}`, skills: [] });

test.each([
  ["/api/a2a/weather", "/api/.well-known/weather/agent-card.json"],
  ["/a2a/weather", "/.well-known/weather/agent-card.json"],
])("an agent at %s is found by its card at %s", async (agent, card) => {
  const { found } = await discoverCard(hostOf({ [card]: cardAt(agent) }), `http://host.test${agent}`);
  expect(found?.url).toBe(`http://host.test${card}`);
});

test("a card under the agent's name that leads elsewhere is another agent's", async () => {
  const host = hostOf({ "/.well-known/weather/agent-card.json": cardAt("/elsewhere") });
  const search = await discoverCard(host, "http://host.test/a2a/weather");
  expect(search).toMatchObject({ other: { url: "http://host.test/.well-known/weather/agent-card.json" } });
  expect(search.found).toBeUndefined();
});

test("where no card is at the usual places, it is said where servers of several agents have them", async () => {
  const search = await discoverCard(hostOf({}), "http://host.test");
  expect(cardTrouble("http://host.test", search).hint).toMatchInlineSnapshot(
    `"If the agent is served under a path, pass that path, or the address of the card itself. A server with several agents has one card per agent: try http://host.test/.well-known/<agent>/agent-card.json, or http://host.test/api/.well-known/<agent>/agent-card.json"`,
  );
});
