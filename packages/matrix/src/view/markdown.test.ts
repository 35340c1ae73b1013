import { expect, test } from "vitest";
import { sampleMatrix } from "../document/sample.fixture.ts";
import { matrixMarkdown } from "./markdown.ts";
import { versionText } from "./participants.ts";

test("tables, then what is red by its cause", () => {
  const earlier = sampleMatrix((cell) => (cell.client === "alpha" ? { ...cell, outcome: "passed" } : cell));
  expect(matrixMarkdown(sampleMatrix(), earlier)).toMatchInlineSnapshot(`
    "# Which client works with which server

    **20 of 28 cells passed.** 8 failed for 2 causes. Not supported by an SDK: 4. Not applicable or not run: 0.

    Assay \`0.1.0\`, 2026-11-16, 10 min on 2 cores.

    ## Since 2026-11-16

    0 fixed, 6 broken, 0 new, 2 failing in both.

    - newly failing (6): \`alpha/alpha/jsonrpc/1.0/spec-streaming\`, \`alpha/alpha/grpc/1.0/spec-streaming\`, \`alpha/beta/jsonrpc/1.0/spec-streaming\`, \`alpha/beta/jsonrpc/1.0/error-task-not-found\`, \`alpha/beta/grpc/1.0/spec-streaming\`, \`alpha/beta/grpc/1.0/error-task-not-found\`

    ## JSON-RPC 1.0: 12 of 16

    | client \\ server | \`alpha\` 1.2.3 | \`beta\` 1.2.3 |
    | --- | --- | --- |
    | \`alpha\` 1.2.3 | ✗ 3/4 | ✗ 2/4 |
    | \`beta\` 1.2.3 | ✓ 4/4 | ✗ 3/4 |

    ## gRPC 1.0: 8 of 12

    | client \\ server | \`alpha\` 1.2.3 | \`beta\` 1.2.3 |
    | --- | --- | --- |
    | \`alpha\` 1.2.3 | ✗ 2/3 | ✗ 1/3 |
    | \`beta\` 1.2.3 | ✓ 3/3 | ✗ 2/3 |

    Rows are clients, columns are servers. Each cell shows the scenarios passed of those tried: ✓ all, ! at least four of five, ✗ fewer, – not supported, · not tried. A cell is empty if one of the two does not support the binding and version.

    ## SDK clients against the server of \`alpha\`, by scenario

    | scenario | \`alpha\` 1.2.3 | \`beta\` 1.2.3 |
    | --- | --- | --- |
    | \`spec-get-task\` | ✓ 2/2 | ✓ 2/2 |
    | \`spec-streaming\` | ✗ 0/2 | ✓ 2/2 |
    | \`error-task-not-found\` | ✓ 2/2 | ✓ 2/2 |
    | \`error-push-not-supported\` | ✓ 1/1 | ✓ 1/1 |

    Each cell shows the bindings and versions passed of those tried.

    ## SDK servers against the client of \`alpha\`, by scenario

    | scenario | \`alpha\` 1.2.3 | \`beta\` 1.2.3 |
    | --- | --- | --- |
    | \`spec-get-task\` | ✓ 2/2 | ✓ 2/2 |
    | \`spec-streaming\` | ✗ 0/2 | ✗ 0/2 |
    | \`error-task-not-found\` | ✓ 2/2 | ✗ 0/2 |
    | \`error-push-not-supported\` | ✓ 1/1 | ✓ 1/1 |

    Each cell shows the bindings and versions passed of those tried.

    ## Failures by cause

    ### 1. SendStreamingMessage: the client turns a correct response into ParseError

    **the client** \`alpha\`; 4 failed cells

    The response on the wire is correct. The client's result for its program is not.

    - clients: \`alpha\`
    - servers: \`alpha\`, \`beta\`
    - over: JSON-RPC 1.0, gRPC 1.0
    - scenarios: \`spec-streaming\`

    ### 2. GetTask: an unknown task is \`-32603\`

    **the server** \`beta\`; 4 failed cells; [ERR-020, §3.1.3](https://a2a-protocol.org/latest/specification/#313-get-task)

    The request breaks no rule and matches what the program asked for. The response breaks a rule about servers.

    - clients: \`alpha\`, \`beta\`
    - servers: \`beta\`
    - over: JSON-RPC 1.0, gRPC 1.0
    - scenarios: \`error-task-not-found\`

    ## Drivers

    | driver | language | package | version | |
    | --- | --- | --- | --- | --- |
    | \`alpha\` | Go | \`example.com/alpha\` | 1.2.3 | client, server |
    | \`beta\` | Go | \`example.com/beta\` | 1.2.3 | client, server |
    "
  `);
});

test("the headline says how many failures are known", () => {
  const row = { driver: "beta", role: "server", why: "It forgets." } as const;
  const text = (isKnown: (client: string) => boolean) =>
    matrixMarkdown(
      sampleMatrix((cell) => (cell.outcome === "failed" && isKnown(cell.client) ? { ...cell, known: row } : cell)),
    );
  expect(text(() => true)).toContain(" 8 failed for 2 causes, all of them known. ");
  expect(text((client) => client === "beta")).toContain(" 8 failed for 2 causes, 2 of them known. ");
});

test("several reasons of known failures are a list", () => {
  const row = { driver: "beta", role: "server" } as const;
  const known = (whys: readonly string[]) => {
    let next = 0;
    return matrixMarkdown(
      sampleMatrix((cell) =>
        cell.outcome === "failed" ? { ...cell, known: { ...row, why: whys[next++ % whys.length]! } } : cell,
      ),
    );
  };
  expect(known(["One reason."])).toContain("\n\nKnown: One reason.\n");
  expect(known(["One reason.", "Another."])).toMatch(
    /\n\nKnown:\n\n- (?:One reason|Another)\.\n- (?:One reason|Another)\.\n/,
  );
});

test("a known failure that no longer happens stands at the top", () => {
  const row = {
    driver: "beta",
    role: "server",
    scenarios: ["spec-*"],
    causes: ["answer-differs"],
    why: "It forgets.",
  } as const;
  const text = matrixMarkdown({ ...sampleMatrix(), staleKnownFailures: [{ row, cells: 3 }] });
  expect(text).toContain("## Known failures that no longer happen");
  expect(text).toContain("`beta` as server, `spec-*`: It forgets. (3 cells, none failed)");
});

test("pre-releases are marked and counted apart, and drivers that did not run are left out", () => {
  const sample = sampleMatrix();
  const idle = { ...sample.drivers[0]!, name: "idle" };
  const missing = { ...idle, name: "missing", absent: "not set up: build/client is missing" };
  const drivers = sample.drivers.map((each) => (each.name === "beta" ? { ...each, version: "1.0.0.Alpha3" } : each));
  const text = matrixMarkdown({ ...sample, drivers: [...drivers, idle, missing] });
  expect(text).toContain("Without pre-releases (`beta 1.0.0.Alpha3`): **5 of 7 passed**; 2 failed.");
  expect(text).toContain("| `beta` 1.0.0.Alpha3 (pre-release) |");
  expect(text).toContain("did not take part: not set up: build/client is missing");
  expect(text).not.toContain("`idle`");
  const early = drivers.map((each) => ({ ...each, version: "1.0.0.Alpha3" }));
  expect(matrixMarkdown({ ...sample, drivers: early })).not.toContain("Without pre-releases");
});

test.each([
  ["1.0.0-rc.1", true],
  ["2.0.0b1", true],
  ["3.0-SNAPSHOT", true],
  ["0.3.3.Final", false],
  ["0.4.2", false],
])("%s is a pre-release: %s", (version, isEarly) => {
  expect(versionText({ version }).endsWith("(pre-release)")).toBe(isEarly);
});
