import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { script, scriptDigest } from "./script.ts";

test("the policy of a page names the digest of its script; after a change, put this one into script.ts", () => {
  expect(scriptDigest).toBe(createHash("sha256").update(script).digest("base64"));
});

test("the script can stand in a page: it neither ends its element nor opens a comment", () => {
  expect(script).not.toMatch(/<\/script|<!--/i);
});
