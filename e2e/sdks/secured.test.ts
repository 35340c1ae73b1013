import { describe, expect, test } from "vitest";
import { plain } from "../fixtures/testbed.fixture.ts";
import { useSdkServer } from "./server.fixture.ts";

const servers = [
  { sdk: "a2a-js-0.2", card: "agent.json", args: [] },
  { sdk: "a2a-js-0.3", card: "agent-card.json", args: [] },
  { sdk: "a2a-js", card: "agent-card.json", args: ["--compat"] },
];

describe.each(servers)("$sdk $args --secured", ({ sdk, card, args }) => {
  const server = useSdkServer(sdk, { args: [...args, "--secured"] });
  const ask = (headers: Record<string, string>) =>
    plain(`${server.url}/`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: "nobody's" } }),
    });

  test("everyone may read the card, which says what is asked for", async () => {
    const { status, text } = await plain(`${server.url}/.well-known/${card}`);
    const { securitySchemes, security } = JSON.parse(text) as Record<string, unknown>;
    expect([status, securitySchemes, security]).toEqual([
      200,
      { bearer: { type: "http", scheme: "Bearer" } },
      [{ bearer: [] }],
    ]);
  });

  test("only those with a token are heard", async () => {
    for (const headers of [{}, { authorization: "Bearer three" }] as Record<string, string>[]) {
      const refused = await ask(headers);
      expect([refused.status, refused.headers["www-authenticate"]]).toEqual([401, expect.stringMatching(/^Bearer /)]);
    }
    const heard = await ask({ authorization: "Bearer one" });
    expect([heard.status, JSON.parse(heard.text)]).toMatchObject([200, { id: 1, error: { code: -32001 } }]);
  });
});
