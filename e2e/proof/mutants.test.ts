import type { Testbed } from "@assay/agents";
import type { Binding } from "@assay/protocol";
import { checks, ruleOf } from "@assay/suite";
import type { ConformanceResult } from "@assay/suite/report";
import { afterAll, describe, expect, test } from "vitest";
import { line, prove, startFixtures } from "./fixtures.ts";

const bed: Testbed = await startFixtures();
afterAll(() => bed.close(0));

const { mutants } = await bed.families();
/** What concerns production deployments alone is proven on those: production.test.ts. */
const here = checks.filter(({ needs }) => !needs.includes("production"));
const ids = new Set(here.map(({ id }) => id));
const ruleIn = (mutant: string): string => mutant.split(".", 1)[0]!;
const known = mutants.filter(({ id }) => ids.has(ruleIn(id)));

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

/** Breaches of a MUST that the ambiguities want to be no more than a warning, even where we read strictly. */
const warnedOnly: Readonly<Record<string, string>> = {
  "CARD-012.rest": "AMB-24: any other name may be that of a custom binding",
  "CARD-017.unlisted-rest": "AMB-24: MUST in one section, SHOULD in another",
  "CARD-017.unlisted-jsonrpc": "AMB-24: MUST in one section, SHOULD in another",
  "SEC-003.fetches": "AMB-19: agent and tester share a machine, where private addresses may be wanted",
  "INTASK-003.http-link": "that the address should be one of https is a SHOULD",
  "INTASK-003.password": "it is told by the words, and words may mislead",
};

/** Breaches that are remarked on and no more, however strictly we read. */
const remarkedOnly: Readonly<Record<string, string>> = {
  "DATA-008.whole-seconds": "AMB-39: precision is wanted where available, and it may not be",
};

/** A broken MUST that a released specification states must fail, at the latest when we read strictly. */
const isFirm = (id: string): boolean => {
  const { level, basis, since } = ruleOf(id)!;
  return (
    level.startsWith("MUST") && since !== "main" && (basis === "stated" || basis === "schema" || basis === "prose")
  );
};

const isFailed = ({ verdict }: ConformanceResult): boolean => verdict === "fail";
const isWarned = ({ warning }: ConformanceResult): boolean => warning !== undefined;
const isRemarked = ({ info }: ConformanceResult): boolean => info !== undefined;

describe.concurrent("each mutant is caught by the check of its rule", () => {
  // One of them shows only to those who wait a minute.
  test.each(known)("$id", { timeout: 120_000 }, async (mutant) => {
    const { id, base } = mutant;
    const rule = ruleIn(id);
    const run = async (strict: boolean): Promise<ConformanceResult[]> => {
      const { results } = await prove(bed, `mutants/${id}`, { base, only: [rule], more: { strict } });
      return results.filter((result) => result.test === rule);
    };
    const told = await run(false);
    const seen = told.map(line).join("\n");
    if (provesAll) expect(told.filter((result) => isMissed(mutant, result)).map(line)).toEqual([]);
    if (told.some(isFailed)) return;
    if (isFirm(rule) && warnedOnly[id] === undefined) {
      expect(told.some(isWarned), seen).toBe(true);
      const strictly = await run(true);
      expect(strictly.some(isFailed), `${seen}\nstrictly:\n${strictly.map(line).join("\n")}`).toBe(true);
    } else if (ruleOf(rule)!.level === "MAY" || remarkedOnly[id] !== undefined) {
      expect(told.some(isRemarked), seen).toBe(true);
    } else if (!told.some(isWarned)) {
      // What the text demands in one place and permits in another is remarked on, until we read strictly.
      expect(told.some(isRemarked), seen).toBe(true);
      const strictly = await run(true);
      expect(strictly.some(isWarned), strictly.map(line).join("\n")).toBe(true);
    }
  });
});

/** The rule is said to hold where this mutant breaks it. */
const isMissed = (mutant: (typeof mutants)[number], result: ConformanceResult): boolean =>
  result.verdict === "pass" &&
  result.warning === undefined &&
  result.info === undefined &&
  result.interface !== undefined &&
  showsOn(mutant, result.interface.binding);

test("every check has been seen to fail: there is a mutant for its rule", () => {
  const broken = new Set(mutants.map(({ id }) => ruleIn(id)));
  expect(here.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([]);
});

test("what is warned of or remarked on only is about mutants that there are", () => {
  const all = new Set(mutants.map(({ id }) => id));
  expect(Object.keys({ ...warnedOnly, ...remarkedOnly }).filter((id) => !all.has(id))).toEqual([]);
});
