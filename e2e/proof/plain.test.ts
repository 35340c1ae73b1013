import type { Testbed } from "@assay/agents";
import { type TestOptions, testAgent } from "@assay/suite";
import { type ConformanceReport, foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { variantRows } from "../surroundings/rows.fixture.ts";
import { expectCaught, ruleOfMutant } from "./caught.fixture.ts";
import { type Manner, startPlain } from "./plain.fixture.ts";
import { line, startFixtures } from "./proving.fixture.ts";

/** Agents that nobody prepared for us: what their ordinary tasks show is enough to be judged by. */

const bed: Testbed = await startFixtures();
const { mutants, variants } = await bed.families();
afterAll(() => bed.close(0));

async function tested(path: string, manner: Manner, more: Partial<TestOptions> = {}): Promise<ConformanceReport> {
  const agent = await startPlain(`${bed.url}/${path}`, manner);
  try {
    const events: RunEvent[] = [];
    const run = testAgent({
      url: agent.url,
      run: "plain",
      version: "test",
      connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) },
      depth: "full",
      grace: 1_500,
      bindings: ["JSONRPC"],
      webhook: { listen: { host: "127.0.0.1", port: 0 } },
      ...more,
    });
    for await (const event of run) events.push(event);
    return foldRun(events);
  } finally {
    await agent.close();
  }
}

/** What each manner shows; `npm test` tries the first. */
const manners: readonly { readonly manner: Manner; readonly shows: readonly string[] }[] = [
  { manner: "short", shows: ["task"] },
  { manner: "asks back", shows: ["inputRequired"] },
  { manner: "slow", shows: ["task", "slow"] },
];

describe.concurrent.each(sampleOf(manners, manners.length))(
  "a good agent whose tasks are $manner",
  ({ manner, shows }) => {
    const run = tested.bind(undefined, "full", manner, {});
    const report = new Promise<ConformanceReport>((resolve, reject) =>
      beforeAll(() => run().then(resolve, reject), 120_000),
    );

    test("is accused of nothing", async () => {
      const results = resultsOf(await report);
      const accused = results.filter(({ verdict }) => ["fail", "blocked", "error"].includes(verdict));
      expect(accused.map(line)).toEqual([]);
      expect(results.filter(({ warning }) => warning !== undefined).map(line)).toEqual([]);
    });

    test("shows by its plain message what it is good for", async () => {
      expect((await report).learned?.[0]).toMatchObject({
        source: "plain",
        answer: "task",
        // On a busy machine a short task counts as slow, too.
        shows: expect.arrayContaining([...shows]),
      });
    });

    test("is sent no more messages than were announced", async () => {
      const { workingMessages, plannedMessages } = (await report).summary;
      expect(workingMessages).toBeLessThanOrEqual(plannedMessages);
    });
  },
);

/** Families that were not examined where no prompt of ours is known. */
const families = /^(PUSH|CANCEL|SUB|HIST|SEND-01[0-3]|STREAM-01[1-3]|STREAM-020)/;

/** Those that an ordinary slow task does not show. */
const elsewhere: Readonly<Record<string, string>> = {
  "HIST-002.first-ones": "which end of a history is the recent one shows from two messages of ours",
  "CANCEL-001.no-effect": "its tasks outlast the grace that is given here",
  "CANCEL-002.failed-too": "no task fails",
  "SUB-003.failed-too": "no task fails",
  "SUB-006.only-at-work": "no task asks back",
  "SUB-006.not-while-authorising": "no task asks for an authorisation",
  "PUSH-032.for-ever": "it takes a minute, which has to be asked for",
  "PUSH-034.this-machine": "it is about production deployments",
};

/** For `npm test`: a cancel, a subscription, a limit. */
const sample: readonly string[] = ["CANCEL-005.runs-on", "SUB-001.no-snapshot", "HIST-001.plus-one"];

const inFamilies = mutants.flatMap(({ id, base }) =>
  (base === "spec" || base === "full") && families.test(id) && !(id in elsewhere) ? [id] : [],
);

async function expectCaughtPlainly(mutant: string, manner: Manner): Promise<void> {
  const only = [ruleOfMutant(mutant)];
  await expectCaught(mutant, "1.0", async (strict) =>
    resultsOf(await tested(`mutants/${mutant}`, manner, { only, strict })),
  );
}

const chosen = provesAll ? inFamilies : sample;
test.concurrent.each(chosen)("%s is caught on an agent whose tasks are slow", (mutant) =>
  expectCaughtPlainly(mutant, "slow"),
);

/** What is seen on other tasks than before. */
const touched = ["CANCEL-*", "CTX-*", "HIST-*", "PUSH-*", "SEND-*", "STREAM-*", "SUB-*"];

const odd = (["short", "asks back"] as const).flatMap((manner) =>
  variants
    // What shows their surroundings is tested in e2e/surroundings.
    .filter(({ id, base }) => (base === "spec" || base === "full") && !variantRows.some((row) => row.id === id))
    .map(({ id }) => ({ id, manner })),
);

test.concurrent.each(provesAll ? odd : [])(
  "$id with tasks that are $manner is accused of nothing",
  async ({ id, manner }) => {
    const results = resultsOf(await tested(`variants/${id}`, manner, { only: touched }));
    const accused = results.filter(({ verdict }) => ["fail", "blocked", "error"].includes(verdict));
    expect(accused.map(line)).toEqual([]);
  },
);
