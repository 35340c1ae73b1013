import type { Testbed } from "@assay/agents";
import type { Binding } from "@assay/protocol";
import { checks } from "@assay/suite";
import type { ConformanceResult } from "@assay/suite/report";
import { afterAll, describe, expect, test } from "vitest";
import { expectCaught, isUnseen, remarkedOnly, ruleOfMutant, warnedBefore10, warnedOnly } from "./caught.case.ts";
import { line, prove, startFixtures } from "./fixtures.ts";

/** The rules of 1.0; those of older versions are proven in older-mutants.test.ts. */

const bed: Testbed = await startFixtures();
afterAll(() => bed.close(0));

const { mutants } = await bed.families();
/** What concerns production deployments alone is proven on those: production.test.ts. */
const here = checks.filter(({ needs, dialects }) => !needs.includes("production") && dialects.includes("1.0"));
const ids = new Set(here.map(({ id }) => id));
const isOlder = (base: string): boolean => /^spec0\d$/.test(base);
const known = mutants.filter(({ id, base }) => ids.has(ruleOfMutant(id)) && !isOlder(base));

/** Set by `npm run prove`: a mutant must be caught on every binding it shows on, instead of on one of them. */
const provesAll = process.env["ASSAY_PROVE"] === "all";

/** Mutants that are wrong on some bindings only, besides those that bend what other bindings do not have. */
const wrongOnlyOn: Readonly<Record<string, readonly Binding[]>> = {
  "CARD-016.nobody-there": ["HTTP+JSON"],
  "CARD-016.wrong-place": ["HTTP+JSON"],
  "CARD-016.wrong-binding": ["JSONRPC"],
  "BIND-002.own-store": ["JSONRPC"],
  "BIND-003.not-found": ["HTTP+JSON"],
  "CAP-004.unregistered": ["JSONRPC", "GRPC"],
  "ERR-002.lines": ["HTTP+JSON", "GRPC"],
  "ERR-003.private-type": ["JSONRPC"],
  "ERR-005.unprocessable": ["HTTP+JSON"],
  "ERR-020.bad-request": ["HTTP+JSON"],
  "ERR-022.not-implemented": ["HTTP+JSON"],
  "ERR-023.not-allowed": ["HTTP+JSON"],
  "ERR-028.http-version": ["HTTP+JSON"],
  "SEND-003.breaks-down": ["JSONRPC"],
  "SEND-006.breaks-down": ["JSONRPC"],
  "STREAM-001.one-document": ["JSONRPC", "HTTP+JSON"],
  "TEN-003.unknown-member": ["JSONRPC", "HTTP+JSON"],
  "TEN-005.any": ["JSONRPC", "HTTP+JSON"],
  "VER-013.streams-unchecked": ["JSONRPC"],
};

/** Bytes of HTTP and JSON are not what gRPC carries, and its frames not what the others do. */
function showsOn({ id, differs }: (typeof mutants)[number], binding: string): boolean {
  const only: readonly string[] | undefined = wrongOnlyOn[id];
  if (only) return only.includes(binding);
  const layers = Object.keys(differs(1).layers ?? {});
  if (binding === "GRPC") return !layers.some((layer) => layer === "http" || layer === "codec");
  return !(layers.length === 1 && layers[0] === "grpc");
}

describe.concurrent("each mutant is caught by the check of its rule", () => {
  // One of them shows only to those who wait a minute.
  test.each(known)("$id", { timeout: 120_000 }, async (mutant) => {
    const { id, base } = mutant;
    const rule = ruleOfMutant(id);
    const told = await expectCaught(id, "1.0", async (strict) => {
      const { results } = await prove(bed, `mutants/${id}`, { base, only: [rule], dialect: "1.0", more: { strict } });
      return results.filter((result) => result.test === rule && result.dialect === "1.0");
    });
    if (provesAll) expect(told.filter((result) => isMissed(mutant, result)).map(line)).toEqual([]);
  });
});

/** The rule is said to hold where this mutant breaks it. */
const isMissed = (mutant: (typeof mutants)[number], result: ConformanceResult): boolean =>
  isUnseen(result) && result.interface !== undefined && showsOn(mutant, result.interface.binding);

test("every check has been seen to fail: there is a mutant for its rule", () => {
  const broken = new Set(known.map(({ id }) => ruleOfMutant(id)));
  expect(here.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([]);
});

test("what is warned of or remarked on only is about mutants that there are", () => {
  const all = new Set(mutants.map(({ id }) => id));
  expect(Object.keys({ ...warnedOnly, ...warnedBefore10, ...remarkedOnly }).filter((id) => !all.has(id))).toEqual([]);
});
