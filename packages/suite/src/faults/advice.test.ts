import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { adviceRows } from "./advice.ts";
import { faultSituations } from "./index.ts";

const root = resolve(import.meta.dirname, "../../../..");

test("docs/faults.md lists every row of advice", () => {
  const page = readFileSync(resolve(root, "docs/faults.md"), "utf8");
  const listed = page.split("\n").filter((line) => line.startsWith("| FAULT-"));
  expect(listed).toEqual(
    Object.entries(adviceRows).map(([id, { breaks, remedy }]) => `| ${id} | ${breaks} | ${remedy} |`),
  );
});

test.each(["docs/cli.md", "packages/viewer/src/pages/test/actions.tsx"])("%s names the number of messages", (file) => {
  const messages = faultSituations.reduce((sum, { observation }) => sum + observation.messages, 0);
  expect(readFileSync(resolve(root, file), "utf8")).toContain(`up to ${messages} more messages`);
});
