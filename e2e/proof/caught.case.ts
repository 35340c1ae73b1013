import type { DialectVersion } from "@assay/protocol";
import { ruleIn } from "@assay/suite";
import type { ConformanceResult } from "@assay/suite/report";
import { expect } from "vitest";
import { line } from "./fixtures.ts";

/** Breaches of a MUST that the ambiguities want to be no more than a warning, even where we read strictly. */
export const warnedOnly: Readonly<Record<string, string>> = {
  "CARD-012.rest": "AMB-24: any other name may be that of a custom binding",
  "CARD-017.unlisted-rest": "AMB-24: MUST in one section, SHOULD in another",
  "CARD-017.unlisted-jsonrpc": "AMB-24: MUST in one section, SHOULD in another",
  "SEC-003.fetches": "AMB-19: agent and tester share a machine, where private addresses may be wanted",
  "INTASK-003.http-link": "that the address should be one of https is a SHOULD",
  "INTASK-003.password": "it is told by the words, and words may mislead",
};

/** The same for versions before 1.0, whose servers were not of one mind (docs/spec/real-world.md). */
export const warnedBefore10: Readonly<Record<string, string>> = {
  "CARD-001.older-place": "where the card lies is a recommendation, and 0.2 had it there",
  "JSONRPC-009.invalid-request": "Python 0.2 calls wrong parameters an invalid request",
  "PUSH-010.first-one": "0.3 SDKs give a task one configuration, under the id of the task (A35)",
};

/** Breaches that are remarked on and no more, however strictly we read. */
export const remarkedOnly: Readonly<Record<string, string>> = {
  "DATA-008.whole-seconds": "AMB-39: precision is wanted where available, and it may not be",
};

/** A broken MUST that a released specification states must fail, at the latest when we read strictly. */
function isFirm(rule: string, dialect: DialectVersion): boolean {
  const { level, basis, since } = ruleIn(dialect, rule)!;
  return (
    level.startsWith("MUST") && since !== "main" && (basis === "stated" || basis === "schema" || basis === "prose")
  );
}

const isFailed = ({ verdict }: ConformanceResult): boolean => verdict === "fail";
const isWarned = ({ warning }: ConformanceResult): boolean => warning !== undefined;
const isRemarked = ({ info }: ConformanceResult): boolean => info !== undefined;

export const ruleOfMutant = (mutant: string): string => mutant.split(".", 1)[0]!;

/** Runs the check of a mutant's rule on it; it must be caught as hard as the rule's weight in that version asks. */
export async function expectCaught(
  mutant: string,
  dialect: DialectVersion,
  run: (strict: boolean) => Promise<readonly ConformanceResult[]>,
): Promise<readonly ConformanceResult[]> {
  const rule = ruleOfMutant(mutant);
  const told = await run(false);
  const seen = told.map(line).join("\n");
  if (told.some(isFailed)) return told;
  const isWarnedOnly = mutant in warnedOnly || (dialect !== "1.0" && mutant in warnedBefore10);
  if (isFirm(rule, dialect) && !isWarnedOnly) {
    expect(told.some(isWarned), seen).toBe(true);
    const strictly = await run(true);
    expect(strictly.some(isFailed), `${seen}\nstrictly:\n${strictly.map(line).join("\n")}`).toBe(true);
  } else if (ruleIn(dialect, rule)!.level === "MAY" || remarkedOnly[mutant] !== undefined) {
    expect(told.some(isRemarked), seen).toBe(true);
  } else if (!told.some(isWarned)) {
    // What the text demands in one place and permits in another is remarked on, until we read strictly.
    expect(told.some(isRemarked), seen).toBe(true);
    const strictly = await run(true);
    expect(strictly.some(isWarned), strictly.map(line).join("\n")).toBe(true);
  }
  return told;
}

/** A rule is said to hold, and nothing is said besides. */
export const isUnseen = ({ verdict, warning, info }: ConformanceResult): boolean =>
  verdict === "pass" && warning === undefined && info === undefined;
