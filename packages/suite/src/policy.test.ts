import { describe, expect, test } from "vitest";
import { broken, crashed, type Finding, holds, notApplicable, notExamined, odd, tolerated } from "./finding.ts";
import { gravest, judgementOf } from "./policy.ts";
import type { Rule } from "./rules/rule.ts";

const levels: Rule["level"][] = ["MUST", "MUST_NOT", "SHOULD", "SHOULD_NOT", "MAY"];
const bases: Rule["basis"][] = ["stated", "schema", "prose", "guide", "derived"];
const must = { level: "MUST", basis: "stated" } as const;

describe("a broken rule", () => {
  test.each(levels.flatMap((level) => bases.map((basis) => ({ level, basis }))))(
    "$level with basis $basis",
    ({ level, basis }) => {
      const { verdict, warning, info } = judgementOf({ level, basis }, broken("it is wrong"), false);
      const firm = level.startsWith("MUST") && ["stated", "schema", "prose"].includes(basis);
      expect(verdict).toBe(firm ? "fail" : "pass");
      expect(warning).toBe(firm || level === "MAY" ? undefined : "it is wrong");
      expect(info).toBe(level === "MAY" ? "it is wrong" : undefined);
    },
  );

  test("is broken, however strictly we read", () => {
    expect(judgementOf(must, broken("no"), true)).toEqual(judgementOf(must, broken("no"), false));
  });
});

describe("an unclear text", () => {
  const finding = tolerated("AMB-08", "nextPageToken is missing on the last page");

  test("is read leniently: a warning", () => {
    expect(judgementOf(must, finding, false)).toEqual({
      verdict: "pass",
      warning: finding.is === "tolerated" ? finding.message : "",
    });
  });

  test("is read strictly where that was asked for: a failure", () => {
    expect(judgementOf(must, finding, true).verdict).toBe("fail");
  });

  test("of a SHOULD stays a warning in both", () => {
    expect(judgementOf({ level: "SHOULD", basis: "stated" }, finding, true)).toMatchObject({ verdict: "pass" });
  });
});

test("what is merely odd is a warning in both readings", () => {
  expect(judgementOf(must, odd("strange"), true)).toEqual({ verdict: "pass", warning: "strange" });
  expect(judgementOf(must, odd("strange"), false)).toEqual({ verdict: "pass", warning: "strange" });
});

test("a crash fails whatever the level of the rule that found it", () => {
  for (const level of levels) {
    expect(judgementOf({ level, basis: "derived" }, crashed("500"), false)).toEqual({
      verdict: "fail",
      message: "500",
    });
  }
});

test("a rule that holds passes, and may have something to tell", () => {
  expect(judgementOf(must, holds(), false)).toEqual({ verdict: "pass" });
  expect(judgementOf(must, holds("by the old table"), false)).toEqual({ verdict: "pass", info: "by the old table" });
});

test("what was not examined, or does not concern the agent, says why", () => {
  expect(judgementOf(must, notApplicable("no streaming"), false)).toEqual({
    verdict: "not-applicable",
    message: "no streaming",
  });
  expect(judgementOf(must, notExamined("prompt", "no prompt"), false)).toEqual({
    verdict: "not-examined",
    message: "no prompt",
  });
});

test("of several findings the gravest decides, and of equals the first", () => {
  const [first, second] = [broken("first"), broken("second")];
  const all: Finding[] = [holds(), odd("odd"), first, second, notExamined("prompt", "-")];
  expect(gravest(must, all, false)).toBe(first);
  expect(gravest(must, [holds(), odd("odd")], false)).toMatchObject({ is: "odd" });
  expect(gravest(must, [notApplicable("-"), holds()], false)).toMatchObject({ is: "holds" });
});

describe("the text that an agent is judged by", () => {
  test("what no released text says yet fails nobody", () => {
    expect(judgementOf({ ...must, since: "main" }, broken("no"), true)).toEqual({ verdict: "pass", warning: "no" });
  });

  test("the numbers of 1.0.0 are right by the text of 1.0.0, however strictly it is read", () => {
    const old = tolerated("AMB-01", "409 instead of 400");
    expect(judgementOf(must, old, true, "1.0.0-r1")).toEqual({ verdict: "pass" });
    expect(judgementOf(must, old, true, "1.0.1-r1").verdict).toBe("fail");
  });
});
