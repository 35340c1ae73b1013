import type { Testbed } from "@assay/agents";
import type { Binding } from "@assay/protocol";
import { checks, ruleOf } from "@assay/suite";
import type { ConformanceResult } from "@assay/suite/report";
import { afterAll, describe, expect, test } from "vitest";
import { line, prove, startFixtures } from "./fixtures.ts";

const bed: Testbed = await startFixtures();
afterAll(() => bed.close(0));

const { mutants } = await bed.families();
const ids = new Set(checks.map(({ id }) => id));
const ruleIn = (mutant: string): string => mutant.split(".", 1)[0]!;
const known = mutants.filter(({ id }) => ids.has(ruleIn(id)));

/** Set by `npm run prove`: every mutant on every binding, instead of wherever it shows. */
const bindings: readonly (Binding | undefined)[] =
  process.env["ASSAY_PROVE"] === "all" ? ["JSONRPC", "HTTP+JSON", "GRPC"] : [undefined];

/** Breaches of a MUST that the ambiguities want to be no more than a warning, even where we read strictly. */
const warnedOnly: Readonly<Record<string, string>> = {
  "CARD-012.rest": "AMB-24: any other name may be that of a custom binding",
  "CARD-017.unlisted-rest": "AMB-24: MUST in one section, SHOULD in another",
  "CARD-017.unlisted-jsonrpc": "AMB-24: MUST in one section, SHOULD in another",
  "SEC-003.fetches": "AMB-19: agent and tester share a machine, where private addresses may be wanted",
};

/** A broken MUST that the specification states must fail, at the latest when we read strictly. */
const isFirm = (id: string): boolean => {
  const { level, basis } = ruleOf(id)!;
  return level.startsWith("MUST") && (basis === "stated" || basis === "schema" || basis === "prose");
};

const isFailed = ({ verdict }: ConformanceResult): boolean => verdict === "fail";
const isWarned = ({ warning }: ConformanceResult): boolean => warning !== undefined;

describe.concurrent("each mutant is caught by the check of its rule", () => {
  test.each(known.flatMap((mutant) => bindings.map((binding) => ({ ...mutant, binding }))))(
    "$id $binding",
    { timeout: 60_000 },
    async ({ id, base, binding }) => {
      const rule = ruleIn(id);
      const run = async (strict: boolean): Promise<ConformanceResult[]> => {
        const proving = { base, only: [rule], ...(binding && { binding }), more: { strict } };
        const { results } = await prove(bed, `mutants/${id}`, proving);
        return results.filter((result) => result.test === rule);
      };
      const told = await run(false);
      // Where a mutant cannot show on a binding, the check says so there; on one of them it must show.
      if (binding && told.every(({ verdict }) => verdict === "not-applicable")) return;
      const seen = told.map(line).join("\n");
      if (told.some(isFailed)) return;
      if (isFirm(rule) && warnedOnly[id] === undefined) {
        expect(told.some(isWarned), seen).toBe(true);
        const strictly = await run(true);
        expect(strictly.some(isFailed), `${seen}\nstrictly:\n${strictly.map(line).join("\n")}`).toBe(true);
      } else if (ruleOf(rule)!.level === "MAY") {
        expect(
          told.some(({ info }) => info !== undefined),
          seen,
        ).toBe(true);
      } else {
        expect(told.some(isWarned), seen).toBe(true);
      }
    },
  );
});

test("every check has been seen to fail: there is a mutant for its rule", () => {
  const broken = new Set(mutants.map(({ id }) => ruleIn(id)));
  expect(checks.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([]);
});

test("what is warned of only is about mutants that there are", () => {
  const all = new Set(mutants.map(({ id }) => id));
  expect(Object.keys(warnedOnly).filter((id) => !all.has(id))).toEqual([]);
});
