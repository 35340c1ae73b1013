import { createMasker } from "@assay/wire";
import { describe, expect, test } from "vitest";
import type { RunEvent, RunStarted } from "../report/events.ts";
import { checked, exchange, found, jsonrpc, result, started } from "../report/run.fixture.ts";
import { askedFor, EarlierRun, type RunIdentity } from "./earlier-run.ts";
import type { TestOptions } from "./options.ts";

const head: RunStarted = { ...started, asked: { "--depth": "quick", "--only": "GET-*" } };
const events: RunEvent[] = [
  head,
  { ...found, cardDigest: "d1" },
  exchange("x1", 100, 50),
  exchange("x12", 300, 200, true),
  { event: "lifecycle-seen", interface: jsonrpc, answer: "completed" },
  ...checked([
    result("GET-001", { interface: jsonrpc }),
    result("GET-002", { interface: jsonrpc, verdict: "fail" }),
    result("GET-003", { interface: jsonrpc, verdict: "not-examined", unexamined: "interrupted" }),
    result("GET-004", { interface: jsonrpc, verdict: "error" }),
    result("CARD-001"),
  ]),
];
const earlier = new EarlierRun(events);
const masker = createMasker([]);

// The interfaces of these runs are those of peers.
const on = jsonrpc as Parameters<EarlierRun["isFinished"]>[2];

describe("a run that was cut off", () => {
  test("leaves what it finished, failures among it; what was cut off or went wrong with us is examined again", () => {
    const rules = ["GET-001", "GET-002", "GET-003", "GET-004", "GET-005", "CARD-001"];
    expect(rules.filter((rule) => earlier.isFinished(rule, "1.0", on, masker))).toEqual([
      "GET-001",
      "GET-002",
      "CARD-001",
    ]);
    expect(earlier.isFinished("GET-001", "0.3", on, masker)).toBe(false);
    expect(earlier.kept.map(({ event }) => event)).toEqual([
      "exchange",
      "exchange",
      "lifecycle-seen",
      "check-finished",
      "check-finished",
      "check-finished",
    ]);
    expect(earlier.kept.at(-1)).toMatchObject({ result: { test: "CARD-001", from: head.run } });
  });

  test("says what it had sent, and how many exchanges there were", () => {
    expect(earlier.facts).toMatchObject({ run: head.run, results: 3, workingMessages: 1, duration_ms: 500 });
    expect(earlier.issued).toBe(12);
  });

  test("knows its interfaces again where a secret in their address was masked", () => {
    const secret = createMasker([{ name: "key", value: "s3same-open" }]);
    const raw = { ...on!, url: "http://127.0.0.1:9999/s3same-open" };
    const there = { ...jsonrpc, url: secret.text(raw.url) };
    const masked = new EarlierRun([head, ...checked([result("GET-001", { interface: there })])]);
    expect(masked.isFinished("GET-001", "1.0", raw, secret)).toBe(true);
    expect(masked.resultsIn("1.0", [raw], secret)[0]?.interface?.url).toBe(raw.url);
  });
});

describe("goes on only where everything that matters is the same", () => {
  const same: RunIdentity = {
    agentUrl: head.agentUrl,
    ruleSet: head.ruleSet,
    tool: head.tool.version,
    cardDigest: "d1",
    asked: head.asked!,
  };
  test("and then does", () => expect(() => earlier.assertSame(same)).not.toThrow());

  test.each<[Partial<RunIdentity>, string]>([
    [{ agentUrl: "http://other" }, "that run tested"],
    [{ cardDigest: "d2" }, "the agent's card has changed since that run"],
    [{ ruleSet: "1.0.0-r1" }, "that run used the rule set"],
    [{ tool: "9.9.9" }, "and this is assay 9.9.9"],
    [{ asked: { "--depth": "full", "--only": "GET-*" } }, "--depth was quick, and is full now"],
    [{ asked: { "--depth": "quick" } }, "--only was GET-*, and is not given now"],
    [{ asked: { ...head.asked, login: "authorization" } }, "login was not given, and is authorization now"],
  ])("%j", (change, says) => {
    expect(() => earlier.assertSame({ ...same, ...change })).toThrow(says);
  });
});

test("what was asked for is told without secrets and texts", () => {
  const options = {
    headers: [["Authorization", "Bearer s3same-open"]],
    prompts: { task: "buy the company" },
  } as unknown as TestOptions;
  const asked = askedFor(options, "full");
  expect(asked).toMatchObject({
    "--depth": "full",
    login: "authorization",
    prompts: expect.stringMatching(/^[0-9a-f]{12}$/),
  });
  expect(JSON.stringify(asked)).not.toMatch(/s3same|company/);
});
