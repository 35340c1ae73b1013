import { describe, expect, test } from "vitest";
import { everyOperation } from "../fixtures/expected.fixture.ts";
import {
  agentMessage,
  bindings,
  type Plain,
  plain,
  refusalIn,
  refusedAs,
  sending,
  useTestbed,
  written,
} from "../fixtures/testbed.fixture.ts";

const bed = useTestbed();

/** A request without a version to an agent that supports only 1.0. */
function unversioned(binding: (typeof bindings)[number]): { url: string; plain: Plain } {
  const { url, plain: sent } = written(`${bed.url}/minimal`, binding, "SendMessage", sending("message-only"));
  const { "A2A-Version": _, ...headers } = sent.headers as Record<string, string>;
  return { url, plain: { ...sent, headers } };
}

describe.each(bindings)("the version of a request over %s", (binding) => {
  const sendWith = (headers: Record<string, string | string[]>, query = "") => {
    const { url, plain: sent } = unversioned(binding);
    return plain(`${url}${query}`, { ...sent, headers: { ...sent.headers, ...headers } });
  };
  const messageIn = (text: string) => {
    const json = JSON.parse(text);
    return (binding === "JSONRPC" ? json.result : json).message;
  };

  test.each(["1.0", "1.0.0", "1.0.7", " 1.0 "])("%j is served", async (version) => {
    const answer = await sendWith({ "A2A-Version": version });
    expect([answer.status, messageIn(answer.text)]).toEqual([
      200,
      agentMessage("[message-only] You said: message-only"),
    ]);
  });

  test.each(["a2a-version", "A2A-VERSION", "a2A-vErSiOn"])("the header may be spelled %s", async (name) => {
    const answer = await sendWith({ [name]: "1.0" });
    expect([answer.status, messageIn(answer.text)]).toEqual([
      200,
      agentMessage("[message-only] You said: message-only"),
    ]);
  });

  test.each<[string, Record<string, string | string[]>]>([
    ["a missing one", {}],
    ["an empty one", { "A2A-Version": "" }],
    ["a blank one", { "A2A-Version": "   " }],
    ["0.3", { "A2A-Version": "0.3" }],
    ["0.1", { "A2A-Version": "0.1" }],
    ["1.1", { "A2A-Version": "1.1" }],
    ["1.99", { "A2A-Version": "1.99" }],
    ["99.0", { "A2A-Version": "99.0" }],
    ["a major alone", { "A2A-Version": "1" }],
    ["garbage", { "A2A-Version": "latest" }],
    ["a number too large", { "A2A-Version": "1.00000000000000000000000" }],
    ["a list", { "A2A-Version": "1.0, 0.3" }],
    ["the header twice", { "A2A-Version": ["1.0", "0.3"] }],
    ["a very long one", { "A2A-Version": "1.0".repeat(2_000) }],
    ["Latin-1", { "A2A-Version": "1.0é" }],
  ])("%s is not supported, and the answer says what is", async (_name, headers) => {
    const answer = await sendWith(headers);
    expect(refusalIn(binding, answer)).toEqual(refusedAs(binding, "VersionNotSupported"));
    const { error } = JSON.parse(answer.text);
    expect((error.data ?? error.details)[0].metadata).toEqual({ supportedVersions: "1.0" });
  });

  test.each(["?A2A-Version=1.0", "?x=1&a2a-version=1%2E0", "?A2A-Version=1.0.7&y="])(
    "the query parameter %s stands in for the header",
    async (query) => {
      const answer = await sendWith({}, query);
      expect([answer.status, messageIn(answer.text)]).toEqual([
        200,
        agentMessage("[message-only] You said: message-only"),
      ]);
    },
  );

  test.each(["?A2A-Version=", "?A2A-Version=0.3", "?A2A-Version=99.0", "?A2A-Version=%ff%00", "?xA2A-Version=1.0"])(
    "the query parameter %s is not supported",
    async (query) => {
      expect(refusalIn(binding, await sendWith({}, query))).toEqual(refusedAs(binding, "VersionNotSupported"));
    },
  );

  test("the header wins over the query parameter", async () => {
    const served = await sendWith({ "A2A-Version": "1.0" }, "?A2A-Version=0.3");
    expect(served.status).toBe(200);
    const refused = await sendWith({ "A2A-Version": "0.3" }, "?A2A-Version=1.0");
    expect(refusalIn(binding, refused)).toEqual(refusedAs(binding, "VersionNotSupported"));
  });

  test("every operation checks the version, and before the extensions", async () => {
    for (const [operation, request] of everyOperation) {
      const sent = written(`${bed.url}/strict`, binding, operation, request, { "A2A-Version": "0.3" });
      expect(refusalIn(binding, await plain(sent.url, sent.plain))).toEqual(refusedAs(binding, "VersionNotSupported"));
    }
  });
});

test("cards need no version", async () => {
  for (const headers of [{}, { "A2A-Version": "0.3" }, { "A2A-Version": "99.0" }]) {
    const sent = { headers: headers as Record<string, string> };
    expect((await plain(`${bed.url}/spec/.well-known/agent-card.json`, sent)).status).toBe(200);
  }
});

describe("the error about a version has the reason", () => {
  const told = async (agent: string, headers: Record<string, string>, query = "") => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: sending("message-only hi") });
    const request = { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body };
    const { error } = JSON.parse((await plain(`${bed.url}/${agent}${query}`, request)).text);
    return [error.code, error.data[0].reason, error.message];
  };
  const missing =
    "The request has no A2A-Version header, which means 0.3. This interface supports 1.0. Send the header A2A-Version: 1.0";
  const wording = "A2A 1.0 has. Send the header A2A-Version: 1.0";

  test.each<[string, Record<string, string>, string, string]>([
    ["echo@1.0", {}, "", missing],
    ["echo@1.0", { "A2A-Version": " " }, "", missing],
    ["echo@1.0", { "A2A-Version": "0.3" }, "", "This interface does not support A2A 0.3. It supports 1.0"],
    ["echo@1.0", {}, "?A2A-Version=7.5", "This interface does not support A2A 7.5. It supports 1.0"],
    [
      "echo@1.0",
      { "A2A-Version": "latest" },
      "",
      '"latest" is not a version of A2A (write it like 1.0). This interface supports 1.0',
    ],
    [
      "echo@1.0",
      {},
      "?A2A-Version=v1",
      '"v1" is not a version of A2A (write it like 1.0). This interface supports 1.0',
    ],
    ["spec", {}, "", `A2A 0.3, which a request without A2A-Version means, has no method SendMessage, but ${wording}`],
    ["spec", { "A2A-Version": "0.3" }, "", `A2A 0.3 has no method SendMessage, but ${wording}`],
    ["spec", { "A2A-Version": "9.9" }, "", "This interface does not support A2A 9.9. It supports 1.0 and 0.3"],
  ])("/%s, %j, %j", async (agent, headers, query, message) => {
    expect(await told(agent, headers, query)).toEqual([-32009, "VERSION_NOT_SUPPORTED", message]);
  });
});
