import type { Testbed } from "@assay/agents";
import type { Binding } from "@assay/protocol";
import type { TestOptions } from "@assay/suite";
import { afterAll, describe, expect, test } from "vitest";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { line, prove, slower, startFixtures } from "./proving.fixture.ts";

/** One cause is one failure: it is reported by the rule that owns it (rules/causes.yaml), and the others that see it are blocked. */

const bed: Testbed = await startFixtures();
afterAll(() => bed.close(0));

interface Trial {
  readonly mutant: string;
  readonly base: string;
  readonly binding: Binding;
  readonly ruleSet?: TestOptions["ruleSet"];
  /** the rules that fail, all of them */
  readonly fails: readonly string[];
  /** some of the rules that are blocked, by what blocks them */
  readonly blocks: Readonly<Record<string, readonly string[]>>;
}

const push = ["PUSH-006", "PUSH-014", "PUSH-019"];

/** The rules that see these causes. */
const families = ["CAP", "ERR", "XCARD", "GET", "LIST", "JSONRPC", "GRPC", "REST"].map((family) => `${family}-*`);
const only = [...families, "PUSH-00*", "PUSH-01*", "PUSH-046", "SEND-009"];

const trials: readonly Trial[] = [
  {
    mutant: "ERR-001.in-result",
    base: "spec",
    binding: "HTTP+JSON",
    fails: ["ERR-001"],
    blocks: { "ERR-001": ["GET-002", "REST-003", "ERR-020"] },
  },
  // The agent serves subscriptions; only its errors are wrong.
  { mutant: "GET-002.unsupported", base: "spec", binding: "JSONRPC", fails: ["ERR-007", "GET-002"], blocks: {} },
  { mutant: "CAP-003.no-store", base: "full", binding: "JSONRPC", fails: ["CAP-003"], blocks: { "CAP-003": push } },
  {
    mutant: "CAP-003.unregistered",
    base: "full",
    binding: "HTTP+JSON",
    fails: ["CAP-003"],
    blocks: { "CAP-003": [...push, "CAP-004"] },
  },
  {
    mutant: "CAP-003.unsupported",
    base: "full",
    binding: "HTTP+JSON",
    fails: ["CAP-003"],
    blocks: { "CAP-003": [...push, "PUSH-005", "ERR-007"] },
  },
  {
    mutant: "CAP-003.breaks-down",
    base: "full",
    binding: "JSONRPC",
    fails: ["CAP-003"],
    blocks: { "CAP-003": [...push, "PUSH-005", "ERR-007", "ERR-029"] },
  },
  {
    mutant: "CAP-004.no-path",
    base: "spec",
    binding: "HTTP+JSON",
    fails: ["CAP-004"],
    blocks: { "CAP-004": ["LIST-001", "REST-004", "REST-012", "REST-027", "REST-032"] },
  },
  {
    mutant: "CAP-004.no-paths",
    base: "echo",
    binding: "HTTP+JSON",
    fails: ["CAP-004"],
    blocks: { "CAP-004": ["LIST-001", "GET-002", "PUSH-001", "ERR-022", "REST-027", "REST-036"] },
  },
  {
    mutant: "PUSH-019.breaks-down",
    base: "full",
    binding: "JSONRPC",
    fails: ["PUSH-019"],
    blocks: { "PUSH-019": ["ERR-007", "ERR-029"] },
  },
  {
    mutant: "PUSH-006.beside-no-list",
    base: "full",
    binding: "JSONRPC",
    // The shared cause, and a breach that has nothing to do with it.
    fails: ["CAP-003", "PUSH-006"],
    blocks: { "CAP-003": ["PUSH-014", "CAP-004", "JSONRPC-005"], "PUSH-006": ["ERR-007"] },
  },
  {
    mutant: "CAP-004.unregistered",
    base: "spec",
    binding: "JSONRPC",
    fails: ["CAP-004"],
    blocks: { "CAP-004": ["PUSH-001", "PUSH-002", "ERR-022", "JSONRPC-005"] },
  },
  {
    mutant: "GRPC-001.no-get",
    base: "spec",
    binding: "GRPC",
    fails: ["CAP-004"],
    blocks: { "CAP-004": ["GET-001", "GET-002", "ERR-020", "GRPC-001", "GRPC-002"] },
  },
  {
    mutant: "XCARD-001.unknown-method",
    base: "minimal",
    binding: "JSONRPC",
    fails: ["XCARD-001"],
    blocks: { "XCARD-001": ["CAP-004", "JSONRPC-005"] },
  },
  {
    mutant: "PUSH-019.fine",
    base: "full",
    binding: "JSONRPC",
    fails: ["PUSH-019"],
    blocks: { "PUSH-019": ["ERR-007"] },
  },
  {
    mutant: "JSONRPC-025.gone",
    base: "full",
    binding: "JSONRPC",
    fails: ["JSONRPC-003"],
    blocks: { "JSONRPC-003": ["JSONRPC-025"] },
  },
  {
    mutant: "GRPC-012.old-column",
    base: "minimal",
    binding: "GRPC",
    ruleSet: "1.0.0-r1",
    fails: ["GRPC-012"],
    blocks: { "GRPC-012": ["XCARD-001", "PUSH-001", "ERR-022", "ERR-023", "GRPC-002"] },
  },
  {
    mutant: "REST-027.text",
    base: "spec",
    binding: "HTTP+JSON",
    fails: ["REST-027"],
    blocks: { "REST-027": ["LIST-023", "GET-002", "SEND-009", "ERR-001"] },
  },
];

describe.concurrent("the rule that owns a cause fails, and the others that see it are blocked", () => {
  // `npm test` tries every fifth of them.
  test.each(sampleOf(trials, 5))("$mutant over $binding", async (trial) => {
    const { mutant, base, binding, ruleSet, fails, blocks } = trial;
    const { results } = await prove(bed, `mutants/${mutant}`, {
      base,
      binding,
      dialect: "1.0",
      only,
      more: { prompts: { slow: slower }, taskTimeout: 10_000, ...(ruleSet && { ruleSet }) },
    });
    const failed = results.filter(({ verdict }) => verdict === "fail");
    expect([...new Set(failed.map(({ test: id }) => id))].toSorted(), failed.map(line).join("\n")).toEqual(fails);
    for (const [owner, rules] of Object.entries(blocks)) {
      const blocked = results.filter(({ rootCause }) => rootCause === owner).map(({ test: id }) => id);
      expect(blocked).toEqual(expect.arrayContaining([...rules]));
    }
  });
});

test("a rule that asks for the same is judged by itself where its owner is not part of the run", async () => {
  const { results } = await prove(bed, "mutants/GRPC-001.no-get", {
    base: "spec",
    binding: "GRPC",
    dialect: "1.0",
    only: ["GRPC-001", "GET-002"],
  });
  expect(results.map(({ test: id, verdict, unexamined }) => [id, verdict, unexamined])).toEqual([
    ["GET-002", "not-examined", "prerequisite"],
    ["GRPC-001", "fail", undefined],
  ]);
});

const taskless = [
  ...["messages-without-list", "messages-alone", "messages-without-paths", "messages-unsupported"],
  "no-good-answer",
];

describe.concurrent("an agent that makes no tasks, and lacks operations on them, is accused of nothing", () => {
  test.each(sampleOf(taskless, 5))("%s", async (variant) => {
    const { results } = await prove(bed, `variants/${variant}`, { base: "echo", dialect: "1.0" });
    const wrong = results.filter(({ verdict }) => verdict === "fail" || verdict === "blocked");
    expect(wrong.map(line)).toEqual([]);
  });
});

test.each([
  ["wants-other-messages", "spec"],
  ["takes-orders-only", "echo"],
])("%s refuses our messages, streamed or not, and is accused of nothing", async (variant, base) => {
  const { results } = await prove(bed, `variants/${variant}`, {
    base,
    dialect: "1.0",
    // Over gRPC the test bed tells its agents apart by their tenant, and another one takes what is sent without.
    more: { bindings: provesAll ? ["JSONRPC", "HTTP+JSON"] : ["JSONRPC"] },
  });
  const wrong = results.filter(({ verdict }) => verdict === "fail" || verdict === "blocked");
  expect(wrong.map(line)).toEqual([]);
});

test("details that are not an array give one kind of warning", async () => {
  const { results } = await prove(bed, "mutants/ERR-002.single", {
    base: "spec",
    binding: "JSONRPC",
    dialect: "1.0",
    only: ["ERR-*", "JSONRPC-*"],
  });
  const warned = results.filter(({ warning, verdict }) => warning !== undefined || verdict === "fail");
  expect(warned.map(({ test: id }) => id)).toEqual(["ERR-002", "JSONRPC-012"]);
});

test("a body that is not JSON needs no details in its error", async () => {
  const { results } = await prove(bed, "variants/rest-plain-parse-error", {
    base: "spec",
    binding: "HTTP+JSON",
    dialect: "1.0",
    only: ["ERR-*", "REST-*"],
  });
  const wrong = results.filter(({ warning, verdict }) => warning !== undefined || verdict === "fail");
  expect(wrong.map(line)).toEqual([]);
});

test("read strictly, a missing operation fails once, by AMB-49", async () => {
  const { results } = await prove(bed, "variants/messages-alone", {
    base: "echo",
    binding: "JSONRPC",
    dialect: "1.0",
    more: { strict: true },
  });
  expect(results.filter(({ verdict }) => verdict === "fail").map(({ test: id }) => id)).toEqual(["CAP-004"]);
});
