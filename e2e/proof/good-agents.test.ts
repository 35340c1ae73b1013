import type { Testbed } from "@assay/agents";
import { checks } from "@assay/suite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { line, type Proof, prove, startFixtures } from "./fixtures.ts";

interface GoodAgent {
  readonly path: string;
  readonly base: string;
  /** all rules, unless it stands here for some of them */
  readonly only?: readonly string[];
}

const agents: readonly GoodAgent[] = [
  ...["spec", "full", "strict", "minimal", "echo", "secure"].map((path) => ({ path, base: path })),
  // Good in ways that those are not: for rules that none of them gives occasion to hold.
  { path: "variants/full-card", base: "secure", only: ["agent-card"] },
  { path: "variants/two-signatures", base: "full", only: ["agent-card"] },
  { path: "variants/unconfigured-card", base: "spec", only: ["ERR-026"] },
  { path: "variants/stumbles", base: "spec", only: ["ERR-015", "JSONRPC-010"] },
  { path: "variants/asks-for-patience", base: "spec", only: ["ERR-013"] },
  { path: "variants/many-tasks", base: "spec", only: ["LIST-007"] },
  { path: "variants/own-binding", base: "spec", only: ["BIND-015"] },
  { path: "variants/extension-method", base: "secure", only: ["EXT-015"] },
  { path: "variants/slows-guessing", base: "secure", only: ["AUTH-021"] },
  { path: "variants/notifies-the-end", base: "full", only: ["PUSH-032"] },
];

// The first test of an agent waits for the whole run.
vi.setConfig({ testTimeout: 120_000 });

let bed: Testbed;
const proofs = new Map<string, Promise<Proof>>();

beforeAll(async () => {
  bed = await startFixtures();
});
afterAll(() => bed.close(0));

const proofOf = ({ path, ...proving }: GoodAgent): Promise<Proof> => {
  const known = proofs.get(path) ?? prove(bed, path, proving);
  proofs.set(path, known);
  return known;
};

describe.each(agents)("/$path", (agent) => {
  test("is accused of nothing, and nothing is held up or broke down on our side", async () => {
    const { results, report } = await proofOf(agent);
    expect(report.ending).toBe("done");
    const wrong = results.filter(({ verdict }) => verdict === "fail" || verdict === "blocked" || verdict === "error");
    expect(wrong.map(line)).toEqual([]);
  });

  test("is warned of nothing", async () => {
    const { results } = await proofOf(agent);
    expect(results.filter(({ warning }) => warning !== undefined).map(line)).toEqual([]);
  });

  test("gets no more messages than were announced", async () => {
    const { events, report } = await proofOf(agent);
    const announced = events.find((event) => event.event === "planned");
    expect(report.summary.workingMessages).toBeLessThanOrEqual(announced?.workingMessages ?? 0);
  });
});

/** What concerns production deployments alone is proven on those: production.test.ts. */
const here = checks.filter(({ needs }) => !needs.includes("production"));

test.each(here.map(({ id, title }) => ({ id, title })))("$id holds on a good agent: $title", async ({ id }) => {
  const all = await Promise.all(agents.map(proofOf));
  const verdicts = all.flatMap(({ results }) => results.filter((result) => result.test === id)).map(line);
  expect(verdicts.some((verdict) => / \| pass/.test(verdict))).toBe(true);
});
