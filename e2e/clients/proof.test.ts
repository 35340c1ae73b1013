import { readFileSync } from "node:fs";
import { clientChecks, situationChecks } from "@assay/suite";
import { resultsOf } from "@assay/suite/report";
import { describe, expect, test } from "vitest";
import { grpcClient } from "./grpc-client.case.ts";
import { brokenIn, testDriven, testOwnClient } from "./proof.case.ts";

const source = readFileSync(new URL("client.js", import.meta.url), "utf8");

/** The misbehaviours of the client, each named after the rule that it breaks. */
const misbehaviours = [...new Set([...source.matchAll(/wrong\("([A-Z0-9-]+\.[\w-]+)"\)/g)].map(([, name]) => name!))];
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

const oddities = [...new Set([...source.matchAll(/odd\("([\w-]+)"\)/g)].map(([, name]) => name!))];

describe("what is unusual and within the rules accuses no client", () => {
  const situations = ["task", "stream", "chunks", "get", "list", "converse", "tenant"];
  test.each(oddities)("%s", async (name) => {
    const report = await testOwnClient(`odd:${name}`, { situations });
    expect(brokenIn(report)).toEqual([]);
    expect(report.situations?.filter(({ runs }) => runs[0]?.exit !== 0)).toEqual([]);
  });
});

/** Where a misbehaviour shows that any call might show: one situation is enough for the proof. */
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
};

const situationFor = (rule: string): string =>
  shownIn[rule] ?? situationChecks.find(({ id }) => id === rule)?.in.at(-1) ?? "task";

describe("a client that misbehaves is told so", () => {
  test.each(proven)("%s", async (name) => {
    const rule = ruleOf(name);
    // One that hangs is given its time, and twice that.
    const hangs = /waits/.test(name) ? ({ timeout: 600, bindings: ["JSONRPC"] } as const) : {};
    expect(brokenIn(await testOwnClient(name, { only: [rule], situations: [situationFor(rule)], ...hangs }))).toEqual([
      rule,
    ]);
  });

  test("GRPC-007.no-metadata", async () => {
    const overGrpc = { only: ["GRPC-007"], situations: ["send"], bindings: ["GRPC"] } as const;
    expect(brokenIn(await testDriven(grpcClient(), { situations: ["task"], bindings: ["GRPC"] }))).toEqual([]);
    expect(brokenIn(await testDriven(grpcClient({ isMute: true }), overGrpc))).toEqual(["GRPC-007"]);
  });
});

test("every check of clients has a misbehaving client made for it", () => {
  const shown = new Set([...misbehaviours.map(ruleOf), "GRPC-007"]);
  // Those of these areas come with their situations.
  const later = /^(?:V0\d-|AUTH-|XCARD-|PUSH-|CACHE-|SIG-|SEC-|INTASK-)/;
  const unproven = [...checked].filter((id) => !shown.has(id) && !later.test(id));
  expect(unproven).toEqual([]);
});
