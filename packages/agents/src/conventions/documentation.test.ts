import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { actsBehaviours } from "./acts.ts";
import { pageConversations } from "./page-v0.1.ts";
import { tckScripts } from "./tck.ts";

const page = await readFile(new URL("../../../../docs/conventions.md", import.meta.url), "utf8");

test.each([
  ["TCK", tckScripts],
  ["ACTS", actsBehaviours],
  ["The page of 0.1", pageConversations],
])("docs/conventions.md lists what %s can ask for, in the order of the code", (suite, behaviours) => {
  const [, section = ""] = page.split(`\n## ${suite}\n`);
  const rows = [...section.split("\n## ", 1)[0]!.matchAll(/^\| `([^`]+)` \|/gm)].map(([, trigger]) => trigger);
  expect(rows).toEqual(Object.keys(behaviours));
});
