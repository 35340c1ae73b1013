import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
// @ts-expect-error a script without types
import { completed, missingOptional } from "./generate/lockfile.mjs";

/** The oldest Node we promise to run on; see `engines` in package.json. */
const oldest = [20, 19, 0] as const;

interface Locked {
  readonly engines?: { readonly node?: string } | string[];
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Locked> };

test("every package of the lockfile runs on the oldest Node we support", () => {
  const tooNew = Object.entries(packages)
    .map(([path, { engines }]) => ({ path, range: Array.isArray(engines) ? undefined : engines?.node }))
    .filter(({ range }) => range !== undefined && !admits(range))
    .map(({ path, range }) => `${path} needs Node ${range}`);
  expect(tooNew).toEqual([]);
});

test("the lockfile lists the native packages of every platform, so npm ci accepts it", () => {
  expect(missingOptional({ packages })).toEqual([]);
});

test("a lockfile that lacks native packages is completed from their names", () => {
  const without = Object.entries(packages).filter(
    ([path]) => !/rollup-(win32|linux-arm-musl)|oxc-parser.*darwin/.test(path),
  );
  const lacking = { packages: Object.fromEntries(without) };
  expect(missingOptional(lacking).length).toBeGreaterThan(5);
  const complete = completed(lacking).packages;
  expect(Object.keys(complete)).toEqual(Object.keys(packages));
  expect(complete["node_modules/@rollup/rollup-linux-arm-musleabihf"]).toEqual({
    version: complete["node_modules/rollup"].version,
    cpu: ["arm"],
    dev: true,
    libc: ["musl"],
    license: "MIT",
    optional: true,
    os: ["linux"],
  });
});

test("the lockfile names no download addresses", () => {
  const named = Object.entries(packages).filter(([, { resolved, link }]) => resolved !== undefined && !link);
  expect(named.map(([path]) => path)).toEqual([]);
});

test.each([
  [">=20", true],
  [">=20.19", true],
  [">=20.19.0 <21 || >=22.12", true],
  ["^18.18.0 || ^20.9.0 || >=21.1.0", true],
  [">= 0.8", true],
  ["*", true],
  ["18 || 20 || >=22", true],
  [">=22.12", false],
  ["^22.0.0 || >=24", false],
  [">=20.20.0", false],
  ["~20.19.0", true],
  ["18.x", false],
])("the range %s admits the oldest Node: %s", (range, expected) => {
  expect(admits(range)).toBe(expected);
});

/** As much of npm's range grammar as `engines` fields use; a part that is not understood does not pass. */
function admits(range: string): boolean {
  return range.split("||").some((alternative) => {
    const comparators = alternative
      .trim()
      .replaceAll(/(>=|<=|>|<|\^|~|=)\s+/g, "$1")
      .split(/\s+/)
      .filter(Boolean);
    return comparators.every(comparatorAdmits);
  });
}

function comparatorAdmits(comparator: string): boolean {
  const match = /^(>=|<=|>|<|\^|~|=)?v?(\d+|[x*])(?:\.(\d+|[x*]))?(?:\.(\d+|[x*]))?(?:-[\w.]+)?$/.exec(comparator);
  if (!match) return false;
  const [, operator = "", major, minor, patch] = match;
  if (major === "*" || major === "x") return true;
  const given = [major, minor, patch].filter((part) => part !== undefined && part !== "x" && part !== "*").map(Number);
  const floor = [given[0] ?? 0, given[1] ?? 0, given[2] ?? 0];
  const order = oldest[0] - floor[0]! || oldest[1] - floor[1]! || oldest[2] - floor[2]!;
  switch (operator) {
    case ">=":
      return order >= 0;
    case ">":
      return order > 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case "^":
      return order >= 0 && oldest[0] === floor[0];
    case "~":
      return order >= 0 && oldest[0] === floor[0] && (given.length < 2 || oldest[1] === floor[1]);
    default:
      return given.every((part, index) => part === oldest[index]);
  }
}
