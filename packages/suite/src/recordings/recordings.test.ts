import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { checks } from "../checks/index.ts";
import { rows } from "../generated/severity.ts";
import { breachCodes } from "../rules/breach-codes.ts";
import type { SeverityRow } from "../rules/severity.ts";
import { areaOf } from "./areas.case.ts";
import { readRecordings, textOf } from "./library.case.ts";
import { type Replayed, replay } from "./replay.case.ts";
import { unreached, unrecorded } from "./unreached.case.ts";
import { rowsOf, wordsOf } from "./words.case.ts";

const recordings = readRecordings();
const areas = [...new Set([...recordings.keys()].map((name) => name.split("/", 1)[0]!))];

const replayed: ReadonlyMap<string, readonly Replayed[]> = new Map(
  await Promise.all([...recordings].map(async ([name, recording]) => [name, await replay(recording)] as const)),
);

test.each(areas)("%s: each judge says what it is recorded to say", (area) => {
  const changed = [...recordings].flatMap(([name, { says }]) =>
    name.startsWith(`${area}/`)
      ? replayed.get(name)!.flatMap(({ where, found }) => {
          const words = wordsOf(found, where);
          return words === says[where.rule]
            ? []
            : [`${name}: ${where.rule} says "${words}", not "${says[where.rule]}"`];
        })
      : [],
  );
  expect(changed).toEqual([]);
});

test("recordings are small, and stand in the folder of a rule that they are about", () => {
  const misplaced = [...recordings].filter(
    ([name, { says }]) => !Object.keys(says).some((rule) => name.startsWith(`${areaOf(rule)}/${rule}.`)),
  );
  expect(misplaced.map(([name]) => name)).toEqual([]);
  const large = [...recordings].filter(([, recording]) => textOf(recording).length > 24_000);
  expect(large.map(([name]) => name)).toEqual([]);
});

/** A row of severity.yaml by its members that say what it is about. */
const labelOf = ({ rule, code, bindings, versions, sets }: SeverityRow): string =>
  [rule, code, bindings?.join(","), versions?.join(","), sets?.join(",")].filter(Boolean).join(" ");

describe("every row of severity.yaml", () => {
  const reached = new Set([...replayed.values()].flat().flatMap(({ found, where }) => rowsOf(found, where)));

  test("is reached by a recording, or it is said why not", () => {
    const silent = rows.filter((row) => !reached.has(row)).map(labelOf);
    expect(silent.filter((label) => unreached[label] === undefined)).toEqual([]);
  });

  test("that is said not to be reached is not", () => {
    const labels = new Set(rows.filter((row) => !reached.has(row)).map(labelOf));
    expect(Object.keys(unreached).filter((label) => !labels.has(label))).toEqual([]);
  });
});

describe("every check that asks for nothing itself", () => {
  const said = new Map<string, Set<string>>();
  for (const { where, found } of [...replayed.values()].flat())
    said.set(where.rule, new Set([...(said.get(where.rule) ?? []), ...[found].flat().map(({ is }) => is)]));
  const missing = checks
    .filter(({ kind }) => kind !== "active")
    .flatMap(({ id }) =>
      (["holds", "breach"] as const).filter((is) => !said.get(id)?.has(is)).map((is) => `${id} ${is}`),
    );

  test("is recorded where its rule holds and where it does not, or it is said why not", () => {
    expect(missing.filter((label) => unrecorded[label] === undefined)).toEqual([]);
  });

  test("that is said not to be recorded is not", () => {
    expect(Object.keys(unrecorded).filter((label) => !missing.includes(label))).toEqual([]);
  });
});

test("every code of a breach is one that some check can find", () => {
  const source = fileURLToPath(new URL("../", import.meta.url));
  const text = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/generated|breach-codes|\.(?:test|case)\.ts$/.test(name))
    .map((name) => readFileSync(join(source, name), "utf8"))
    .join("\n");
  const unused = Object.keys(breachCodes).filter((code) => !text.includes(`"${code}"`));
  expect(unused).toEqual([]);
});
