import type { Testbed } from "@assay/agents";
import { type DialectVersion, dialects } from "@assay/protocol";
import { checks } from "@assay/suite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { line, type Proof, type Proving, prove, slower, startFixtures } from "./proving.fixture.ts";

/** Tested by all rules and over all bindings, unless it names some of them. */
interface GoodAgent extends Proving {
  readonly path: string;
}

/** Those of 1.0; /spec and /secure speak 0.3 besides, and are tested in both. */
const newer: readonly GoodAgent[] = [
  ...["spec", "full", "strict", "minimal", "echo", "secure", "spec11"].map((path) => ({ path, base: path })),
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
  // Two forms of the card, for clients of either version.
  { path: "variants/card-by-version", base: "spec", only: ["V03-VER-005"] },
  { path: "variants/card-for-everybody", base: "secure", only: ["V03-VER-005"] },
];

/** Those that speak an older version and nothing newer; the others of the test bed as they would have been then. */
const older: readonly GoodAgent[] = [
  // Some rules have no other agent to hold on: what they watch at work must last, however busy the machine is.
  ...["spec03", "spec02", "spec01"].map((path) => ({ path, base: path, more: { prompts: { slow: slower } } })),
  ...["0.3", "0.2", "0.1"].flatMap((version) =>
    // In 0.1 there are no extensions to be strict about.
    ["full", ...(version === "0.1" ? [] : ["strict"]), "minimal", "echo", "secure"].map((base) => ({
      path: `${base}@${version}`,
      base,
    })),
  ),
  // For rules that none of them gives occasion to hold.
  { path: "variants/full-card-03", base: "spec03", only: ["agent-card"] },
  { path: "variants/full-card-02", base: "spec02", only: ["agent-card"] },
  { path: "variants/full-card-01", base: "spec01", only: ["agent-card"] },
  { path: "variants/stumbles-03", base: "spec03", only: ["ERR-015", "JSONRPC-010"] },
  { path: "variants/stumbles-02", base: "spec02", only: ["ERR-015", "JSONRPC-010"] },
  { path: "variants/stumbles-01", base: "spec01", only: ["ERR-015", "JSONRPC-010"] },
  { path: "variants/extension-method@0.3", base: "secure", only: ["EXT-015"] },
  { path: "variants/extension-method@0.2", base: "secure", only: ["EXT-015"] },
];

/** `npm test` sees that these are not accused. `npm run prove` tries all of them, and sees every rule hold. */
const sample: readonly GoodAgent[] = [
  { path: "spec", base: "spec", dialect: "1.0" },
  { path: "secure", base: "secure", dialect: "1.0", binding: "JSONRPC" },
  { path: "spec03", base: "spec03", binding: "HTTP+JSON" },
  { path: "spec02", base: "spec02" },
  { path: "spec01", base: "spec01" },
];

const agents = provesAll ? [...newer, ...older] : sample;

// The first test of an agent waits for the whole run, and the first of a rule for all of them.
vi.setConfig({ testTimeout: 900_000 });

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

  test("gets no more messages than Assay announced", async () => {
    const { events, report } = await proofOf(agent);
    const announced = events.find((event) => event.event === "planned");
    expect(report.summary.workingMessages).toBeLessThanOrEqual(announced?.workingMessages ?? 0);
  });
});

/** What concerns production deployments alone is proven on those: production.test.ts. */
const here = checks.filter(({ needs }) => !needs.includes("production"));

/** The versions that each agent was tested in are those it speaks. */
const spoken: readonly (readonly [path: string, versions: readonly DialectVersion[]])[] = [
  ["spec", ["1.0", "0.3"]],
  ["secure", ["1.0", "0.3"]],
  ["full", ["1.0"]],
  ["spec03", ["0.3"]],
  ["spec02", ["0.2"]],
  ["spec01", ["0.1"]],
  ["secure@0.1", ["0.1"]],
];

test.each(provesAll ? spoken : spoken.filter(([path]) => /^spec0[12]$/.test(path)))(
  "/%s is tested in the versions it speaks: %s",
  async (path, versions) => {
    const { report } = await proofOf(agents.find((agent) => agent.path === path)!);
    expect(report.dialects.map(({ dialect }) => dialect)).toEqual(versions);
  },
);

test.each(provesAll ? [] : sample)("/$path shows that most rules hold", async (agent) => {
  const { results } = await proofOf(agent);
  const withVerdict = (verdict: string): number => results.filter((result) => result.verdict === verdict).length;
  expect(withVerdict("pass")).toBeGreaterThan(withVerdict("not-examined"));
});

/** What no good agent shows, and where else its check is seen to hold. */
const unshown: Readonly<Record<string, string>> = {
  "ERR-025": "no good agent gets its own answer wrong: packages/suite/src/checks/errors/mapping.test.ts",
};

describe.each(provesAll ? dialects : [])("in version %s", (dialect) => {
  const rules = here
    .filter(({ id, dialects }) => dialects.includes(dialect) && !(id in unshown))
    .map(({ id, title }) => ({ id, title }));

  test.each(rules)("$id holds on a good agent: $title", async ({ id }) => {
    const all = await Promise.all((dialect === "1.0" ? newer : agents).map(proofOf));
    const verdicts = all
      .flatMap(({ results }) => results.filter((result) => result.test === id && result.dialect === dialect))
      .map(line);
    expect(verdicts.some((verdict) => / \| pass/.test(verdict))).toBe(true);
  });
});
