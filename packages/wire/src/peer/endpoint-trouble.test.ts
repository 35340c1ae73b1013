import type { Binding } from "@assay/protocol";
import { expect, test } from "vitest";
import type { Exchange } from "../recording/exchange.ts";
import { otherAnswer } from "./endpoint-trouble.ts";

const answered = (status: number, body: string): Exchange =>
  ({
    http: { request: { url: "http://agent.test/" }, response: { status, headers: [], body: Buffer.from(body) } },
  }) as unknown as Exchange;

test.each<[Binding, number, string, string]>([
  ["JSONRPC", 404, "Not Found", "answered HTTP 404"],
  ["JSONRPC", 400, '{"error":{"message":"no model"}}', "answered with JSON that is not JSON-RPC"],
  ["JSONRPC", 200, "OK", "answered HTTP 200"],
  ["HTTP+JSON", 404, '{"error":{"code":404,"message":"no such page"}}', "answered HTTP 404"],
  ["HTTP+JSON", 200, '{"status":"up"}', "answered with JSON that is not A2A"],
])("over %s, HTTP %i with %s", (binding, status, body, words) => {
  expect(otherAnswer(answered(status, body), binding)).toBe(words);
});
