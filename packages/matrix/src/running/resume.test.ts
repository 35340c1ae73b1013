import { expect, test } from "vitest";
import type { DriverDescription } from "../driver/description.ts";
import { type ChainRecord, packageOf } from "./record.ts";
import { resumable } from "./resume.ts";

const speaks = { "1.0": ["JSONRPC"] } as const;
const driver = (name: string, version: string): DriverDescription => ({
  ...{
    folder: `/${name}`,
    name,
    title: name,
    language: "Go",
    package: name,
    version,
    model: "1.0",
    needs: [],
    setup: [],
  },
  ...{ client: { command: ["client"], speaks }, server: { command: ["server"], speaks }, unsupported: [] },
});
const drivers = [driver("one", "1.0.0"), driver("two", "1.0.0")];
const suite = { version: "1", scenarios: "sha256:s" };
const plan = { drivers, suite, chain: true, file: { suites: [] } as never };

const relayed: ChainRecord = {
  ...{ is: "chain", id: "chain/jsonrpc/1.0", duration_ms: 1, exchanges: [] },
  chain: { binding: "JSONRPC", version: "1.0", servers: ["one", "two"], edges: [], instructions: 1, duration_ms: 1 },
  seal: { servers: Object.fromEntries(drivers.map((each) => [each.name, packageOf(each, "server")])), suite },
};

test("a relay between the same servers is used again", () => {
  expect(resumable(plan)(relayed)).toBe(relayed);
});

test.each([
  ["another version of a server", { drivers: [drivers[0]!, driver("two", "1.0.1")] }],
  ["another server", { drivers: [...drivers, driver("three", "1.0.0")] }],
  ["fewer servers", { only: ({ server }: { server: DriverDescription }) => server.name === "one" }],
  ["another version of Assay", { suite: { ...suite, version: "2" } }],
  ["--no-chain", { chain: false }],
])("a relay is not used with %s", (_, other) => {
  expect(resumable({ ...plan, ...other })(relayed)).toBeUndefined();
});
