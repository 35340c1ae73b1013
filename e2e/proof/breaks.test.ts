import { dialects } from "@assay/protocol";
import { checks, ruleIn } from "@assay/suite";
import { describe, expect, test } from "vitest";
import { mutants } from "../../packages/agents/src/mutants/index.ts";
import { brokenByDeployment, failsInProduction, mutantOfBreaks } from "./breaks.fixture.ts";
import { isFirm, remarkedOnly, strictOnly, warnedOnly } from "./caught.fixture.ts";

/**
 * The `breaks` of a rule promises that its check catches that breach. The promise is kept by a mutant that does it, word
 * for word: mutants.test.ts and older-mutants.test.ts see that it is caught.
 */

describe.each(dialects)("in version %s", (dialect) => {
  const rules = checks.filter((check) => check.dialects.includes(dialect)).map(({ id }) => id);

  test("a mutant does what the breaks of each checked rule says", () => {
    const unproven = rules.filter((rule) => {
      const { breaks } = ruleIn(dialect, rule)!;
      return !mutantOfBreaks(mutants, rule, dialect) && brokenByDeployment[rule] !== breaks;
    });
    expect(unproven.map((rule) => `${rule}: ${ruleIn(dialect, rule)!.breaks}`)).toEqual([]);
  });

  test("what the breaks of a MUST says is a failure, unless the rule only warns", () => {
    const mild = { ...warnedOnly, ...remarkedOnly, ...strictOnly };
    const firm = rules.filter((rule) => isFirm(rule, dialect) && ruleIn("1.0", rule)?.onlyWarns === undefined);
    const named = firm.flatMap((rule) => mutantOfBreaks(mutants, rule, dialect)?.id ?? []);
    expect(named.filter((id) => id in mild && !failsInProduction.includes(id))).toEqual([]);
  });
});
