import { expect, test } from "vitest";
import { causesOf } from "../causes/shared-causes.ts";
import { sampleMatrix } from "../document/sample.fixture.ts";
import { compareMatrices } from "./compare.ts";
import { upstreamIssues } from "./issue.ts";
import { scoreText } from "./labels.ts";
import { matrixReadme } from "./readme.ts";
import { scenarioTables } from "./scenario-table.ts";
import { gradeOf, pairTable, scoreOf } from "./scores.ts";
import { sdkSummaries } from "./sdk-summary.ts";
import { wiresOf, wireTitle } from "./wires.ts";

const matrix = sampleMatrix();

test("a table for each wire: clients down, servers across, passed of those tried", () => {
  expect(wiresOf(matrix).map(wireTitle)).toEqual(["JSON-RPC 1.0", "gRPC 1.0"]);
  const shown = wiresOf(matrix).map((wire) =>
    pairTable(matrix, wire).rows.map((row) => row.map((pair) => pair && scoreText(pair.score))),
  );
  expect(shown).toEqual([
    [
      ["3 of 4", "2 of 4"],
      ["4 of 4", "3 of 4"],
    ],
    [
      ["2 of 3", "1 of 3"],
      ["3 of 3", "2 of 3"],
    ],
  ]);
});

test("a table of scenarios and SDKs against one test bed, for clients and for servers", () => {
  const shown = scenarioTables(matrix).map(({ role, bed, sdks, rows }) => ({
    role,
    bed: bed.name,
    sdks: sdks.map(({ name }) => name),
    rows: rows.map(({ scenario, scores }) => [scenario.id, ...scores.map((score) => score && scoreText(score))]),
  }));
  expect(shown).toMatchInlineSnapshot(`
    [
      {
        "bed": "alpha",
        "role": "client",
        "rows": [
          [
            "spec-get-task",
            "2 of 2",
            "2 of 2",
          ],
          [
            "spec-streaming",
            "0 of 2",
            "2 of 2",
          ],
          [
            "error-task-not-found",
            "2 of 2",
            "2 of 2",
          ],
          [
            "error-push-not-supported",
            "1 of 1",
            "1 of 1",
          ],
        ],
        "sdks": [
          "alpha",
          "beta",
        ],
      },
      {
        "bed": "alpha",
        "role": "server",
        "rows": [
          [
            "spec-get-task",
            "2 of 2",
            "2 of 2",
          ],
          [
            "spec-streaming",
            "0 of 2",
            "0 of 2",
          ],
          [
            "error-task-not-found",
            "2 of 2",
            "0 of 2",
          ],
          [
            "error-push-not-supported",
            "1 of 1",
            "1 of 1",
          ],
        ],
        "sdks": [
          "alpha",
          "beta",
        ],
      },
    ]
  `);
});

test("an SDK is summarised in both roles, with the failures that it causes", () => {
  const shown = sdkSummaries(matrix, causesOf(matrix)).map(({ driver, asClient, asServer, causes, failed }) => [
    driver.name,
    asClient && scoreText(asClient),
    asServer && scoreText(asServer),
    causes.map(({ id }) => id),
    failed,
  ]);
  expect(shown).toEqual([
    ["alpha", "8 of 14", "12 of 14", ["client/alpha/surfaced/SendStreamingMessage/unexpected-error"], 4],
    ["beta", "12 of 14", "8 of 14", ["server/beta/ERR-020"], 4],
  ]);
});

test("the readme fits on one screen", () => {
  const text = matrixReadme(matrix, { details: "details.md" });
  expect(text).toContain("| `alpha` | 1.2.3 | ✗ 8 of 14 | ! 12 of 14 | 4 (1 cause) |");
  expect(text.split("\n").length).toBeLessThan(20);
});

test("what an SDK does not have is neither passed nor red", () => {
  const none = { passed: 0, failed: 0, known: 0, unsupported: 0, left: 0 };
  expect([
    gradeOf({ ...none, passed: 4 }),
    gradeOf({ ...none, passed: 4, failed: 1 }),
    gradeOf({ ...none, passed: 3, failed: 1 }),
    gradeOf({ ...none, failed: 1 }),
    gradeOf({ ...none, unsupported: 1 }),
    gradeOf({ ...none, left: 1 }),
  ]).toEqual(["all", "most", "some", "none", "unsupported", "empty"]);
});

test("red cells with one cause are one cause with a list", () => {
  expect(
    causesOf(matrix).map(({ id, cells, clients, servers, wires }) => ({
      id,
      n: cells.length,
      clients,
      servers,
      wires,
    })),
  ).toEqual([
    {
      id: "client/alpha/surfaced/SendStreamingMessage/unexpected-error",
      n: 4,
      clients: ["alpha"],
      servers: ["alpha", "beta"],
      wires: ["JSON-RPC 1.0", "gRPC 1.0"],
    },
    {
      id: "server/beta/ERR-020",
      n: 4,
      clients: ["alpha", "beta"],
      servers: ["beta"],
      wires: ["JSON-RPC 1.0", "gRPC 1.0"],
    },
  ]);
});

test("what holds cells up is one cause, not clear whose where it does not say", () => {
  const held = sampleMatrix((cell) =>
    cell.server === "beta" ? { ...cell, outcome: "blocked", cause: "not-started/beta" } : cell,
  );
  const causes = [
    { id: "not-started/beta", kind: "not-started", server: "beta", says: "it did not start", exchanges: [], cells: 16 },
  ] as const;
  const [first] = causesOf({ ...held, causes });
  expect(first).toMatchObject({ whose: "unclear", title: "it did not start", cells: { length: 16 } });
});

test("what is known comes behind what is not", () => {
  const known = { driver: "alpha", role: "client", why: "w" } as const;
  const { cells } = sampleMatrix((cell) => (cell.client === "alpha" ? { ...cell, known } : cell));
  expect(causesOf({ ...matrix, cells }).map(({ whose, known: n }) => [whose, n])).toEqual([
    ["server", 2],
    ["client", 4],
  ]);
  expect(scoreOf(cells)).toMatchObject({ failed: 8, known: 6 });
});

test("from one matrix to the next: fixed, broken, found, still and gone", () => {
  const passing = sampleMatrix((cell) =>
    cell.scenario === "error-task-not-found" && cell.outcome === "failed" ? { ...cell, outcome: "passed" } : cell,
  );
  expect(compareMatrices(matrix, passing)).toMatchObject({
    counts: { fixed: 4, broken: 0, found: 0, still: 4, gone: 0 },
    goneCauses: ["server/beta/ERR-020"],
    regressed: false,
  });
  expect(compareMatrices(passing, matrix)).toMatchObject({
    counts: { fixed: 0, broken: 4, found: 0, still: 4, gone: 0 },
    newCauses: ["server/beta/ERR-020"],
    regressed: true,
  });
  const fewer = {
    ...matrix,
    drivers: matrix.drivers.map((driver) => ({ ...driver, version: "2.0.0" })),
    cells: matrix.cells.filter(({ client }) => client === "beta"),
  };
  expect(compareMatrices(matrix, fewer)).toMatchObject({ counts: { gone: 6, still: 2 }, packages: { length: 2 } });
  expect(compareMatrices(fewer, matrix)).toMatchObject({ counts: { found: 6, still: 2, broken: 0 } });
});

test("a text that can be filed with the SDK at fault", () => {
  const [client, server] = causesOf(matrix).map((cause) => upstreamIssues(matrix, cause)[0]!);
  expect(client).toMatchObject({ package: "example.com/alpha" });
  expect(server).toMatchInlineSnapshot(`
    {
      "body": "Version: \`example.com/beta 1.2.3\` (Go), its server. Seen with the client of \`example.com/alpha 1.2.3\` (Go), over JSON-RPC 1.0 of A2A.

    ### What happens

    an unknown task is \`-32603\`

    ### Sent

    \`\`\`
    POST http://127.0.0.1:4123/spec
    Content-Type: application/json
    A2A-Version: 1.0

    {"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"none"}}
    \`\`\`

    ### Seen

    \`\`\`
    200 OK
    content-type: application/json

    {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"KeyError"}}
    \`\`\`

    ### Wanted

    TaskNotFound (-32001)

    ### What the specification requires

    - MUST: GetTask of a task that does not exist is TaskNotFoundError. ([§3.1.3 of the specification](https://a2a-protocol.org/latest/specification/#313-get-task))

    ### How to reproduce

    \`\`\`
    curl -s 'http://127.0.0.1:4123/spec' -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' -d '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"none"}}'
    \`\`\`

    Seen in 4 combinations: over JSON-RPC 1.0, gRPC 1.0, with the clients of \`alpha\`, \`beta\`.
    ",
      "package": "example.com/beta",
      "title": "Server: GetTask: an unknown task is -32603",
    }
  `);
});

test("no issue is made where no side is at fault", () => {
  const [cause] = causesOf(matrix);
  for (const whose of ["specification", "unclear"] as const)
    expect(upstreamIssues(matrix, { ...cause!, whose })).toEqual([]);
  expect(upstreamIssues(matrix, { ...cause!, whose: "both" }).map(({ title }) => title.slice(0, 7))).toEqual([
    "Client:",
    "Server:",
  ]);
});
