import { fitsGlob, nearest } from "@assay/protocol";
import { UsageError } from "@assay/protocol/assay-error";
import { ruleIn } from "@assay/suite";
import { blameCodes } from "../document/blame.ts";
import { bindingNames, driverRoles, matrixVersions } from "../document/document.ts";
import type { KnownFailureRow } from "../document/known-failure.ts";
import { readYaml } from "../read-yaml.ts";

interface KnownFailureFile {
  /** for messages */
  readonly file: string;
  readonly text: string;
  /** the driver of the file */
  readonly driver: string;
  /** the ids of all scenarios: a pattern without a match is a mistake */
  readonly scenarios: readonly string[];
}

/** Reads the known failures of a driver (docs/drivers.md); throws UsageError. */
export function readKnownFailures({ file, text, driver, scenarios }: KnownFailureFile): KnownFailureRow[] {
  const mistakes: string[] = [];
  const rows = listIn(text, mistakes).map((row, index) => {
    const at = `row ${index + 1}`;
    if (!isRecord(row)) {
      mistakes.push(`${at}: expected names with values`);
      return undefined;
    }
    const found = mistakesIn(row, scenarios);
    mistakes.push(...found.map((mistake) => `${at}: ${mistake}`));
    // Checked against the list of members above.
    return { driver, ...row } as unknown as KnownFailureRow;
  });
  if (mistakes.length) throw new UsageError(`${file}: ${mistakes.join("; ")}`);
  return rows as KnownFailureRow[];
}

function listIn(text: string, mistakes: string[]): readonly unknown[] {
  try {
    const list = readYaml(text) ?? [];
    if (Array.isArray(list)) return list;
    mistakes.push("expected a list");
  } catch (error) {
    mistakes.push(error instanceof Error ? error.message : String(error));
  }
  return [];
}

type Members = Readonly<Record<string, unknown>>;

/** Validates each member; undefined if it is valid. */
const members: Readonly<Record<string, (value: unknown, scenarios: readonly string[]) => string | undefined>> = {
  role: (value) => (isOneOf(driverRoles, value) ? undefined : "expected client or server"),
  peers: (value) => (value === undefined || isTexts(value) ? undefined : "expected a list of drivers"),
  bindings: (value) => someOf(bindingNames, value),
  versions: (value) => someOf(matrixVersions, value),
  scenarios: (value, known) => {
    if (!isTexts(value)) return "expected a list of scenarios, as ids or patterns with *";
    const strange = value.find((pattern) => !known.some((id) => fitsGlob(pattern, id)));
    const meant = strange === undefined ? undefined : nearest(strange, known);
    return strange === undefined ? undefined : `unknown scenario ${strange}${didYouMean(meant)}`;
  },
  causes: (value) => {
    if (!isTexts(value)) return "expected a list of causes, blame codes or rules";
    const strange = value.find((each) => !/[/*]/.test(each) && !Object.hasOwn(blameCodes, each) && !isRule(each));
    const meant = strange === undefined ? undefined : nearest(strange, Object.keys(blameCodes));
    return strange === undefined ? undefined : `unknown cause ${strange}${didYouMean(meant)}`;
  },
  flaky: (value) => (value === undefined || value === true ? undefined : "expected true"),
  why: (value) => (typeof value === "string" && value.trim() !== "" ? undefined : "expected the reason, as a text"),
  issue: (value) =>
    value === undefined || (typeof value === "string" && /^https?:\/\//.test(value))
      ? undefined
      : "expected an address",
};

function mistakesIn(row: Members, scenarios: readonly string[]): string[] {
  const wrong = Object.entries(members).flatMap(([name, mistake]) => {
    const found = mistake(row[name], scenarios);
    return found === undefined ? [] : [`${name}: ${found}`];
  });
  const unknown = Object.keys(row).filter((name) => !Object.hasOwn(members, name));
  return [...wrong, ...unknown.map((name) => `${name}: unknown`)];
}

const didYouMean = (meant: string | undefined): string => (meant === undefined ? "" : `; did you mean ${meant}?`);

const isRule = (text: string): boolean => matrixVersions.some((version) => ruleIn(version, text) !== undefined);

const someOf = (list: readonly string[], value: unknown): string | undefined =>
  value === undefined || (Array.isArray(value) && value.length > 0 && value.every((each) => isOneOf(list, each)))
    ? undefined
    : `expected some of ${list.join(", ")}${list === matrixVersions ? " (in quotes)" : ""}`;

const isOneOf = (list: readonly string[], value: unknown): boolean => list.some((each) => each === value);

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");

const isRecord = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
