import type { Testbed } from "@assay/agents";
import { type DialectVersion, dialects } from "@assay/protocol";
import { ruleIn } from "@assay/suite";
import { afterAll, describe, expect, test } from "vitest";
import { ruleOfMutant } from "./caught.fixture.ts";
import { companions } from "./companions.fixture.ts";
import { line, prove, slower, startFixtures } from "./proving.fixture.ts";

/**
 * A mutant breaks its own rule, and with all checks no unrelated one: whatever else fails is among its companions. That its
 * own rule catches it is for mutants.test.ts and older-mutants.test.ts. `npm test` tries two of
 * them over JSON-RPC, `npm run prove -- companions --short` a few more, and without `--short` all on every binding.
 */
const provesAll = process.env["ASSAY_PROVE"] === "companions";
const every = process.env["ASSAY_PROVE"] === undefined ? 160 : 40;

const bed: Testbed = await startFixtures();
afterAll(() => bed.close(0));

const { mutants } = await bed.families();
const sample = mutants.filter(({ base }, index) => provesAll || (base === "spec" && index % every === 0));

const homes: Readonly<Record<string, DialectVersion>> = { spec03: "0.3", spec02: "0.2", spec01: "0.1" };

/** The version that it misbehaves in; who speaks two of them at odds is asked in both. */
const versionOf = (id: string, base: string): DialectVersion | undefined =>
  homes[base] ?? (ruleOfMutant(id).startsWith("V03-VER-") ? undefined : "1.0");

const companionsOf = (mutant: string): string[] => companions.flatMap(({ of }) => of[mutant] ?? []);

const failed = new Map<string, ReadonlySet<string>>();

describe.concurrent("with all checks nothing unrelated fails", () => {
  test.each(sample)("$id", async ({ id, base }) => {
    const dialect = versionOf(id, base);
    const { results } = await prove(bed, `mutants/${id}`, {
      base,
      ...(dialect && { dialect }),
      more: {
        prompts: { slow: slower },
        // Some keep their streams open for good, and every one that is waited for costs as much.
        taskTimeout: 10_000,
        ...(!provesAll && { bindings: ["JSONRPC"] }),
      },
    });
    expect(results.filter(({ verdict }) => verdict === "error").map(line)).toEqual([]);
    const others = results.filter(({ test: rule, verdict }) => verdict === "fail" && rule !== ruleOfMutant(id));
    failed.set(id, new Set(others.map(({ test: rule }) => rule)));
    expect(others.filter(({ test: rule }) => !companionsOf(id).includes(rule)).map(line)).toEqual([]);
  });
});

// Only where all of them were tried.
test.each(provesAll ? companions.filter(({ comesAndGoes }) => !comesAndGoes) : [])(
  "no companion is accepted that did not come: $because",
  ({ of }) => {
    const idle = Object.entries(of).flatMap(([id, rules]) =>
      rules.filter((rule) => failed.get(id)?.has(rule) === false).map((rule) => `${id}: ${rule}`),
    );
    expect(idle).toEqual([]);
  },
);

test("companions are rules that there are, of mutants that there are, and each is accepted once", () => {
  const ids = new Set(mutants.map(({ id }) => id));
  const isRule = (id: string): boolean => dialects.some((dialect) => ruleIn(dialect, id));
  const strays = companions.flatMap(({ of }) =>
    Object.entries(of).flatMap(([id, rules]) => [
      ...(ids.has(id) ? [] : [id]),
      ...rules.filter((rule) => !isRule(rule) || rule === ruleOfMutant(id)).map((rule) => `${id}: ${rule}`),
    ]),
  );
  expect(strays).toEqual([]);
  const twice = [...ids].filter((id) => new Set(companionsOf(id)).size < companionsOf(id).length);
  expect(twice).toEqual([]);
});
