import { testAgent } from "@assay/suite";
import { foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { describe, expect, test } from "vitest";
import { goServerOf, pythonOf, useSdkServer } from "../sdks/server.fixture.ts";
import { line, prove, startFixtures } from "./proving.fixture.ts";

// Servers of official SDKs that speak 0.3 or 0.2. Each is told what was examined by hand, and nothing else.

/** Rules that are broken, and those that come with a warning. */
interface Findings {
  readonly broken: readonly string[];
  readonly warned: readonly string[];
}

interface Stranger {
  readonly sdk: string;
  readonly args?: string[];
  readonly language?: "Python" | "Go";
  /** as they are written down; what is said of the same servers in 1.0 is stranger.test.ts's affair */
  readonly findings: Readonly<Record<string, Findings>>;
}

/** Of servers of the JavaScript SDK before 1.0, which look at no parameter. */
const unlooked = ["CANCEL-007", "GET-003", "HIST-006", "JSONRPC-008"];

const strangers: Readonly<Record<string, Stranger>> = {
  "a2a-js-0.2.5": {
    sdk: "a2a-js-0.2",
    findings: { "0.2": { broken: ["JSONRPC-009", "SEND-003"], warned: [...unlooked, "JSONRPC-007", "JSONRPC-029"] } },
  },
  "a2a-js-0.3.14": {
    sdk: "a2a-js-0.3",
    findings: {
      "0.3": {
        broken: ["JSONRPC-009", "REST-034", "SEND-003"],
        warned: [
          ...unlooked,
          "JSONRPC-029",
          "PUSH-007",
          "PUSH-008",
          "PUSH-024",
          "PUSH-046",
          "STREAM-003",
          "V03-PUSH-007",
        ],
      },
    },
  },
  "a2a-js-1.3.0-compat-0.3": {
    sdk: "a2a-js",
    args: ["--compat"],
    findings: {
      "0.3": {
        broken: [],
        warned: [
          "HIST-006",
          "JSONRPC-004",
          "JSONRPC-008",
          "JSONRPC-029",
          "PUSH-007",
          "PUSH-008",
          "PUSH-046",
          "V03-CARD-006",
          "V03-PUSH-002",
        ],
      },
    },
  },
  "a2a-python-0.3.26": {
    sdk: "a2a-python-0.3",
    language: "Python",
    findings: {
      "0.3": {
        broken: ["BIND-001", "CAP-003", "GRPC-002", "PUSH-013", "PUSH-014", "REST-035", "V03-REST-004"],
        warned: [
          "CANCEL-002",
          "CANCEL-006",
          "CTX-010",
          "JSONRPC-003",
          "JSONRPC-009",
          "PUSH-007",
          "PUSH-010",
          "PUSH-024",
          "REST-009",
          "REST-010",
          "REST-034",
          "SEC-001",
          "SEND-003",
          "STREAM-003",
          "STREAM-005",
          "V03-PUSH-004",
          "V03-PUSH-007",
          "V03-XCARD-001",
        ],
      },
    },
  },
  "a2a-python-1.3.0-compat-0.3": {
    sdk: "a2a-python",
    language: "Python",
    findings: {
      "0.3": {
        broken: ["BIND-001", "V03-REST-004"],
        warned: [
          "CTX-010",
          "JSONRPC-003",
          "JSONRPC-009",
          "PUSH-007",
          "REST-010",
          "REST-034",
          "SEC-001",
          "STREAM-003",
          "V03-CARD-006",
          "V03-PUSH-001",
          "V03-PUSH-002",
          "V03-PUSH-004",
          "V03-VER-004",
        ],
      },
    },
  },
  "a2a-go-0.3.15": {
    sdk: "a2a-go-0.3",
    language: "Go",
    findings: {
      "0.3": {
        broken: ["ERR-007", "JSONRPC-002", "JSONRPC-008", "JSONRPC-009", "PUSH-046"],
        warned: [
          "CANCEL-007",
          "HIST-006",
          "JSONRPC-003",
          "JSONRPC-029",
          "PUSH-006",
          "PUSH-008",
          "PUSH-014",
          "PUSH-019",
          "STREAM-003",
          "V03-PUSH-002",
          "V03-PUSH-004",
          "V03-PUSH-007",
        ],
      },
    },
  },
  "a2a-go-2.4.0-compat-0.3": {
    sdk: "a2a-go",
    language: "Go",
    findings: {
      "0.3": {
        broken: ["JSONRPC-002", "JSONRPC-008", "JSONRPC-009", "V03-PUSH-006"],
        warned: [
          "HIST-006",
          "INTASK-006",
          "JSONRPC-003",
          "JSONRPC-029",
          "PUSH-008",
          "PUSH-046",
          "REST-034",
          "STREAM-003",
          "V03-CARD-006",
          "V03-PUSH-001",
          "V03-PUSH-002",
          "V03-PUSH-004",
          "V03-PUSH-007",
          "V03-REST-002",
          "V03-STREAM-004",
          "V03-VER-004",
        ],
      },
    },
  },
};

/** What a run says of an agent, by protocol version: the rules that it breaks, and those it warns of. */
async function told(url: string) {
  const events: RunEvent[] = [];
  const run = testAgent({
    url,
    run: "stranger",
    version: "test",
    connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) },
    depth: "full",
    rude: true,
    grace: 3_000,
    webhook: { listen: { host: "127.0.0.1", port: 0 } },
  });
  for await (const event of run) events.push(event);
  const report = foldRun(events);
  expect(report.ending).toBe("done");
  return resultsOf(report);
}

const ids = (results: readonly { readonly test: string }[]): string[] =>
  [...new Set(results.map(({ test: id }) => id))].toSorted();

const tools = { Python: pythonOf, Go: goServerOf };
const available = Object.entries(strangers).filter(([, { sdk, language }]) => !language || tools[language](sdk));

describe.each(available)("%s", (_name, { sdk, args = [], language, findings }) => {
  const tool = language && tools[language](sdk);
  // What is to be slow has to be so on a busy machine, too: else less is examined.
  const server = useSdkServer(sdk, {
    args,
    timeScale: 2,
    ...(tool && { [language === "Go" ? "program" : "python"]: tool }),
  });

  test("is told what was examined by hand, and nothing else", async () => {
    const results = await told(server.url);
    expect(results.map(({ dialect }) => dialect)).toEqual(expect.arrayContaining(Object.keys(findings)));
    for (const [dialect, { broken, warned }] of Object.entries(findings)) {
      const ours = results.filter((result) => result.dialect === dialect);
      const failed = ours.filter(({ verdict }) => verdict === "fail" || verdict === "blocked" || verdict === "error");
      expect(failed.filter(({ test: id }) => !broken.includes(id)).map(line)).toEqual([]);
      const known = [...broken, ...warned];
      const suspected = ours.filter(({ warning }) => warning !== undefined);
      expect(suspected.filter(({ test: id }) => !known.includes(id)).map(line)).toEqual([]);
      // The findings themselves are seen: an old one that is gone is worth a look as well.
      expect(ids(failed)).toEqual(broken.toSorted());
      expect(ids([...failed, ...suspected])).toEqual(known.toSorted());
    }
  });
});

/** Variants made from what was once said of a stranger without reason: there must not even be a warning. */
const unfair = [
  { id: "method-names-decide", base: "spec", only: ["ERR-002", "JSONRPC-012"] },
  { id: "late-listeners-03", base: "spec03", only: ["BIND-005"] },
];

test.each(unfair)("$id is not suspected of $only", async ({ id, base, only }) => {
  const bed = await startFixtures();
  try {
    const { results } = await prove(bed, `variants/${id}`, { base, only });
    expect(results.filter(({ verdict }) => verdict === "pass")).not.toEqual([]);
    expect(results.filter(({ warning }) => warning !== undefined).map(line)).toEqual([]);
  } finally {
    await bed.close(0);
  }
});
