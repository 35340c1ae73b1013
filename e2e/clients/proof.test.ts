import { readFileSync } from "node:fs";
import { clientChecks, isDraft, ruleOf as ruleInNewest, situationChecks } from "@assay/suite";
import { resultsOf, unexaminedOf } from "@assay/suite/report";
import { describe, expect, test } from "vitest";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";
import { runClient } from "./client.js";
import { grpcClient } from "./grpc-client.fixture.ts";
import { misbehaviours as does } from "./misbehaviours.fixture.ts";
import { brokenIn, testDriven, testOwnClient } from "./proof.fixture.ts";

const sourceOf = (file: string): string => readFileSync(new URL(file, import.meta.url), "utf8");

/** The misbehaviours in some files, each named after the rule that it breaks. */
const misbehavioursIn = (...files: readonly string[]): readonly string[] => {
  const source = files.map(sourceOf).join("\n");
  return [...new Set([...source.matchAll(/wrong\("([A-Z0-9-]+\.[\w-]+)"\)/g)].map(([, name]) => name!))];
};
const misbehaviours = misbehavioursIn("client.js", "trust.js");
const ruleOf = (misbehaviour: string): string => misbehaviour.split(".", 1)[0]!;
const checked = new Set(clientChecks.map(({ id }) => id));
/** Misbehaviours whose rule no check examines would prove nothing. */
const proven = misbehaviours.filter((name) => checked.has(ruleOf(name)));

test("the good client is accused of nothing, and most of what concerns it is examined", async () => {
  const report = await testOwnClient("");
  expect(brokenIn(report)).toEqual([]);
  expect(report).toMatchObject({ outcome: "conformant", subject: "client" });
  expect(report.interfaces.map(({ binding }) => binding)).toEqual(["JSONRPC", "HTTP+JSON"]);
  expect(resultsOf(report).filter(({ verdict }) => verdict === "error")).toEqual([]);
});

test.each([
  ["AUTH-004", "untrusted-certificate"],
  ["SIG-021", "explicit-card"],
  ["PUSH-043", "webhook-old"],
  ["XCARD-012", "extended-elsewhere"],
])("%s is seen to hold", async (rule, situation) => {
  const report = await testOwnClient("", { only: [rule], situations: [situation], bindings: ["JSONRPC"] });
  expect(resultsOf(report).map(({ test: id, verdict }) => [id, verdict])).toEqual([[rule, "pass"]]);
});

test("rules of a draft are examined only by its rule set, and the good client keeps them", async () => {
  const inDraft = { only: ["GEN-*"], ruleSet: "1.1-draft1" } as const;
  const report = await testOwnClient("", { ...inDraft, bindings: ["JSONRPC"] });
  const verdicts = resultsOf(report).filter(({ verdict, warning }) => verdict === "pass" && warning === undefined);
  expect(verdicts.map(({ test: id }) => id).toSorted()).toEqual(["GEN-020", "GEN-021", "GEN-022"]);
  const released = await testOwnClient("", { bindings: ["JSONRPC"], situations: ["generation-gap"] });
  expect(resultsOf(released).filter(({ test: id }) => id.startsWith("GEN-"))).toEqual([]);
});

test("a client that ignores generations is not warned", async () => {
  const inDraft = { only: ["GEN-*"], ruleSet: "1.1-draft1", bindings: ["JSONRPC"] } as const;
  const report = await testOwnClient("odd:ignores-generations", inDraft);
  expect(resultsOf(report).filter(({ warning }) => warning !== undefined)).toEqual([]);
});

describe("an agent of 1.1 works with a client of 1.0", () => {
  const bed = useTestbed();

  test.each(["send", "stream"])("%s", async (action) => {
    const [printed, complaints]: [string[], string[]] = [[], []];
    const exit = await runClient({
      env: {
        ASSAY_AGENT_URL: `${bed.url}/spec11`,
        ASSAY_SITUATION: action,
        ASSAY_ACTION: action,
        ASSAY_MESSAGE: "task-lifecycle hello",
        ASSAY_ASKS: "",
      },
      misbehaviour: "odd:ignores-generations",
      signal: new AbortController().signal,
      print: (text: string) => void printed.push(text),
      complain: (text: string) => void complaints.push(text),
    });
    expect({ exit, complaints }).toEqual({ exit: 0, complaints: [] });
    expect(printed.join("\n")).toContain("hello");
  });
});

const oddities = [...new Set([...sourceOf("client.js").matchAll(/odd\("([\w-]+)"\)/g)].map(([, name]) => name!))];

describe("what is unusual and within the rules accuses no client", () => {
  const situations = [
    "task",
    "stream",
    "chunks",
    "get",
    "list",
    "converse",
    "tenant",
    "card-elsewhere",
    "dead-interface",
  ];
  test.each(sampleOf(oddities, 3))("%s", async (name) => {
    const report = await testOwnClient(`odd:${name}`, { situations });
    expect(brokenIn(report)).toEqual([]);
    expect(report.situations?.filter(({ runs }) => runs[0]?.exit !== 0)).toEqual([]);
  });
});

describe("what no rule forbids is advice", () => {
  const adviceFor = async (misbehaviour: string, situation: string): Promise<readonly string[]> => {
    const report = await testOwnClient(misbehaviour, { situations: [situation], bindings: ["JSONRPC"] });
    expect(brokenIn(report)).toEqual([]);
    return report.notes;
  };

  test.each([
    ["failed", "odd:hides-reasons", 'show the user the reason of the agent: "'],
    ["rejected", "odd:hides-reasons", 'show the user the reason of the agent: "'],
    ["asks-back", "odd:hides-reasons", 'show the user the reason of the agent: "'],
    ["foreign-interface", "odd:token-for-any-host", "the client sends its token to a host"],
  ])("%s", async (situation, misbehaviour, advice) => {
    expect(await adviceFor("", situation)).toEqual([]);
    expect(await adviceFor(misbehaviour, situation)).toEqual([
      expect.stringContaining(`advice (${situation}): ${advice}`),
    ]);
  });
});

describe("rules whose situation did not run name the option that left it out", () => {
  const left = async (options: Parameters<typeof testOwnClient>[1]) =>
    unexaminedOf(await testOwnClient("", { only: ["SIG-016", "DATA-010"], ...options }));

  test("--situation, once for all of them", async () => {
    expect(await left({ situations: ["task"] })).toEqual([
      { reason: "filter", rules: 2, enable: "a run without --situation" },
    ]);
  });

  test("--binding, for a situation of several bindings", async () => {
    expect(await left({ bindings: ["JSONRPC"] })).toEqual([
      { reason: "not-triggered", rules: 1, enable: "a run without --binding" },
    ]);
  });

  test("none, if it ran over another interface", async () => {
    const results = resultsOf(await testOwnClient("", { only: ["AUTH-004"] }));
    expect(results.map(({ verdict, unexamined, enable }) => [verdict, unexamined, enable])).toEqual([
      ["pass", undefined, undefined],
      ["not-examined", "not-triggered", undefined],
    ]);
  });
});

test.each(["webhook-forged", "webhook-foreign", "webhook-old"])(
  "a receiver that acknowledges a forged notification, reports it and ends is not accused: %s",
  async (situation) => {
    const report = await testOwnClient("odd:gives-up-on-forgery", { situations: [situation], bindings: ["JSONRPC"] });
    expect(brokenIn(report)).toEqual([]);
    expect(report.situations?.find((each) => each.situation === situation)?.runs[0]).toMatchObject({
      exit: 0,
      output: "",
      errors: expect.stringMatching(/^the notification /),
    });
  },
);

test("BIND-008 is not examined on a client that never calls the dead interface", async () => {
  const report = await testOwnClient("odd:own-port", { only: ["BIND-008"], situations: ["dead-interface"] });
  expect(resultsOf(report).map(({ verdict }) => verdict)).toEqual(["not-examined", "not-examined"]);
});

test("VER-016 says that the command may ignore ASSAY_VERSION", async () => {
  const report = await testOwnClient("VER-016.older-unasked", { only: ["VER-016"], situations: ["older-only"] });
  expect(resultsOf(report).map(({ warning }) => warning)).toEqual(
    Array(2).fill(expect.stringContaining("asked for 1.0 only (ASSAY_VERSION)")),
  );
});

test.each([
  ["AUTH-005.no-login", "login"],
  ["XCARD-011.anonymous", "extended-card"],
])("%s says that the command may ignore ASSAY_BEARER", async (misbehaviour, situation) => {
  const options = { only: [ruleOf(misbehaviour)], situations: [situation], bindings: ["JSONRPC"] } as const;
  expect(resultsOf(await testOwnClient(misbehaviour, options)).map(({ message }) => message)).toEqual([
    expect.stringContaining("or the command ignores ASSAY_BEARER"),
  ]);
});

/** Where a rule is broken that any call might show, or a misbehaviour shows that another situation does not: one is enough. */
const shownIn: Readonly<Record<string, string>> = {
  "TEN-001": "tenant-get",
  "CTX-004": "converse",
  "EXT-004": "extensions",
  "EXT-016": "required-extension",
  "EXT-017": "extensions",
  "LIST-025": "list",
  "CTX-017": "converse",
  "SEND-021": "converse",
  "CAP-001": "no-streaming",
  "REST-017": "get",
  "REST-019": "get",
  "PUSH-041": "webhook",
  "SIG-016.raw-bytes": "signed-card",
  "BIND-006.last-of-binding": "same-binding",
  "GEN-022.zero": "generation-zero",
};

const situationFor = (misbehaviour: string, rule = ruleOf(misbehaviour)): string =>
  shownIn[misbehaviour] ?? shownIn[rule] ?? situationChecks.find(({ id }) => id === rule)?.in.at(-1) ?? "task";

/** Clients that never come to an end. Each costs its time limit three times, so `npm test` leaves them to `npm run prove`. */
const endless = ["STREAM-025.waits", "STREAM-026.waits-for-final", "SUB-009.sends-again", "PUSH-036.not-found"];

describe("a misbehaving client gets a finding", () => {
  test.each(sampleOf(proven, 3).filter((name) => provesAll || !endless.includes(name)))("%s", async (name) => {
    const rule = ruleOf(name);
    const limits = endless.includes(name) ? ({ timeout: 4_000, bindings: ["JSONRPC"] } as const) : {};
    const draft = ruleInNewest(rule)?.since;
    const spec = isDraft(draft) ? { ruleSet: draft } : {};
    const report = await testOwnClient(name, { only: [rule], situations: [situationFor(name)], ...limits, ...spec });
    expect(brokenIn(report)).toEqual([rule]);
  });

  test("GRPC-007.no-metadata", async () => {
    const overGrpc = { only: ["GRPC-007"], situations: ["send"], bindings: ["GRPC"] } as const;
    expect(brokenIn(await testDriven(grpcClient(), { situations: ["task"], bindings: ["GRPC"] }))).toEqual([]);
    expect(brokenIn(await testDriven(grpcClient({ isMute: true }), overGrpc))).toEqual(["GRPC-007"]);
  });
});

test("a misbehaving client does what the breaks of each checked rule says", () => {
  // Those of the older client are tried in older.test.ts; of gRPC in 0.3 there are rows in the test of its check.
  const others = [...misbehavioursIn("older-client.js"), "GRPC-007.no-metadata", "V03-GRPC-003.bare-id"];
  const shown = [...misbehaviours, ...others];
  const unproven = [...checked].filter(
    (id) => !shown.some((name) => ruleOf(name) === id && does[name] === ruleInNewest(id)?.breaks),
  );
  expect(unproven).toEqual([]);
  expect(Object.keys(does).filter((name) => !shown.includes(name))).toEqual([]);
});
