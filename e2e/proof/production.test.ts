import { startTestbed, type Testbed } from "@assay/agents";
import { checks, type TestOptions } from "@assay/suite";
import type { ConformanceResult } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCertificates } from "../../packages/wire/src/client/certificates.fixture.ts";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { brokenByDeployment, failsInProduction } from "./breaks.fixture.ts";
import { line, type Proof, prove, startFixtures } from "./proving.fixture.ts";
import { startTwoFaced } from "./two-faced.fixture.ts";

/** Rules about production deployments: what is right or wrong about them is how an agent is served, not what it says. */

const { ca, server } = makeCertificates();

const bedOver = (tls: NonNullable<Parameters<typeof startTestbed>[0]["tls"]>): Promise<Testbed> =>
  startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0.05, tls });

interface Deployment {
  readonly bed: Testbed;
  /** where the bed is reached, when not at its own address */
  readonly url?: string;
}

const started: (() => Promise<void>)[] = [];
const keep = async (bed: Promise<Testbed>): Promise<Deployment> => {
  const made = await bed;
  started.push(() => made.close(0));
  return { bed: made };
};

async function twoFaced({ isSlow = false } = {}): Promise<Deployment> {
  const [{ bed }, plain] = [await keep(bedOver(server)), await keep(startFixtures())];
  const front = await startTwoFaced(bed.port, plain.bed.port, isSlow);
  started.push(() => front.close());
  return { bed, url: `https://127.0.0.1:${front.port}` };
}

const deployments = {
  "over TLS": () => keep(bedOver(server)),
  "in clear": () => keep(startFixtures()),
  "over TLS of every age": () => keep(bedOver({ ...server, minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" })),
  "over TLS 1.2 alone": () => keep(bedOver({ ...server, maxVersion: "TLSv1.2" })),
  "over TLS and in clear on the same port": () => twoFaced(),
  "over TLS, and slowly in clear on the same port": () => twoFaced({ isSlow: true }),
} satisfies Record<string, () => Promise<Deployment>>;

type DeploymentName = keyof typeof deployments;
const running = new Map<DeploymentName, Promise<Deployment>>();
const deployed = (name: DeploymentName): Promise<Deployment> => {
  const known = running.get(name) ?? deployments[name]();
  running.set(name, known);
  return known;
};

beforeAll(() => deployed("over TLS"));
afterAll(() => Promise.all(started.map((close) => close())));

interface Asked {
  readonly on: DeploymentName;
  readonly path: string;
  readonly base: string;
  readonly only?: readonly string[];
  readonly more?: Partial<TestOptions>;
}

async function inProduction({ on, path, base, only, more = {} }: Asked): Promise<Proof> {
  const { bed, url } = await deployed(on);
  // No agent here hangs, so only a busy machine takes as long as this.
  const timeouts = { connect: 120_000, idle: 240_000 };
  const connection = { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }), tls: { ca }, timeouts };
  return prove(bed, path, {
    base,
    ...(only && { only }),
    ...(!provesAll && { dialect: "1.0" }),
    more: {
      production: true,
      taskTimeout: 240_000,
      connection,
      ...(url !== undefined && { url: `${url}/${path}` }),
      ...more,
    },
  });
}

/** As it is when the user says nothing about webhooks: nobody wants one on this machine. */
const unsaid = { webhook: undefined } as unknown as Partial<TestOptions>;

const aboutProduction = checks.filter(({ needs }) => needs.includes("production")).map(({ id }) => id);

const isAccused = ({ verdict }: ConformanceResult): boolean => ["fail", "blocked", "error"].includes(verdict);
const isWarned = ({ warning }: ConformanceResult): boolean => warning !== undefined;

/** What has to do with where and how an agent is served; with `npm run prove` all there is. */
const touched = provesAll ? {} : { only: [...aboutProduction, "agent-card", "AUTH-*"] };
/** Those of 1.0 in `npm test`, in all their versions in `npm run prove`. */
const served = provesAll ? ["spec", "full", "secure", "spec03", "spec02"] : ["spec", "secure"];

const good: readonly Asked[] = [
  ...served.map((path) => ({ on: "over TLS", path, base: path, ...touched }) as const),
  { on: "over TLS", path: "variants/guarded-webhooks", base: "full", only: ["PUSH-034"], more: unsaid },
  { on: "over TLS", path: "variants/rejects-private-files", base: "full", only: ["SEC-003"], more: unsaid },
  { on: "over TLS 1.2 alone", path: "spec", base: "spec", only: ["AUTH-002"] },
];

const proofs = new Map<Asked, Promise<Proof>>();
const proofOf = (asked: Asked): Promise<Proof> => {
  const known = proofs.get(asked) ?? inProduction(asked);
  proofs.set(asked, known);
  return known;
};

// One after the other: runs that share a process take longer, and each has its own time limit.
describe.each(good)("$path $on", { timeout: 900_000 }, (asked) => {
  test("is accused of nothing", async () => {
    const { report, results } = await proofOf(asked);
    expect(report.ending).toBe("done");
    expect(results.filter(isAccused).map(line)).toEqual([]);
  });

  test("is warned of nothing but its address, which is that of this machine", async () => {
    const { results } = await proofOf(asked);
    const warned = results.filter((result) => isWarned(result) && result.test !== "CARD-039");
    expect(warned.map(line)).toEqual([]);
  });
});

test.each(aboutProduction)("%s holds on a good deployment", { timeout: 900_000 }, async (id) => {
  const all = await Promise.all(good.map(proofOf));
  const verdicts = all.flatMap(({ results }) => results.filter((result) => result.test === id)).map(line);
  expect(verdicts.some((verdict) => / \| pass/.test(verdict))).toBe(true);
});

interface Broken extends Omit<Asked, "only"> {
  readonly rule: string;
  /** what it comes to, strictly or not; what is only remarked on is a warning where we read strictly */
  readonly comes: "failed" | "warned" | "remarked";
}

/** Waits for plain http as long as a busy machine needs. */
const patient: Partial<TestOptions> = { grace: 240_000 };

const broken: readonly Broken[] = [
  { rule: "CARD-040", on: "in clear", path: "spec", base: "spec", comes: "warned" },
  { rule: "AUTH-001", on: "in clear", path: "spec", base: "spec", comes: "failed" },
  { rule: "AUTH-001", on: "in clear", path: "spec03", base: "spec03", comes: "failed" },
  { rule: "AUTH-001", on: "in clear", path: "spec02", base: "spec02", comes: "failed" },
  {
    rule: "AUTH-001",
    on: "over TLS and in clear on the same port",
    path: "spec",
    base: "spec",
    comes: "warned",
    more: patient,
  },
  {
    rule: "AUTH-001",
    on: "over TLS, and slowly in clear on the same port",
    path: "spec",
    base: "spec",
    comes: "warned",
    more: { ...patient, bindings: ["JSONRPC"], dialects: ["1.0"] },
  },
  { rule: "AUTH-002", on: "over TLS of every age", path: "spec", base: "spec", comes: "warned" },
  { rule: "AUTH-002", on: "over TLS of every age", path: "spec03", base: "spec03", comes: "warned" },
  { rule: "AUTH-002", on: "over TLS of every age", path: "spec02", base: "spec02", comes: "warned" },
  { rule: "AUTH-002", on: "over TLS 1.2 alone", path: "spec", base: "spec", comes: "remarked" },
  { rule: "AUTH-003", on: "over TLS", path: "mutants/AUTH-003.no-hsts", base: "spec", comes: "warned" },
  { rule: "SEC-003", on: "over TLS", path: "mutants/SEC-003.fetches", base: "full", comes: "failed", more: unsaid },
  { rule: "SEC-003", on: "over TLS", path: "mutants/SEC-003.fetches", base: "full", comes: "warned" },
  { rule: "XCARD-009", on: "over TLS", path: "mutants/XCARD-009.internal-url", base: "spec", comes: "warned" },
  { rule: "GRPC-003", on: "in clear", path: "spec", base: "spec", comes: "failed" },
  {
    rule: "PUSH-034",
    on: "over TLS",
    path: "mutants/PUSH-034.this-machine",
    base: "full",
    comes: "warned",
    more: unsaid,
  },
];

/** `npm test` tries each rule once. */
const tried = broken.filter(({ rule }, index) => provesAll || broken.findIndex((one) => one.rule === rule) === index);

test.concurrent.each(tried)("$rule is $comes: $path $on", { timeout: 900_000 }, async ({ rule, comes, ...asked }) => {
  const told = async (strict: boolean): Promise<string[]> => {
    const { results } = await inProduction({ ...asked, only: [rule], more: { ...asked.more, strict } });
    return results.map((result) => {
      if (result.verdict === "fail") return "failed";
      if (isWarned(result)) return "warned";
      return result.info === undefined ? `${result.verdict}: ${result.message}` : "remarked";
    });
  };
  expect(await told(false)).toContain(comes);
  expect(await told(true)).toContain(comes === "remarked" ? "warned" : comes);
});

test("every rule about production has been seen broken", () => {
  const seen = new Set(broken.map(({ rule }) => rule));
  expect([...aboutProduction, ...Object.keys(brokenByDeployment)].filter((id) => !seen.has(id))).toEqual([]);
});

test("what is only warned of elsewhere has been seen to fail", () => {
  const failed = broken.filter(({ comes }) => comes === "failed").map(({ path }) => path);
  expect(failsInProduction.filter((id) => !failed.includes(`mutants/${id}`))).toEqual([]);
});

test("outside of production none of them is of any concern", async () => {
  const { results } = await inProduction({
    on: "in clear",
    path: "spec",
    base: "spec",
    only: aboutProduction,
    more: { production: false },
  });
  expect(results.filter(({ verdict }) => verdict !== "not-applicable").map(line)).toEqual([]);
});
