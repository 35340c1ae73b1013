import type { Binding } from "@assay/protocol";
import type { PeerInterface } from "@assay/wire";
import { describe, expect, test } from "vitest";
import { factsOf } from "../../card/agent-facts.ts";
import { activeCheck, cardCheck, type FetchedCard, passiveCheck } from "../../define/check.ts";
import { holds } from "../../define/finding.ts";
import { observation, type PromptNeed } from "../../define/observation.ts";
import { stimuliFor } from "../../stimuli/prompts.ts";
import { observationKey } from "./grant.ts";
import { missingIn, type PlanInput, planRun, type VersionToPlan } from "./plan.ts";

const interfaces = (...bindings: Binding[]): PeerInterface[] =>
  bindings.map((binding) => ({ url: `http://127.0.0.1/${binding}`, binding, dialect: "1.0" }));

const card = { capabilities: { streaming: true }, skills: [] };
const facts = factsOf(card, "http://127.0.0.1/card.json", interfaces("JSONRPC", "HTTP+JSON", "GRPC"));

const costing = (name: string, messages: number, rank: number) =>
  observation(name, { messages, rank, make: async () => name });
const [first, second, third] = [costing("first", 1, 1), costing("second", 1, 2), costing("third", 4, 3)];
const words = { title: "a promise", remedy: "do it" };
const check = (id: string, uses: NonNullable<Parameters<typeof activeCheck>[1]["uses"]>, more: object = {}) =>
  activeCheck(id, { ...words, uses, judge: () => holds(), ...more });

const version = (more: Partial<VersionToPlan> = {}): VersionToPlan => ({
  interfaces: interfaces("JSONRPC", "HTTP+JSON", "GRPC"),
  preconditions: { facts, stimuli: stimuliFor(facts, {}), options: {}, hasWebhook: false },
  ruleSet: "1.0.1-r1",
  card: {} as FetchedCard,
  declared: true,
  ...more,
});

const plan = (input: Partial<PlanInput>) =>
  planRun({
    checks: [],
    filtered: [],
    versions: [version()],
    depth: "full",
    budget: undefined,
    rude: false,
    ...input,
  });

const made = (input: Partial<PlanInput>): string[] =>
  plan(input).checks.flatMap(({ check: { id }, on, instead }) => (instead ? [] : [`${id} ${on?.binding ?? "card"}`]));

describe("where a check is made", () => {
  test("on every interface that its rule concerns", () => {
    expect(made({ checks: [check("SEND-001", {}), check("REST-001", {})] })).toEqual([
      "SEND-001 JSONRPC",
      "SEND-001 HTTP+JSON",
      "SEND-001 GRPC",
      "REST-001 HTTP+JSON",
    ]);
  });

  test("once, where it is about the card, or about the agent whichever way one asks", () => {
    const judged = cardCheck("CARD-003", { ...words, judge: () => holds() });
    expect(made({ checks: [judged, check("CARD-016", {}, { once: true })] })).toEqual([
      "CARD-003 card",
      "CARD-016 JSONRPC",
    ]);
  });

  test("not where the card does not claim what the rule is about", () => {
    const { checks } = plan({ checks: [check("PUSH-005", {})] });
    expect(new Set(checks.map(({ instead }) => instead?.is))).toEqual(new Set(["not-applicable"]));
  });

  test("not where no message is known that would show it; the line of assay.yaml is named", () => {
    const needsSlow = observation("slow", { ...first, prompts: ["slow"] as const, make: async () => "" });
    const { checks } = plan({ checks: [check("SEND-001", { needsSlow })] });
    expect(checks[0]?.instead).toMatchObject({
      is: "not-examined",
      reason: "prompt",
      enable: "prompts.slow in assay.yaml",
    });
  });

  test("where one of several behaviours will do, any that is known; the best is named where none is", () => {
    const either = (prompts: readonly PromptNeed[]) =>
      check("SEND-001", { living: observation("living", { ...first, prompts, make: async () => "" }) });
    expect(made({ checks: [either([["slow", "task"]])] })).toHaveLength(3);
    const { checks } = plan({ checks: [either([["slow", "inputRequired"]])] });
    expect(checks[0]?.instead).toMatchObject({ reason: "prompt", enable: "prompts.slow in assay.yaml" });
  });

  test("what only judges the calls of others needs no message of its own", () => {
    const reads = passiveCheck("SEND-010", { ...words, judge: () => holds() });
    expect(made({ checks: [reads] })).toHaveLength(3);
  });

  test("what could hurt is made only where that was allowed", () => {
    const elsewhere = observation("elsewhere", { ...first, contacts: ["http://192.0.2.1/"] });
    const looking = [check("SEND-001", {}, { also: { elsewhere } })];
    const allowed = version({ preconditions: { ...version().preconditions, options: { rude: true } } });
    expect(plan({ checks: looking }).checks[0]?.shownBy).toBeUndefined();
    expect(plan({ checks: looking, versions: [allowed] }).checks[0]?.shownBy).toEqual([elsewhere]);
    const rude = check("SEC-001", {}, { rude: true });
    expect(made({ checks: [rude] })).toEqual([]);
    expect(made({ checks: [rude], rude: true })).toHaveLength(3);
  });
});

describe("what the messages are spent on", () => {
  const all = [check("SEND-001", { first }), check("GET-001", { first, second }), check("LIST-001", { third })];

  test("everything, at full depth; with some kept back for asking again", () => {
    const {
      allowance: { messages },
      checks,
    } = plan({ checks: all });
    expect(checks.every(({ instead }) => !instead)).toBe(true);
    expect(messages).toBeGreaterThanOrEqual(18);
    expect(messages).toBeLessThanOrEqual(120);
  });

  test("at full depth malformed messages that the agent may accept come before asking again", () => {
    const patient = observation("patient", { ...first, messages: 30, again: 30 });
    const { messages, kept, again } = plan({ checks: [check("SEND-001", { patient })] }).allowance;
    const sum = (all: ReadonlyMap<string, number> = new Map()) => [...all.values()].reduce((a, b) => a + b, 0);
    expect(sum(kept)).toBe(90);
    expect(messages - sum(kept) - sum(again)).toBeGreaterThanOrEqual(3 * 8);
  });

  test("at quick depth eight for the whole agent: the most telling first, on every interface", () => {
    const { messages } = plan({ checks: all, depth: "quick" }).allowance;
    expect(messages).toBeLessThanOrEqual(8);
    expect(made({ checks: all, depth: "quick" })).toEqual([
      "SEND-001 JSONRPC",
      "SEND-001 HTTP+JSON",
      "SEND-001 GRPC",
      "GET-001 JSONRPC",
      "GET-001 HTTP+JSON",
      "GET-001 GRPC",
    ]);
  });

  test("what two checks need is paid for once", () => {
    expect(
      plan({
        checks: [all[0]!, check("SEND-002", { first })],
        versions: [version({ interfaces: interfaces("JSONRPC") })],
      }).allowance.messages,
    ).toBe(plan({ checks: [all[0]!], versions: [version({ interfaces: interfaces("JSONRPC") })] }).allowance.messages);
  });

  test("what rests on another observation brings it along, or is left out with it", () => {
    const later = observation("later", { messages: 3, rank: 1, uses: [third], make: async () => "" });
    expect(
      made({
        checks: [check("SEND-001", { later })],
        budget: 6,
        versions: [version({ interfaces: interfaces("JSONRPC") })],
      }),
    ).toEqual([]);
    expect(
      made({
        checks: [check("SEND-001", { later })],
        budget: 8,
        versions: [version({ interfaces: interfaces("JSONRPC") })],
      }),
    ).toHaveLength(1);
  });

  test("nothing, at depth free; and only the card, at depth card", () => {
    const free = check("GET-002", {});
    expect(made({ checks: [...all, free], depth: "free" })).toHaveLength(3);
    expect(plan({ checks: [...all, free], depth: "free" }).allowance.messages).toBe(0);
    expect(made({ checks: [...all, free], depth: "card" })).toEqual([]);
  });

  test.each<[Partial<PlanInput>, string, string | undefined]>([
    [{ budget: 3 }, "budget", "--budget 50"],
    [{ depth: "quick" }, "depth", "--depth full"],
    [{ depth: "quick", budget: 30 }, "depth", "--depth full"],
    [{ depth: "quick", budget: 3 }, "depth", "--depth full --budget 50"],
    [{ depth: "free" }, "depth", "--depth full"],
    [{ depth: "card" }, "depth", "--depth full"],
  ])("what is left out says which flag would help: %j", (more, reason, enable) => {
    expect(plan({ checks: all, ...more }).checks.at(-1)?.instead).toMatchObject({ is: "not-examined", reason, enable });
  });

  test("what no flag allows names none", () => {
    const endless = observation("endless", { ...first, messages: 1_000, make: async () => "" });
    const { instead } = plan({ checks: [check("SEND-001", { endless })] }).checks[0]!;
    expect(instead).toMatchObject({ is: "not-examined", reason: "budget" });
    expect(instead).not.toHaveProperty("enable");
  });

  test("what a card run leaves out names the least depth that would do", () => {
    const checks = [check("GET-002", {}), check("SEND-001", { first })];
    const enabled = plan({ checks, depth: "card" }).checks.map(({ check: { id }, instead }) => [id, instead]);
    expect(enabled).toContainEqual(["GET-002", expect.objectContaining({ enable: "--depth free" })]);
    expect(enabled).toContainEqual(["SEND-001", expect.objectContaining({ enable: "--depth quick" })]);
  });

  test("a part is for malformed messages that the agent accepts; at depth free, one on each interface", () => {
    const attempts = [check("SEND-004", {})];
    expect(plan({ checks: attempts, depth: "quick" }).allowance).toMatchObject({ messages: 1, mayAccept: [] });
    expect(plan({ checks: attempts, depth: "full" }).allowance.messages).toBeGreaterThanOrEqual(24);
    const { messages, mayAccept } = plan({ checks: attempts, depth: "free" }).allowance;
    expect([messages, mayAccept?.length]).toEqual([0, 3]);
    expect(plan({ checks: attempts, depth: "free", budget: 1 }).allowance.mayAccept).toHaveLength(1);
  });

  test("what the agent accepted while its versions were asked for is one of them", () => {
    const acceptedAt = ["http://agent.test/"];
    expect(plan({ checks: all, depth: "quick", acceptedAt }).allowance.messages).toBeLessThanOrEqual(8);
    expect(plan({ checks: all, budget: 1, acceptedAt }).allowance).toMatchObject({ messages: 1, kept: new Map() });
  });
});

test("a version that the agent never claimed gets the messages that are left over", () => {
  const checks = [check("SEND-001", { first }), check("GET-001", { second })];
  const unclaimed = version({ interfaces: interfaces("HTTP+JSON"), declared: false });
  const claimed = version({ interfaces: interfaces("JSONRPC") });
  expect(made({ checks, budget: 3, versions: [unclaimed, claimed] })).toEqual(["SEND-001 JSONRPC", "GET-001 JSONRPC"]);
});

test("a rule that came with a later text is no part of an earlier set", () => {
  const later = check("REST-013", {});
  expect(made({ checks: [later] })).toEqual(["REST-013 HTTP+JSON"]);
  expect(made({ checks: [later], versions: [version({ ruleSet: "1.0.0-r1" })] })).toEqual([]);
});

test("a rule of a draft has a place only in the set of the draft, with messages of its own", () => {
  const checks = [check("GEN-001", {}), check("SEND-001", { first })];
  const plans = (["1.0.1-r1", "1.1-draft1"] as const).map((ruleSet) =>
    plan({ checks, versions: [version({ ruleSet, interfaces: interfaces("JSONRPC") })] }),
  );
  const [released, draft] = plans.map((each) => each.checks.map((entry) => entry.check.id));
  expect(released).not.toContain("GEN-001");
  expect(draft).toContain("GEN-001");
});

describe("a plan behind what was learnt", () => {
  const living = observation("living", {
    ...first,
    prompts: [["slow", "inputRequired", "task"], "file"] as const,
    make: async () => "",
  });
  const stimuli = stimuliFor(facts, {});

  test("what is missing is told, better behaviours than those known included", () => {
    const assumed = { ...stimuli, file: stimuli.task! };
    const hopeful = version({ preconditions: { facts, stimuli: assumed, options: {}, hasWebhook: false } });
    const planned = plan({ checks: [check("SEND-001", { living })], versions: [hopeful] });
    expect(missingIn(planned, "1.0", stimuli)).toEqual(["slow", "inputRequired", "file"]);
    expect(missingIn(planned, "1.0", { ...assumed, slow: stimuli.task! })).toEqual([]);
  });

  test("messages for trying are announced beside the others", () => {
    const checks = [check("SEND-001", { first })];
    const before = plan({ checks }).allowance.messages;
    expect(plan({ checks, trials: 5 }).allowance.messages).toBe(before + 5);
  });

  test("what was made costs nothing any more, and nothing is sent beyond what was announced", () => {
    const checks = [check("SEND-001", { first, second })];
    const announced = plan({ checks, trials: 5 }).allowance.messages;
    const on = interfaces("JSONRPC")[0]!;
    const soFar = { announced, spent: 7, made: new Set([observationKey(first, on)]) };
    const { allowance } = plan({ checks, soFar });
    expect([...allowance.kept!.keys()]).not.toContain(observationKey(first, on));
    expect(allowance.kept!.size).toBe(5);
    expect(allowance).toMatchObject({ spent: 7 });
    expect(allowance.messages).toBeLessThanOrEqual(announced);
    expect(plan({ checks, soFar: { ...soFar, announced: 12 } }).allowance.messages).toBe(12);
  });
});
