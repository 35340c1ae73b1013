import { startTestbed, type Testbed } from "@assay/agents";
import type { Binding, DialectVersion } from "@assay/protocol";
import { catalogues, checks, ruleIn, versionsWith } from "@assay/suite";
import type { ConformanceResult } from "@assay/suite/report";
import { afterAll, describe, expect, test } from "vitest";
import { foreignWords } from "../../packages/suite/src/words/foreign-words.fixture.ts";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { mutantOfBreaks } from "./breaks.fixture.ts";
import { bindingInTurn, expectCaught, isSeenAfterAll, isUnseen, ruleOfMutant, showsOn } from "./caught.fixture.ts";
import { line, prove, startFixtures, timeScale } from "./proving.fixture.ts";

/**
 * Every check is seen to fail in every version that has its rule, on an agent of that version. Mutants of 1.0 are
 * asked for on other ground: `/mutants/<id>@spec03` misbehaves in the same way in 0.3.
 */

const bed: Testbed = await startFixtures();
afterAll(() => bed.close(0));

const { mutants } = await bed.families();
type Mutant = (typeof mutants)[number];

const older = ["0.3", "0.2", "0.1"] as const satisfies readonly DialectVersion[];
type Older = (typeof older)[number];

/** Who speaks each version and no other. */
const homes: Readonly<Record<Older, string>> = { "0.3": "spec03", "0.2": "spec02", "0.1": "spec01" };

/** Where the mutant that is tried first does not show in that version: the one that does, and its ground. */
const provenBy: Readonly<Record<string, string>> = {
  "BIND-004 0.3": "BIND-004.open-rest@0.3",
  "BIND-005 0.3": "BIND-005.renames@spec03",
  "CTX-013 0.3": "CTX-013.second-task@spec03",
  "CTX-013 0.2": "CTX-013.second-task@spec02",
  "CTX-013 0.1": "CTX-013.wants-context@spec01",
  "JSONRPC-007 0.2": "JSONRPC-007.invalid-request@spec02",
  "XCARD-004 0.2": "XCARD-004.no-scheme@0.2",
};

/** What has no proof in a version, and why. */
const unproven: Readonly<Record<string, string>> = {};

interface Trial {
  readonly id: string;
  /** where it stands: the agent's path behind `@`, or a version; none for its own base */
  readonly ground: string | undefined;
  /** the agent whose operator we are */
  readonly base: string;
}

/** Bending JSON of 1.0 may come to nothing where the JSON is another; what misbehaves before it is written shows anywhere. */
const isOfTheWire = ({ differs }: Mutant): boolean => {
  const layers = Object.keys(differs(1).layers ?? {});
  return layers.includes("codec") || layers.includes("card") || layers.includes("http");
};

function trialFor(rule: string, dialect: Older): Trial | undefined {
  const chosen = provenBy[`${rule} ${dialect}`];
  const home = homes[dialect];
  if (chosen !== undefined) {
    const [id = "", ground] = chosen.split("@");
    return { id, ground, base: baseOn(id, ground) };
  }
  const named = hasOwnBreaks(rule, dialect) && mutantOfBreaks(mutants, rule, dialect);
  const candidates = [...(named ? [named] : []), ...mutants.filter(({ id }) => ruleOfMutant(id) === rule)];
  const [own] = candidates;
  if (own && isOfBoth(rule)) return { id: own.id, ground: undefined, base: own.base };
  const native = candidates.find(({ base }) => base === home);
  if (native) return { id: native.id, ground: undefined, base: home };
  // Written for another of the older versions, it is nearer than what was written for 1.0.
  const akin = candidates.find(({ base }) => /^spec0\d$/.test(base));
  const best = akin ?? candidates.find((each) => !isOfTheWire(each)) ?? candidates[0];
  if (!best) return undefined;
  // What its base has and the agent of that version has not (a login, extensions, nothing optional) is what it is about.
  const isAtHome = /^(spec|spec0\d)$/.test(best.base) || (best.base === "full" && !/^(EXT|XCARD)-/.test(rule));
  const ground = isAtHome ? home : dialect;
  return { id: best.id, ground, base: baseOn(best.id, ground) };
}

/** The sentence of this version is not that of a newer one. */
function hasOwnBreaks(rule: string, dialect: Older): boolean {
  const newer = versionsWith(rule).slice(0, versionsWith(rule).indexOf(dialect));
  return newer.every((version) => ruleIn(version, rule)?.breaks !== ruleIn(dialect, rule)?.breaks);
}

function baseOn(id: string, ground: string | undefined): string {
  if (ground?.startsWith("spec")) return ground;
  return mutants.find((each) => each.id === id)?.base ?? "spec";
}

/** Rules about 0.3 beside 1.0: only who is asked in both can break them. */
const isOfBoth = (rule: string): boolean => /^V03-VER-/.test(rule);

/** What concerns production deployments alone is proven on those: production.test.ts. */
const here = checks.filter(({ needs }) => !needs.includes("production"));
const rulesIn = (dialect: Older): string[] =>
  here.filter(({ dialects }) => dialects.includes(dialect)).map(({ id }) => id);

/** In 0.3 the shared port leads to /spec03 over gRPC and to nobody else: there a mutant takes its place. */
async function inItsPlace({ id, ground, base }: Trial, proving: Omit<Parameters<typeof prove>[2], "base">) {
  const mutant = ground === undefined ? id : `${id}@${ground}`;
  const own = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale, mutant });
  try {
    return await prove(own, base, { base, ...proving });
  } finally {
    await own.close(0);
  }
}

async function tried(trial: Trial, dialect: Older, strict: boolean, binding?: Binding): Promise<ConformanceResult[]> {
  const { id, ground, base } = trial;
  const rule = ruleOfMutant(id);
  const proving = {
    only: [rule],
    more: { strict },
    ...(!isOfBoth(rule) && { dialect }),
    ...(binding && { binding }),
  };
  const place = `mutants/${id}${ground === undefined ? "" : `@${ground}`}`;
  const proof = binding === "GRPC" ? await inItsPlace(trial, proving) : await prove(bed, place, { base, ...proving });
  const results = proof.results.filter((result) => result.test === rule && result.dialect === dialect);
  expect(foreignWords(results, proof.events)).toEqual([]);
  return results;
}

const overGrpcOnly = (rule: string, dialect: Older): boolean =>
  ruleIn(dialect, rule)?.bindings.every((binding) => binding === "grpc") ?? false;

/** JSON-RPC, where `npm test` can do with it; `npm run prove` looks at all bindings. */
function bindingInShort({ id }: Trial, dialect: Older): Binding | undefined {
  const mutant = mutants.find((each) => each.id === id);
  const isOfSeveral = /(^|-)(BIND|CARD|VER)-/.test(id);
  return provesAll || isOfSeveral || !mutant ? undefined : bindingInTurn(mutant, dialect, 0);
}

describe.each(older)("in version %s", (dialect) => {
  describe.concurrent("each check catches a mutant of its rule", () => {
    // `npm test` tries the mutant of every thirtieth rule, `npm run prove` all mutants of all rules.
    const trials = sampleOf(rulesIn(dialect), 30).flatMap((rule) => {
      const trial = trialFor(rule, dialect);
      return trial && unproven[`${rule} ${dialect}`] === undefined ? [{ rule, ...trial }] : [];
    });

    // What else was made for an agent of that version: a branch of a check that its first mutant does not reach.
    const further = mutants
      .filter(({ id, base }) => base === homes[dialect] && !trials.some((trial) => trial.id === id))
      .filter(({ id }) => rulesIn(dialect).includes(ruleOfMutant(id)) && provesAll)
      .map(({ id, base }) => ({ rule: ruleOfMutant(id), id, ground: undefined, base }));

    test.skipIf(trials.length === 0).each([...trials, ...further])("$id@$ground", async ({ rule, ...trial }) => {
      const isOverGrpc = overGrpcOnly(rule, dialect);
      const told = await expectCaught(trial.id, dialect, (strict) =>
        tried(trial, dialect, strict, isOverGrpc ? "GRPC" : bindingInShort(trial, dialect)),
      );
      if (!provesAll) return;
      const isHome = dialect === "0.3" && trial.base === "spec03" && !isOverGrpc && !isOfTheCard(trial.id);
      const all = isHome ? [...told, ...(await tried(trial, dialect, false, "GRPC"))] : told;
      expect(all.filter((result) => isMissed(trial.id, result)).map(line)).toEqual([]);
      expect(all.filter((result) => isSeenAfterAll(trial.id, result)).map(line)).toEqual([]);
    });
  });

  test("every check has been seen to fail, or it is said why not", () => {
    const without = rulesIn(dialect).filter((rule) => !trialFor(rule, dialect) && !unproven[`${rule} ${dialect}`]);
    expect(without).toEqual([]);
  });
});

/** What is wrong about a card is the same over gRPC, unless the card does not offer it. */
const isOfTheCard = (id: string): boolean =>
  "card" in (mutants.find((each) => each.id === id)?.differs(1).layers ?? {});

/** The rule is said to hold where this mutant breaks it. */
function isMissed(id: string, result: ConformanceResult): boolean {
  const mutant = mutants.find((each) => each.id === id)!;
  return isUnseen(result) && result.interface !== undefined && showsOn(mutant, result.interface.binding);
}

test("a version with a breaks of its own is tried on the mutant that does it", () => {
  const others = older.flatMap((dialect) =>
    rulesIn(dialect)
      .filter((rule) => hasOwnBreaks(rule, dialect))
      .filter((rule) => trialFor(rule, dialect)?.id !== mutantOfBreaks(mutants, rule, dialect)?.id)
      .map((rule) => `${rule} ${dialect}`),
  );
  expect(others).toEqual([]);
});

test("mutants made from an agent of an older version break a rule of that version", () => {
  const strays = mutants.filter(({ id, base }) => {
    const dialect = older.find((each) => homes[each] === base);
    return dialect !== undefined && !catalogues[dialect].some((rule) => rule.id === ruleOfMutant(id));
  });
  expect(strays.map(({ id }) => id)).toEqual([]);
});

test("what is chosen or excused is about rules and mutants that there are", () => {
  const isRule = (key: string): boolean => {
    const [rule = "", dialect = ""] = key.split(" ");
    return rulesIn(dialect as Older).includes(rule);
  };
  expect([...Object.keys(provenBy), ...Object.keys(unproven)].filter((key) => !isRule(key))).toEqual([]);
  const ids = new Set(mutants.map(({ id }) => id));
  expect(Object.values(provenBy).filter((chosen) => !ids.has(chosen.split("@")[0]!))).toEqual([]);
});
