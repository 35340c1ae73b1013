import type { HarEntry } from "@assay/wire";
import { expect, test } from "vitest";
import { repeatLine } from "./repeat.ts";

const entry = (request: Partial<HarEntry["request"]>, mimeType = "application/json"): HarEntry =>
  ({
    request: { method: "POST", url: "http://127.0.0.1:4040/spec", headers: [], httpVersion: "HTTP/1.1", ...request },
    response: { content: { mimeType } },
  }) as unknown as HarEntry;

const json = (text: string): HarEntry["request"]["postData"] => ({ mimeType: "application/json", text });

test("a request becomes a line of curl that says only what matters", () => {
  const headers = [
    { name: "Host", value: "127.0.0.1:4040" },
    { name: "A2A-Version", value: "1.0" },
    { name: "Content-Length", value: "2" },
  ];
  expect(repeatLine(entry({ headers, postData: json("{}")! }))).toBe(
    "curl -s 'http://127.0.0.1:4040/spec' -H 'A2A-Version: 1.0' -d '{}'",
  );
});

test("a stream is read as it comes, and a verb that curl would not guess is named", () => {
  expect(repeatLine(entry({ method: "DELETE" }, "text/event-stream"))).toBe(
    "curl -sN -X 'DELETE' 'http://127.0.0.1:4040/spec'",
  );
});

test("text from an agent cannot leave the shell quotes", () => {
  expect(repeatLine(entry({ postData: json("'; rm -rf /; '")! }))).toBe(
    "curl -s 'http://127.0.0.1:4040/spec' -d ''\\''; rm -rf /; '\\'''",
  );
});

test("a masked secret is taken from the environment", () => {
  const headers = [{ name: "Authorization", value: "Bearer «secret:bearer»" }];
  expect(repeatLine(entry({ method: "GET", headers }))).toBe(
    `curl -s 'http://127.0.0.1:4040/spec' -H 'Authorization: Bearer '"$ASSAY_BEARER"''`,
  );
});

test("a call of gRPC becomes a line of grpcurl, with its message as JSON", () => {
  const headers = [
    { name: ":path", value: "/lf.a2a.v1.A2AService/GetTask" },
    { name: "te", value: "trailers" },
    { name: "a2a-version", value: "1.0" },
  ];
  const url = "http://127.0.0.1:4040/lf.a2a.v1.A2AService/GetTask";
  expect(repeatLine(entry({ httpVersion: "HTTP/2", url, headers }), '{"id":"1"}')).toBe(
    `grpcurl -plaintext -H 'a2a-version: 1.0' -d '{"id":"1"}' '127.0.0.1:4040' 'lf.a2a.v1.A2AService/GetTask'`,
  );
});

test("what cannot be written as text has no such line", () => {
  expect(repeatLine(entry({ httpVersion: "HTTP/2" }))).toBe(undefined);
  const bytes = { mimeType: "", text: "AAA=", _encoding: "base64" } as const;
  expect(repeatLine(entry({ postData: bytes }))).toBe(undefined);
});
