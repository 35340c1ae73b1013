import { expect, test } from "vitest";
import { secretsInGivenHeader, secretsInHeader } from "./credential-headers.ts";

test.each<[header: string, value: string, secrets: string[]]>([
  ["Authorization", "Bearer abc.def", ["Bearer abc.def", "abc.def"]],
  ["authorization", "opaque", ["opaque"]],
  [
    "Authorization",
    `Basic ${Buffer.from("me:pass:word").toString("base64")}`,
    ["Basic bWU6cGFzczp3b3Jk", "bWU6cGFzczp3b3Jk", "pass:word"],
  ],
  ["Cookie", "sid=31d4; theme=dark", ["sid=31d4; theme=dark", "31d4", "dark"]],
  ["X-Vendor-Token", "t0ken", ["t0ken"]],
  ["Ocp-Apim-Subscription-Key", "k1", ["k1"]],
  ["A2A-Extensions", "https://example.com/ext", []],
  ["X-Monkey", "banana", []],
])("%s: %s holds %j", (header, value, secrets) => {
  expect(secretsInHeader(header, value).map((each) => each.value)).toEqual(secrets);
});

test("a header that the operator calls a secret is one, whatever its name", () => {
  expect(secretsInHeader("X-Monkey", "Token abc", true)).toEqual([
    { name: "x-monkey", value: "Token abc" },
    { name: "x-monkey", value: "abc" },
  ]);
});

test.each<[header: string, value: string, secrets: string[]]>([
  ["X-Trace", "s3cret-value", ["s3cret-value"]],
  ["X-Tenant", "Bearer s3cret", ["Bearer s3cret", "s3cret"]],
  ["X-Note", "hello world", ["hello world"]],
  ["User-Agent", "s3cret-value", ["s3cret-value"]],
  ["Accept", "text/s3cret-value, s3cret", ["text/s3cret-value, s3cret"]],
  ["Accept-Language", "s3cretvalue", ["s3cretvalue"]],
  ["A2A-Extensions", "https://e.example/x?key=s3cret", ["https://e.example/x?key=s3cret"]],
  ["A2A-Extensions", "https://e.example/x, https://e.example/y/v1", []],
  ["User-Agent", "my-client/1.2", []],
  ["A2A-Version", "1.0", []],
  ["Accept", "application/json, text/event-stream;q=0.9, */*", []],
  ["Accept-Encoding", "gzip, br", []],
  ["Accept-Language", "de-CH, en;q=0.8", []],
  ["Cache-Control", "no-cache", []],
  ["Content-Type", "application/a2a+json; charset=utf-8", []],
])("the operator's header %s: %s contains the secrets %j", (header, value, secrets) => {
  expect(secretsInGivenHeader(header, value).map((each) => each.value)).toEqual(secrets);
});

test("long values are read in time that grows with their length", () => {
  for (const name of ["Accept", "Accept-Language", "Accept-Encoding", "Content-Type"])
    expect(secretsInGivenHeader(name, "a/a,".repeat(50_000))).toHaveLength(1);
});
