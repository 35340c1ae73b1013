import { join } from "node:path";
import { type ClientTestOptions, testClient } from "@assay/clients";
import { foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { describe, expect, test } from "vitest";
import { pythonOf } from "../sdks/server.fixture.ts";

// The clients of official SDKs in the programs of sdks/, each over every binding that it has, in a few situations: what is said of them
// is what docs/findings says.

const programs = join(import.meta.dirname, "../../sdks/clients");

interface Tested {
  readonly bindings: readonly (string | undefined)[];
  /** the rule, and where it is broken */
  readonly broken: readonly string[];
}

async function tested(options: Pick<ClientTestOptions, "command" | "dialects" | "situations">): Promise<Tested> {
  const events: RunEvent[] = [];
  const more = { env: process.env, run: "sdk", version: "0.0.0", timeout: 30_000 };
  for await (const event of testClient({ ...more, ...options })) events.push(event);
  const report = foldRun(events);
  const broken = resultsOf(report)
    .filter(({ verdict, warning }) => verdict === "fail" || warning !== undefined)
    .map((result) => `${result.test} ${result.interface?.binding}`);
  return { bindings: report.interfaces.map(({ binding }) => binding), broken: broken.toSorted() };
}

const everyBinding = ["JSONRPC", "HTTP+JSON", "GRPC"];
const node = (...words: readonly string[]): readonly string[] => [
  process.execPath,
  join(programs, words[0]!),
  ...words.slice(1),
];

test("@a2a-js/sdk 1.3.0 speaks 1.0 over every binding, and labels JSON as 1.0.0 had it", async () => {
  const said = await tested({
    command: node("a2a-js.mjs"),
    dialects: ["1.0"],
    situations: ["chunks", "tenant"],
  });
  expect(said).toEqual({ bindings: everyBinding, broken: ["REST-014 HTTP+JSON"] });
});

test("@a2a-js/sdk 0.3.14 loses chunks over HTTP+JSON and gRPC, and lines of events", async () => {
  const said = await tested({
    command: node("a2a-js-0.3.mjs"),
    dialects: ["0.3"],
    situations: ["chunks", "odd-events"],
  });
  expect(said).toEqual({
    bindings: everyBinding,
    // Over HTTP+JSON the lines are lost as well; the program takes the error for a connection that was cut off.
    broken: ["JSONRPC-028 JSONRPC", "STREAM-027 GRPC", "STREAM-027 HTTP+JSON"],
  });
});

const python = pythonOf("a2a-python");

describe.skipIf(!python)("a2a-sdk 1.3.0", () => {
  test("speaks 1.0 over every binding, and labels JSON as 1.0.0 had it", async () => {
    const said = await tested({
      command: [python!, join(programs, "a2a_python.py")],
      dialects: ["1.0"],
      situations: ["login"],
    });
    expect(said).toEqual({ bindings: everyBinding, broken: ["REST-014 HTTP+JSON"] });
  });
});
