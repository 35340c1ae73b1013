import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import { type Change, startOddAgent } from "./odd-agent.fixture.ts";
import { check, subjects } from "./two-versions.fixture.ts";

async function checkOdd(change: Parameters<typeof startOddAgent>[0] = {}): ReturnType<typeof check> {
  const { url, server } = await startOddAgent(change);
  try {
    return await check(url);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test("an agent of two versions that is legal and unusual is equivalent", async () => {
  const found = await checkOdd();
  expect({ outcome: found.outcome, differs: subjects(found, "differs"), broken: found.broken }).toEqual({
    outcome: "equivalent",
    differs: [],
    broken: [],
  });
});

/** Changes the first artifact, or a part of it. */
const artifact =
  (change: Change): Change =>
  (task) => ({ ...task, artifacts: [change((task["artifacts"] as JsonObject[])[0]!)] });
const part = (at: number, change: Change): Change =>
  artifact((json) => ({
    ...json,
    parts: (json["parts"] as JsonObject[]).map((each, index) => (index === at ? change(each) : each)),
  }));
const without =
  (...names: readonly string[]): Change =>
  (json) =>
    Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));

test.concurrent.each([
  ["artifacts", "1.0", { newer: without("artifacts") }],
  ["history", "0.3", { older: without("history") }],
  ["artifacts[0].parts[1]", "1.0", { newer: part(1, without("data")) }],
  ["artifacts[0].parts[0].filename", "1.0", { newer: part(0, without("filename")) }],
  [
    "artifacts[0].parts[0].mediaType",
    "0.3",
    { older: part(0, ({ file, ...rest }) => ({ ...rest, file: without("mimeType")(file as JsonObject) })) },
  ],
  ["artifacts[0].description", "1.0", { older: artifact((json) => ({ ...json, description: "What it is." })) }],
  ["artifacts[0].name", "0.3", { newer: artifact((json) => ({ ...json, name: "What it is." })) }],
] as const)("a difference in %s is named, if %s loses it", async (path, _, change) => {
  const found = await checkOdd(change);
  const told = found.compared.flatMap(({ comparisons }) => comparisons.filter(({ is }) => is === "differs"));
  expect({ outcome: found.outcome, told: told.map(({ message }) => message) }).toEqual({
    outcome: "different",
    told: [expect.stringContaining(path)],
  });
});
