import { describe, expect, test } from "vitest";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../define/finding.ts";
import { type BreachCode, breachCodes } from "./breach-codes.ts";
import { ruleIn, ruleOfSet } from "./catalogue.ts";
import { gravest, type Judged, judgementOf } from "./policy.ts";
import type { Rule } from "./rule.ts";

const levels: Rule["level"][] = ["MUST", "MUST_NOT", "SHOULD", "SHOULD_NOT", "MAY"];
const bases: Rule["basis"][] = ["stated", "schema", "prose", "guide", "derived"];
const must = { id: "ERR-020", level: "MUST", basis: "stated" } as const;

const judged = (rule: Partial<Judged["rule"]> = {}, more: Partial<Judged> = {}): Judged => ({
  rule: { ...must, ...rule },
  dialect: "1.0",
  set: "1.0.1-r1",
  binding: "JSONRPC",
  strict: false,
  declared: true,
  ...more,
});

describe("a breach without a row", () => {
  test.each(levels.flatMap((level) => bases.map((basis) => ({ level, basis }))))(
    "$level with basis $basis",
    ({ level, basis }) => {
      const { verdict, warning, info } = judgementOf(broken("it is wrong"), judged({ level, basis }));
      const firm = level.startsWith("MUST") && ["stated", "schema", "prose"].includes(basis);
      expect(verdict).toBe(firm ? "fail" : "pass");
      expect(warning).toBe(firm || level === "MAY" ? undefined : "it is wrong");
      expect(info).toBe(level === "MAY" ? "it is wrong" : undefined);
    },
  );

  test("is the same in the strict reading", () => {
    expect(judgementOf(broken("no"), judged({}, { strict: true }))).toEqual(judgementOf(broken("no"), judged()));
  });

  test("of a rule of a draft is a warning at most, also a crash", () => {
    const drafted = judged(ruleIn("1.0", "GEN-009"), { strict: true, set: "1.1-draft1" });
    expect(judgementOf(broken("no"), drafted)).toEqual({ verdict: "pass", warning: "no" });
    expect(judgementOf(crashed("no"), drafted)).toEqual({ verdict: "pass", warning: "no" });
    const released = judged({}, { set: "1.1-draft1" });
    expect(judgementOf(breach("error-table-1.0.0", "no"), released)).toEqual(
      judgementOf(breach("error-table-1.0.0", "no"), judged()),
    );
  });

  test("of a rule that no released text has yet is a warning", () => {
    const strict = judged({ since: "main" }, { strict: true });
    expect(judgementOf(broken("no"), strict)).toEqual({ verdict: "pass", warning: "no" });
  });
});

test.each([
  ["CTX-014", { verdict: "pass", info: "an internal error" }],
  ["INTASK-006", { verdict: "pass", warning: "an internal error" }],
])("%s: where no text names an error, none is a failure", (id, expected) => {
  expect(judgementOf(breach("internal-error", "an internal error"), judged(ruleIn("1.0", id)))).toEqual(expected);
});

describe("the numbers of 1.0.0", () => {
  const old = breach("error-table-1.0.0", "409 instead of 400");

  test("are a warning in the lenient reading", () => {
    expect(judgementOf(old, judged())).toEqual({ verdict: "pass", warning: "409 instead of 400" });
  });

  test("fail a MUST in the strict reading, and warn about a SHOULD", () => {
    expect(judgementOf(old, judged({}, { strict: true })).verdict).toBe("fail");
    expect(judgementOf(old, judged({ level: "SHOULD" }, { strict: true }))).toMatchObject({ verdict: "pass" });
  });

  test("are right where the agent is judged by that text", () => {
    expect(judgementOf(old, judged({}, { strict: true, set: "1.0.0-r1" }))).toEqual({ verdict: "pass" });
  });
});

describe("what a breach comes to may hang on version, binding and reading", () => {
  type Where = Pick<Judged, "dialect" | "set" | "binding">;
  const v1: Where = { dialect: "1.0", set: "1.0.1-r1", binding: "JSONRPC" };
  const v03: Where = { dialect: "0.3", set: "0.3.0-r1", binding: "JSONRPC" };

  test.each<[rule: string, code: BreachCode, where: Where, lenient: string, strict: string]>([
    ["AUTH-008", "forbidden-for-unauthenticated", v1, "warning", "warning"],
    ["AUTH-008", "forbidden-for-unauthenticated", v03, "pass", "pass"],
    ["AUTH-008", "error-object-alone", v1, "info", "info"],
    ["AUTH-008", "error-object-alone", { ...v1, binding: "GRPC" }, "warning", "warning"],
    ["PUSH-010", "other-of-several", v1, "fail", "fail"],
    ["PUSH-010", "other-of-several", v03, "warning", "warning"],
    ["V03-PUSH-007", "internal-error", v03, "pass", "pass"],
    ["V03-PUSH-007", "internal-error", { ...v03, binding: "GRPC" }, "warning", "warning"],
    ["CARD-001", "older-location", { ...v1, binding: undefined }, "warning", "fail"],
    ["CARD-001", "older-location", { ...v03, binding: undefined }, "warning", "warning"],
    ["VER-010", "patch-number-refused", v1, "info", "fail"],
    ["AUTH-002", "tls-1.3-not-offered", v1, "info", "warning"],
  ])("%s %s %o", (id, code, where, lenient, strict) => {
    const rule = ruleIn(where.dialect, id)!;
    const told = (more: Partial<Judged>): string => {
      const { verdict, warning, info } = judgementOf(breach(code, "seen"), judged({}, { rule, ...where, ...more }));
      return verdict === "fail" ? "fail" : warning ? "warning" : info ? "info" : "pass";
    };
    expect([told({}), told({ strict: true })]).toEqual([lenient, strict]);
  });
});

test("a crash fails whatever the level of the rule that found it", () => {
  for (const level of levels) {
    const { verdict, message } = judgementOf(crashed("500"), judged({ level, basis: "derived" }));
    expect({ verdict, message }).toEqual({ verdict: "fail", message: "500" });
  }
});

test("a version that the agent never claimed fails nothing", () => {
  const { verdict, warning } = judgementOf(crashed("500"), judged({}, { declared: false }));
  expect({ verdict, warning }).toEqual({ verdict: "pass", warning: "not declared, but served: 500" });
});

test("a rule that holds passes, and may have something to tell", () => {
  expect(judgementOf(holds(), judged())).toEqual({ verdict: "pass" });
  expect(judgementOf(holds("by the old table"), judged())).toEqual({ verdict: "pass", info: "by the old table" });
});

test("what was not examined is neither", () => {
  expect(judgementOf(notApplicable("no streaming"), judged())).toEqual({
    verdict: "not-applicable",
    message: "no streaming",
  });
  expect(judgementOf(notExamined("prompt", "no prompt"), judged())).toEqual({
    verdict: "not-examined",
    message: "no prompt",
  });
});

test("of several findings the gravest decides, and of equals the first", () => {
  const first = broken("first");
  const all: Finding[] = [holds(), breach("error-table-1.0.0", "old"), first, broken("second")];
  expect(gravest(all, judged())).toBe(first);
  expect(gravest([holds(), breach("error-table-1.0.0", "old")], judged())).toMatchObject({ is: "breach" });
  expect(gravest([notApplicable("-"), holds()], judged())).toMatchObject({ is: "holds" });
});

test("every code says what it stands for", () => {
  for (const meaning of Object.values(breachCodes)) expect(meaning).toMatch(/^[a-z].{10,}[^.]$/);
});

describe("what the text of the time asks for", () => {
  test("the ErrorInfo of JSON-RPC is a MUST in 1.0.0, and a SHOULD since", () => {
    const then = ruleOfSet("1.0", "JSONRPC-013", "1.0.0-r1")!;
    const now = ruleOfSet("1.0", "JSONRPC-013", "1.0.1-r1")!;
    expect([then.level, now.level]).toEqual(["MUST", "SHOULD"]);
    const bare = broken("no ErrorInfo");
    expect(judgementOf(bare, judged({ ...then }, { set: "1.0.0-r1" })).verdict).toBe("fail");
    expect(judgementOf(bare, judged({ ...now }))).toEqual({ verdict: "pass", warning: "no ErrorInfo" });
  });

  test("a refused login under HTTP 200 is a warning before 1.0, and a remark since", () => {
    const alone = breach("error-object-alone", "HTTP 200");
    const older = judged({ ...ruleIn("0.3", "AUTH-008")! }, { dialect: "0.3", set: "0.3.0-r1" });
    expect(judgementOf(alone, older)).toEqual({ verdict: "pass", warning: "HTTP 200" });
    expect(judgementOf(alone, judged({ ...ruleIn("1.0", "AUTH-008")! }))).toEqual({
      verdict: "pass",
      info: "HTTP 200",
    });
  });

  test.each(["AUTH-012", "AUTH-015", "AUTH-019", "LIST-023", "SUB-006", "VER-013"])(
    "%s fails when it is broken",
    (id) => {
      expect(judgementOf(broken("no"), judged({ ...ruleIn("1.0", id)! })).verdict).toBe("fail");
    },
  );
});
