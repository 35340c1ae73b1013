import type { Testbed } from "@assay/agents";
import { checks, ruleIn } from "@assay/suite";
import type { ConformanceResult } from "@assay/suite/report";
import { afterAll, describe, expect, test } from "vitest";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { mutantOfBreaks } from "./breaks.fixture.ts";
import {
  bindingInTurn,
  expectCaught,
  isFirm,
  isSeenAfterAll,
  isUnseen,
  remarkedOnly,
  ruleOfMutant,
  saidToBeHidden,
  showsOn,
  strictOnly,
  warnedBefore10,
  warnedOnly,
} from "./caught.fixture.ts";
import { line, prove, startFixtures } from "./proving.fixture.ts";

/** The rules of 1.0; those of older versions are proven in older-mutants.test.ts. */

const bed: Testbed = await startFixtures();
afterAll(() => bed.close(0));

const { mutants } = await bed.families();
/** What concerns production deployments alone is proven on those: production.test.ts. */
const here = checks.filter(({ needs, dialects }) => !needs.includes("production") && dialects.includes("1.0"));
const ids = new Set(here.map(({ id }) => id));
const isOlder = (base: string): boolean => /^spec0\d$/.test(base);
const known = mutants.filter(({ id, base }) => ids.has(ruleOfMutant(id)) && !isOlder(base));

/** What one binding alone does not show: one of several is wrong, or they differ. */
const needsSeveral = new Set([
  "DATA-030.nameless",
  "ERR-013.iso-time",
  "ERR-015.page",
  "ERR-020.other-reason",
  "ERR-025.for-requests",
  "EXT-015.open",
  "STREAM-010.artifacts-last",
  "TEN-008.compulsory",
]);
const isOfSeveral = (id: string): boolean => /^(BIND|CARD|VER|CTX)-/.test(id) || needsSeveral.has(id);
/** `npm run prove` looks at all bindings. */
const bindings = new Map(
  known.map((mutant, turn) => [
    mutant.id,
    provesAll || isOfSeveral(mutant.id) ? undefined : bindingInTurn(mutant, "1.0", turn),
  ]),
);

/** It does what the `breaks` of its rule says; the others reach other branches of a check. */
const isOfBreaks = ({ id }: { readonly id: string }): boolean =>
  mutantOfBreaks(known, ruleOfMutant(id), "1.0")?.id === id;
/** It shows only to those who wait a minute. */
const takesAMinute = "PUSH-032.for-ever";
/** Assay counts only an end within a second of the cancel, and the test bed shares the event loop with the other tests. */
const needsAQuietLoop = "CANCEL-001.completes";
/** They show only over TLS, by certificates: e2e/auth/principals.test.ts. */
const ofCertificates = ["AUTH-007.any-certificate"];
const provable = known.filter(({ id }) => !ofCertificates.includes(id));
/** `npm test` tries the mutant of every ninth rule, `npm run prove` all mutants of all rules. */
const tried = provesAll ? provable : sampleOf(provable.filter(isOfBreaks), 9).filter(({ id }) => id !== takesAMinute);

describe.concurrent("each mutant is caught by the check of its rule", () => {
  test.each(tried.filter(({ id }) => id !== needsAQuietLoop))("$id", isCaught);
});

test.each(tried.filter(({ id }) => id === needsAQuietLoop))("$id is caught while no other test here runs", isCaught);

async function isCaught(mutant: (typeof mutants)[number]): Promise<void> {
  const { id, base } = mutant;
  const rule = ruleOfMutant(id);
  const binding = bindings.get(id);
  const told = await expectCaught(id, "1.0", async (strict) => {
    const { results } = await prove(bed, `mutants/${id}`, {
      base,
      only: [rule],
      dialect: "1.0",
      ...(binding && { binding }),
      more: { strict },
    });
    return results.filter((result) => result.test === rule && result.dialect === "1.0");
  });
  if (!provesAll) return;
  if (!(id in strictOnly)) expect(told.filter((result) => isMissed(mutant, result)).map(line)).toEqual([]);
  expect(told.filter((result) => isSeenAfterAll(id, result)).map(line)).toEqual([]);
}

/** The rule is said to hold where this mutant breaks it. */
const isMissed = (mutant: (typeof mutants)[number], result: ConformanceResult): boolean =>
  isUnseen(result) && result.interface !== undefined && showsOn(mutant, result.interface.binding);

test("every check has been seen to fail: there is a mutant for its rule", () => {
  const broken = new Set(known.map(({ id }) => ruleOfMutant(id)));
  expect(here.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([]);
});

test("a rule with a firm basis that no mutant fails says why it only warns, and no other does", () => {
  const mild = { ...warnedOnly, ...remarkedOnly };
  const firm = here.filter(({ id }) => isFirm(id, "1.0"));
  const isMild = ({ id }: (typeof firm)[number]): boolean =>
    known.every((mutant) => ruleOfMutant(mutant.id) !== id || mutant.id in mild);
  const reason = ({ id }: (typeof firm)[number]) => ruleIn("1.0", id)?.onlyWarns;
  expect(firm.filter((check) => isMild(check) !== (reason(check) !== undefined)).map(({ id }) => id)).toEqual([]);
});

test("what is warned of or remarked on only, or is hidden over gRPC, is about mutants that there are", () => {
  const all = new Set(mutants.map(({ id }) => id));
  const excused = Object.keys({ ...warnedOnly, ...warnedBefore10, ...remarkedOnly, ...strictOnly });
  expect(
    [...excused, ...saidToBeHidden, ...needsSeveral, ...ofCertificates, takesAMinute, needsAQuietLoop].filter(
      (id) => !all.has(id),
    ),
  ).toEqual([]);
});
