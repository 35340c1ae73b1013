import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { rows } from "#rules";
import { checks } from "../checks/index.ts";
import { type BreachCode, breachCodes } from "../rules/breach-codes.ts";
import type { SeverityRow } from "../rules/severity.ts";
import { areaOf } from "./areas.fixture.ts";
import { clientFindings } from "./client-findings.fixture.ts";
import { readRecordings, textOf } from "./library.fixture.ts";
import { type Replayed, replay } from "./replay.fixture.ts";
import { rowsOf, wordsOf } from "./words.fixture.ts";

const recordings = readRecordings();
const areas = [...new Set([...recordings.keys()].map((name) => name.split("/", 1)[0]!))];

const replayed = new Map<string, readonly Replayed[]>();
// One after the other: what is not over at once waits for something that was not recorded.
for (const [name, recording] of recordings) replayed.set(name, await replay(recording));

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

test("recordings are small, and named after a rule that they are about, in the folder of its area", () => {
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

test("a recording or a recorded client reaches every row of severity.yaml", () => {
  const all = [...replayed.values(), clientFindings].flat();
  const reached = new Set(all.flatMap(({ found, where }) => rowsOf(found, where)));
  expect(rows.filter((row) => !reached.has(row)).map(labelOf)).toEqual([]);
});

test("every check of cards and calls is recorded where its rule holds and where it does not", () => {
  const said = new Map<string, Set<string>>();
  for (const { where, found } of [...replayed.values()].flat())
    said.set(where.rule, new Set([...(said.get(where.rule) ?? []), ...[found].flat().map(({ is }) => is)]));
  const missing = checks
    .filter(({ kind }) => kind !== "active")
    .flatMap(({ id }) =>
      (["holds", "breach"] as const).filter((is) => !said.get(id)?.has(is)).map((is) => `${id} ${is}`),
    );
  expect(missing).toEqual([]);
});

test("every code of a breach is found by a recording, or named by a check", () => {
  const found = new Set(
    [...replayed.values()]
      .flat()
      .flatMap((each) => [each.found].flat().map((one) => ("code" in one ? one.code : one.is))),
  );
  const source = fileURLToPath(new URL("../", import.meta.url));
  // What the linter of cards finds is handed on under its own codes.
  const linter = readFileSync(new URL("../../../protocol/src/card/finding.ts", import.meta.url), "utf8");
  const text = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/generated|breach-codes|\.(?:test|fixture)\.ts$/.test(name))
    .map((name) => readFileSync(join(source, name), "utf8"))
    .join("\n")
    .concat(linter);
  const codes = Object.keys(breachCodes) as BreachCode[];
  expect(codes.filter((code) => !found.has(code) && !text.includes(`"${code}"`))).toEqual([]);
});
