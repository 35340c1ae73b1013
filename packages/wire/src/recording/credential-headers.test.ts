import { expect, test } from "vitest";
import { secretsInHeader } from "./credential-headers.ts";

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
