import type { DialectVersion } from "@assay/protocol";
import { expect, test } from "vitest";
import type { HttpClient } from "../client/http.ts";
import { meantByOlderCard, probeEveryDialect, readFoundCard } from "./probe.ts";

/** An agent that answers each method with this JSON; "dropped" stands for no answer. */
const answering = (answers: Readonly<Record<string, object | "dropped">>): HttpClient =>
  ({
    async request({ body }: { readonly body: Buffer }) {
      const { method } = JSON.parse(body.toString()) as { method: string };
      const answer = answers[method] ?? answers["any"] ?? refusal(-32601);
      if (answer === "dropped") return { http: {} };
      const json = JSON.stringify({ jsonrpc: "2.0", ...answer });
      return { http: { response: { status: 200, headers: [], body: Buffer.from(json) } } };
    },
    // Nothing else of a client is asked for here.
  }) as unknown as HttpClient;

const refusal = (code: number, data?: unknown) => ({
  error: { code, message: "no", ...(data !== undefined && { data }) },
});
const noSuchTag = [{ msg: "Input tag 'message/send' found using 'method' does not match any of the expected tags" }];

test.each([
  ["who says what is missing", { id: 1, ...refusal(-32601) }, { id: 1, ...refusal(-32602) }],
  [
    "the Python server of 0.1, whose errors have no id",
    refusal(-32600, noSuchTag),
    refusal(-32600, [{ msg: "missing" }]),
  ],
  [
    "the JS server of 0.1, whose errors lie inside others",
    { id: null, ...refusal(-32603, { jsonrpc: "2.0", id: 1, ...refusal(-32601) }) },
    { id: null, ...refusal(-32603, { jsonrpc: "2.0", id: 1, ...refusal(-32602) }) },
  ],
])("an agent of 0.1 is known by the methods it has: %s", async (_who, message, task) => {
  const client = answering({ "message/send": message, "tasks/send": task });
  expect(await probeEveryDialect(client, "http://agent.example/")).toMatchObject({ found: [{ dialect: "0.1" }] });
});

const dialectsOf = async (answers: Readonly<Record<string, object | "dropped">>) =>
  (await probeEveryDialect(answering(answers), "http://agent.example/")).found.map(({ dialect }) => dialect);

test("an agent that breaks down over a method knows it, where it answers others", async () => {
  expect(await dialectsOf({ "tasks/get": refusal(-32602), "tasks/send": "dropped" })).toEqual(["0.1"]);
  expect(await dialectsOf({ any: "dropped" })).toEqual([]);
});

test.each([-32600, -32603, -32602])(
  "an agent that says %i of an unknown method is known by what it says else",
  async (code) => {
    const known = code === -32602 ? refusal(-32001) : refusal(-32602);
    expect(await dialectsOf({ any: refusal(code), "tasks/get": known, "tasks/send": known })).toEqual(["0.1"]);
    expect(await dialectsOf({ any: refusal(code), "tasks/get": known, "message/send": known })).toEqual(["0.2"]);
    expect(await dialectsOf({ any: refusal(code), GetTask: known })).toEqual(["1.0"]);
    expect(await dialectsOf({ any: refusal(code) })).toEqual([]);
  },
);

test("one that accepts everything tells nothing", async () => {
  expect(await dialectsOf({ any: { id: 1, result: {} } })).toEqual([]);
});

test("an older card means an older version before it means 1.0", () => {
  const spoken = (...dialects: DialectVersion[]) => dialects.map((dialect) => ({ dialect, because: "asked" }));
  const by = (dialect: DialectVersion) => [{ dialect, because: "members" }];
  const { dialect, because } = meantByOlderCard(spoken("1.0", "0.3", "0.1"), by("0.1"))!;
  expect([dialect, because]).toEqual(["0.1", "members; asked"]);
  expect(meantByOlderCard(spoken("1.0", "0.3", "0.1"), by("0.2"))?.dialect).toBe("0.3");
  expect(meantByOlderCard(spoken("1.0"), by("0.2"))).toEqual({ dialect: "1.0", because: "asked" });
  expect(meantByOlderCard([], by("0.2"))).toBeUndefined();
});

test.each(["htup://agent.example/", "not a url", "/a2a"])("an agent at %s is not probed", async (url) => {
  const json = { name: "old", url, version: "1", capabilities: {}, authentication: { schemes: [] }, skills: [] };
  const unreachable = {
    request: () => Promise.reject(new Error("nothing is sent")),
  } as unknown as HttpClient;
  expect((await readFoundCard(unreachable, { json })).interfaces).toMatchObject([{ url, dialect: "0.1" }]);
});
