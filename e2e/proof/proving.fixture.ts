import { startTestbed, type Testbed } from "@assay/agents";
import type { Binding, DialectVersion } from "@assay/protocol";
import { type Expectations, type TestOptions, testAgent } from "@assay/suite";
import {
  type ConformanceReport,
  type ConformanceResult,
  foldRun,
  interfaceKey,
  type RunEvent,
  resultsOf,
} from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { tokenLogins } from "./token-logins.fixture.ts";

/** Delays are cut to a twentieth; `slow` then takes long enough to be caught at work on a busy machine. */
export const timeScale = 0.05;

export const startFixtures = (): Promise<Testbed> =>
  startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale });

const slow = "slow 14";
/**
 * For what needs a task at work for longer: webhooks registered one after the other, many calls of another principal, or
 * an end long before its time.
 */
export const slower = "slow 100";

const needsTime = (path: string, base: string, only: readonly string[] = []): boolean =>
  path === "mutants/CANCEL-001.completes" ||
  (base === "secure" && only.length !== 1) ||
  (only.length > 0 && only.every((id) => /^(V\d\d-)?(PUSH|REST|GRPC)-/.test(id)));

const forTheExtendedCard: Partial<TestOptions> = { headers: [["Authorization", "Bearer agentbin-test-token"]] };

/** What the operator of each agent would tell us: credentials, and who else there is. */
const knowledge: Readonly<Record<string, Partial<TestOptions>>> = {
  spec: forTheExtendedCard,
  full: forTheExtendedCard,
  strict: forTheExtendedCard,
  spec11: forTheExtendedCard,
  spec03: forTheExtendedCard,
  spec02: forTheExtendedCard,
  secure: {
    headers: [["Authorization", "Bearer alice-token"]],
    principals: {
      second: { headers: [["Authorization", "Bearer bob-token"]] },
      restricted: { headers: [["Authorization", "Bearer carol-token"]] },
    },
  },
};

/** Mutants that show only where the operator speaks of a production deployment. */
const ofProduction = /^mutants\/(XCARD-009\.internal-url|SEC-003\.other-spellings)/;

/** Mutants that show only to callers with a token that can be looked into. */
const ofTokens = /^mutants\/AUTH-007\.(?!any-)/;

/** What he would say about how it behaves; those that know fewer skills have nothing to remember or to refine. */
function expectationsOf(bed: Testbed, path: string, base: string): Expectations {
  // One of the mutants answers for its neighbour as well.
  const other = path.startsWith("mutants/CARD-043.") ? `${path}/neighbour` : path === "echo" ? "minimal" : "echo";
  const everywhere: Expectations = {
    otherCards: [`${bed.url}/${other}/.well-known/agent-card.json`],
    silentBindings: ["https://example.com/bindings/mail/v1"],
  };
  if (base === "minimal" || base === "echo") return everywhere;
  return {
    ...everywhere,
    recall: { ask: "recall what I said", expect: "task-lifecycle hello" },
    refinement: "refine it",
    ambiguous: "refine it",
    approvals: "by any answer that does not decline",
    privilegedSkills: ["admin-status"],
    // One variant has an extended card for everybody.
    forbiddenOperations: path === "variants/card-by-rank" ? ["CancelTask"] : ["CancelTask", "GetExtendedAgentCard"],
    protectedMethods: ["assay.timing/elapsed"],
  };
}

export interface Proving {
  /** the agent whose knowledge applies: for a mutant, the one it is made from */
  readonly base: string;
  readonly only?: readonly string[];
  readonly binding?: Binding;
  /** the only version to test; all that the agent speaks, unless given */
  readonly dialect?: DialectVersion;
  readonly more?: Partial<TestOptions>;
}

/** Runs the suite on an agent of the test bed. */
export async function prove(
  bed: Testbed,
  path: string,
  { base, only, binding, dialect, more }: Proving,
): Promise<Proof> {
  const events: RunEvent[] = [];
  const run = testAgent({
    url: `${bed.url}/${path}`,
    run: "proof",
    version: "test",
    connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) },
    // Said here, because mutants and proxies may serve cards without the header of the test bed.
    depth: "full",
    rude: true,
    prompts: { slow: needsTime(path, base, only) ? slower : slow },
    // What waits a minute is made only by those who are willing to.
    grace: only?.includes("PUSH-032") ? 60_000 : 1_500,
    production: ofProduction.test(path),
    // The test bed runs on this machine, so it reaches us: silence is a fault then. In production nobody says so.
    ...(!ofProduction.test(path) && { webhook: { listen: { host: "127.0.0.1", port: 0 } } }),
    ...(ofTokens.test(path) ? await tokenLogins(bed) : knowledge[base]),
    expectations: expectationsOf(bed, path, base),
    ...(only && { only }),
    ...(binding && { bindings: [binding] }),
    ...(dialect && { dialects: [dialect] }),
    ...more,
  });
  for await (const event of run) events.push(event);
  const report = foldRun(events);
  const stray = blockedByNoFailure(report);
  if (stray.length) throw new Error(`blocked, and no failure is the cause:\n${stray.map(line).join("\n")}`);
  return { events, report, results: resultsOf(report).filter(({ unexamined }) => unexamined !== "filter") };
}

/** Blocked means that a failure in the same report is the root cause; there is none for these. */
function blockedByNoFailure(report: ConformanceReport): ConformanceResult[] {
  const results = resultsOf(report);
  const isCause =
    ({ test, rootCause, dialect, interface: on }: ConformanceResult) =>
    (cause: ConformanceResult): boolean =>
      cause.test === rootCause &&
      cause.dialect === dialect &&
      cause.verdict === "fail" &&
      !cause.disputed &&
      (cause.interface === undefined ||
        interfaceKey(cause.interface) === interfaceKey(on) ||
        // What compares bindings may be held up by another one than its own.
        /^(BIND-|DATA-030)/.test(test));
  return results.filter((result) => result.verdict === "blocked" && !results.some(isCause(result)));
}

export interface Proof {
  readonly events: readonly RunEvent[];
  readonly report: ConformanceReport;
  /** without what a filter left out */
  readonly results: readonly ConformanceResult[];
}

/** A result on a line, for a test that fails. */
export const line = ({ test, dialect, interface: on, verdict, message, warning, saw, rootCause }: ConformanceResult) =>
  [test, dialect, on?.binding ?? "card", verdict, rootCause, message ?? warning, saw && `saw ${saw}`]
    .filter(Boolean)
    .join(" | ");
