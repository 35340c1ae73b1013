import { adviceRows } from "@assay/suite";
import type { ConformanceResult } from "@assay/suite/report";
import { afterAll, describe, expect, test } from "vitest";
import { mutants } from "../../packages/agents/src/mutants/index.ts";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { type Knock, startFront } from "./front.fixture.ts";
import { prove, slower, startFixtures } from "./proving.fixture.ts";

/** `assay test --faults`: advice for agents that cope badly, and for no others. */

const bed = await startFixtures();
afterAll(() => bed.close(0));

/** One cheap rule, because the rest of the run does not depend on the faults. */
const only = ["CARD-003"];

interface Tried {
  readonly advice: readonly string[];
  readonly notes: readonly string[];
  readonly results: readonly ConformanceResult[];
  readonly outcome: string;
  readonly messages: { readonly sent: number; readonly planned: number };
}

async function tryOn(path: string, base: string, more: Parameters<typeof prove>[2]["more"] = {}): Promise<Tried> {
  const { report, results } = await prove(bed, path, {
    base,
    only,
    binding: "JSONRPC",
    dialect: "1.0",
    more: { faults: true, prompts: { slow: slower }, goneAfter: 1_000, ...more },
  });
  const { notes, outcome, summary } = report;
  return {
    advice: notes.flatMap((note) => /^advice \((\S+),/.exec(note)?.[1] ?? []),
    notes,
    results,
    outcome,
    messages: { sent: summary.workingMessages, planned: summary.plannedMessages },
  };
}

/** The others take a while to see: `npm run prove` tries them all. */
const quick = ["FAULT-002", "FAULT-004", "FAULT-007"];
const rows = Object.entries(adviceRows).filter(([id]) => provesAll || quick.includes(id));

describe.concurrent("each row of advice is given to a mutant that does what it says", () => {
  test.each(rows)("%s", { timeout: 900_000 }, async (id, { breaks }) => {
    const mutant = mutants.find(({ does }) => does === breaks)!;
    const { advice, outcome, results } = await tryOn(`mutants/${mutant.id}`, mutant.base, {
      // A task is stuck after four times the time of another one, which is long on a busy machine.
      ...(id === "FAULT-003" && { taskTimeout: 90_000 }),
    });
    expect([...new Set(advice)]).toEqual([id]);
    expect([outcome, results.filter(({ verdict }) => verdict === "fail")]).toEqual(["conformant", []]);
  });
});

/** Odd, but legal for --faults. Some of them break a rule that the checks examine. */
const legal = [
  ["full", "full", "4 of 4"],
  ["variants/recognises-repeats", "spec", "2 of 2"],
  ["mutants/STREAM-013.dies-with-client", "spec", "2 of 2"],
  ["mutants/PUSH-031.only-once", "full", "4 of 4"],
  ["mutants/PUSH-033.again-and-again", "full", "4 of 4"],
  // It cannot show if failing webhooks disturb others.
  ["mutants/PUSH-021.first-only", "full", "3 of 3"],
] as const;

describe.concurrent("no advice for", () => {
  test.each(provesAll ? legal : legal.slice(0, 2))("/%s", async (path, base, coped) => {
    const { advice, messages, notes } = await tryOn(path, base);
    expect(advice).toEqual([]);
    expect(notes).toContain(`faults: the agent copes with ${coped} examined situations`);
    expect(messages.sent).toBeLessThanOrEqual(messages.planned);
  });
});

describe.concurrent("an agent that is busy gets no advice", () => {
  /** Tests a good agent that answers these requests with an internal error. */
  async function busyOn(isRefused: (knock: Knock) => boolean): Promise<Tried> {
    const front = await startFront(`${bed.url}/spec`, (knock, response) => {
      if (!isRefused(knock)) return undefined;
      const { id } = JSON.parse(knock.body) as { id: unknown };
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message: "overloaded" } }));
      return true;
    });
    try {
      return await tryOn("spec", "spec", { url: front.url });
    } finally {
      await front.close();
    }
  }

  test("for all but the first message", async () => {
    const seen = new Set<string>();
    const { advice, notes } = await busyOn(({ rpc, body }) => {
      const [, id] = /"messageId":"([^"]+)"/.exec(body) ?? [];
      if (rpc !== "SendMessage" || id === undefined) return false;
      const isFirst = seen.size === 0;
      seen.add(id);
      return !isFirst;
    });
    expect(advice).toEqual([]);
    expect(notes).toContainEqual(expect.stringContaining("messages with a new messageId fail, too"));
    // The refused messages had new ids.
    expect(seen.size).toBe(4);
  });

  test("for a stream after two others", async () => {
    let streams = 0;
    const { advice, notes } = await busyOn(({ rpc }) => {
      if (rpc === "SendStreamingMessage") streams += 1;
      return rpc === "SendStreamingMessage" && streams > 2;
    });
    expect(advice).toEqual([]);
    expect(notes).toContainEqual(expect.stringContaining("no event on the next stream: error -32603 (overloaded)"));
  });
});

test("an agent without streaming and push is asked for duplicates only, and the notes say why", async () => {
  const { notes, messages } = await tryOn("minimal", "minimal");
  expect(notes).toMatchInlineSnapshot(`
    [
      "faults: the agent copes with 1 of 1 examined situations",
      "faults: not examined: webhooks that fail beside one that works (the card does not claim pushNotifications)",
      "faults: not examined: a webhook that responds slowly (the card does not claim pushNotifications)",
      "faults: not examined: clients that disconnect in the middle of a stream (the card does not claim streaming)",
    ]
  `);
  expect(messages.planned).toBeLessThan(8);
});

test("--budget limits the messages", async () => {
  const { notes, messages } = await tryOn("full", "full", { budget: 0 });
  expect(messages).toEqual({ sent: 0, planned: 0 });
  expect(notes).toMatchInlineSnapshot(`
    [
      "faults: not examined: a message that arrives several times (Assay may send no message, not even one that the agent should reject)",
      "faults: not examined: webhooks that fail beside one that works (Assay may send no message, not even one that the agent should reject)",
      "faults: not examined: a webhook that responds slowly (Assay may send no message, not even one that the agent should reject)",
      "faults: not examined: clients that disconnect in the middle of a stream (Assay may send no message, not even one that the agent should reject)",
    ]
  `);
});

testIf(provesAll)("a time limit that is reached during the faults leaves the verdict", async () => {
  // Assay waits a minute for its task.
  const { notes, outcome } = await tryOn("mutants/FAULT-003.stuck", "full", { maxTime: 30_000 });
  expect(outcome).toBe("conformant");
  expect(notes.at(-1)).toBe(
    "faults: not examined: clients that disconnect in the middle of a stream (the run ended before)",
  );
});

test("without --faults nothing is sent and nothing is noted", async () => {
  const { notes, messages } = await tryOn("full", "full", { faults: false });
  expect({ notes, messages }).toEqual({ notes: [], messages: { sent: 0, planned: 0 } });
});
