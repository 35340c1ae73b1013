import { expect, test } from "vitest";
import type { HttpClient } from "../client/http.ts";
import { probeDialect } from "./probe.ts";

/** An agent that answers each method with this JSON. */
const answering = (answers: Readonly<Record<string, object>>): HttpClient =>
  ({
    async request({ body }: { readonly body: Buffer }) {
      const { method } = JSON.parse(body.toString()) as { method: string };
      const json = JSON.stringify({ jsonrpc: "2.0", ...answers[method] });
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
  expect(await probeDialect(client, "http://agent.example/")).toMatchObject({ found: [{ dialect: "0.1" }] });
});
