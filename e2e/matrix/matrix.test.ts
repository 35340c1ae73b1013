import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Cell, MatrixAssembly, type MatrixDocument, readDriver, readMatrix, runMatrix } from "@assay/matrix";
import { readCorpus } from "@assay/scenarios";
import { describe, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { pythonOf } from "../sdks/server.fixture.ts";

const root = join(import.meta.dirname, "../..");
const [file] = readCorpus([join(root, "acceptance.yaml")]);
const suite = { version: "test", scenarios: "test" };

interface Part {
  /** client → servers, in a version */
  readonly pairs: readonly (readonly [client: string, version: "1.0" | "0.3", servers: readonly string[]])[];
  readonly bindings?: readonly string[];
  readonly scenarios: readonly string[];
  readonly chain?: boolean;
}

const folderOf = (name: string): string => {
  const own = join(import.meta.dirname, "drivers", name);
  return existsSync(own) ? own : join(root, "sdks", name);
};

/** A part of the matrix, as a document that was read back. */
async function matrixOf({ pairs, bindings = ["JSONRPC"], scenarios, chain = false }: Part): Promise<MatrixDocument> {
  const names = [...new Set(pairs.flatMap(([client, , servers]) => [client, ...servers]))];
  const drivers = names.map((name) => readDriver(folderOf(name)));
  const assembly = new MatrixAssembly();
  const startedAt = new Date().toISOString();
  await runMatrix({
    drivers,
    file: file!,
    suite,
    only: ({ client, server, binding, version }) =>
      bindings.includes(binding) &&
      pairs.some(([one, spoken, others]) => one === client.name && spoken === version && others.includes(server.name)),
    onlyTests: ({ id }) => scenarios.includes(id),
    jobs: 3,
    spareBytes: 0,
    env: { ...process.env, ASSAY_SKILLS: join(root, "sdks/skills.json"), ASSAY_TIME_SCALE: "0.1" },
    signal: new AbortController().signal,
    chain,
    record: (record) => assembly.add(record),
  });
  const facts = { version: suite.version, startedAt, timeScale: 0.1, drivers, file: file!, known: [] };
  return readMatrix(JSON.stringify(assembly.document(facts)));
}

const told = ({ cells }: MatrixDocument): string[] =>
  cells.map(({ id, outcome, because }) => `${outcome} ${id}${because === undefined ? "" : `: ${because}`}`);

const cellsOf = ({ cells }: MatrixDocument, scenario: string): readonly Cell[] =>
  cells.filter((cell) => cell.scenario === scenario);

const scenarios = ["echo-send-message", "spec-task-lifecycle", "error-task-not-found", "stream-message-only"];

// `npm test` has the drivers in JavaScript, which need no set-up.
describe("SDKs of three languages", () => {
  test("Assay and the JavaScript SDK understand each other, over each binding; a relay leads to and fro", async () => {
    const both = ["assay", "a2a-js"];
    const bindings = ["JSONRPC", "HTTP+JSON", "GRPC"];
    const pairs = both.map((client) => [client, "1.0", both.filter((server) => server !== client)] as const);
    const matrix = await matrixOf({ pairs, bindings, scenarios, chain: true });
    expect(told(matrix).filter((line) => !line.startsWith("passed"))).toEqual([]);
    expect(matrix.cells).toHaveLength(2 * bindings.length * scenarios.length);
    expect(matrix.chains.flatMap(({ edges }) => edges.map(({ outcome }) => outcome))).toEqual(Array(6).fill("passed"));
  });

  testIf(provesAll && pythonOf("a2a-python") !== undefined)("Python and JavaScript understand each other", async () => {
    const pairs = [
      ["a2a-python", "1.0", ["a2a-js", "a2a-python"]],
      ["a2a-js", "1.0", ["a2a-python"]],
    ] as const;
    const matrix = await matrixOf({ pairs, scenarios });
    expect(told(matrix).filter((line) => !line.startsWith("passed"))).toEqual([]);
  });

  testIf(provesAll && existsSync(join(root, "sdks/a2a-java-0.3/client/build/assay-made")))(
    "Java understands Assay and the JavaScript SDK, in 0.3",
    async () => {
      const matrix = await matrixOf({ pairs: [["a2a-java-0.3", "0.3", ["assay", "a2a-js-0.3"]]], scenarios });
      // Agents of 0.3 have cards of their own in the test bed, and echo has none.
      const missing = "not-applicable a2a-java-0.3/assay/jsonrpc/0.3/echo-send-message: the server has no agent echo03";
      expect(told(matrix).filter((line) => !line.startsWith("passed"))).toEqual([missing]);
    },
  );
});

test("a client that dies costs the cells in which it died, with the last of its stderr", async () => {
  const matrix = await matrixOf({
    pairs: [["dying", "1.0", ["assay"]]],
    scenarios: ["agent-card-echo", "stream-message-only", "spec-task-lifecycle"],
  });
  expect(cellsOf(matrix, "agent-card-echo")).toMatchObject([{ outcome: "passed" }]);
  expect(cellsOf(matrix, "spec-task-lifecycle")).toMatchObject([{ outcome: "unsupported" }]);
  expect(cellsOf(matrix, "stream-message-only")).toMatchObject([
    {
      outcome: "failed",
      failure: { code: "died", onTheWire: "unseen" },
      stderr: { client: "out of streams\n" },
      blame: { whose: "client" },
    },
  ]);
});

test("a card that cannot be read is one cause, however many cells and bindings it holds up", async () => {
  const matrix = await matrixOf({
    pairs: [["assay", "1.0", ["cardless"]]],
    bindings: ["JSONRPC", "HTTP+JSON"],
    scenarios: ["echo-send-message", "spec-task-lifecycle", "spec-get-task"],
  });
  expect(matrix.causes).toMatchObject([{ kind: "card", client: "assay", server: "cardless", cells: 6 }]);
  expect(matrix.cells.map(({ outcome }) => outcome)).toEqual(Array(6).fill("blocked"));
});
