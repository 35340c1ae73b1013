import type { Cell } from "../document/cell.ts";
import type { MatrixDocument, MatrixDriver } from "../document/document.ts";
import { type Score, scoreOf, triedIn } from "./scores.ts";

type Part = Pick<MatrixDocument, "drivers" | "cells">;

/** Returns the drivers that ran, and those that should have: a filter may leave out the others. */
export const participantsOf = ({ drivers, cells }: Part): readonly MatrixDriver[] => {
  const ran = new Set(cells.flatMap(({ client, server }) => [client, server]));
  return drivers.filter(({ name, absent }) => ran.has(name) || absent !== undefined);
};

/** Recognises 1.0.0-rc.1, 1.0.0.Alpha3, 2.0.0b1 and 3.0-SNAPSHOT. */
const early = /(?:[-.]?(?:alpha|beta|rc|cr|snapshot|preview|pre|dev|canary|nightly|m\d)|\d(?:a|b)\d)/i;

const isPreRelease = ({ version }: Pick<MatrixDriver, "version">): boolean => early.test(version);

/** Returns "1.0.0.Alpha3 (pre-release)". */
export const versionText = (driver: Pick<MatrixDriver, "version">): string =>
  isPreRelease(driver) ? `${driver.version} (pre-release)` : driver.version;

/** The score of released packages alone. */
export interface ReleasedScore {
  readonly score: Score;
  /** the pre-releases that it leaves out */
  readonly without: readonly MatrixDriver[];
}

/** Returns the score without pre-releases, or undefined if no pre-release took part or nothing else did. */
export function releasedScore(matrix: Part & { readonly cells: readonly Cell[] }): ReleasedScore | undefined {
  const without = participantsOf(matrix).filter((driver) => driver.absent === undefined && isPreRelease(driver));
  if (!without.length) return undefined;
  const isEarly = (name: string): boolean => without.some((driver) => driver.name === name);
  const score = scoreOf(matrix.cells.filter(({ client, server }) => !isEarly(client) && !isEarly(server)));
  return triedIn(score) ? { score, without } : undefined;
}
