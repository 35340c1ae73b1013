import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@assay/protocol";
import type { JudgeRecording } from "./recording.fixture.ts";
import { shared, unshared } from "./sharing.fixture.ts";

const folder = fileURLToPath(new URL("../../recordings/", import.meta.url));

/** The recordings on disk, by `<area>/<rule>.<name>`: one file per rule. */
export function readRecordings(): ReadonlyMap<string, JudgeRecording> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
  return new Map(
    files.sort().flatMap((file) => {
      const rule = file.replaceAll("\\", "/").replace(/\.json$/, "");
      return Object.entries(membersOf(rule)).map(([name, json]) => [`${rule}.${name}`, recorded(json)] as const);
    }),
  );
}

const fileOf = (rule: string): string => join(folder, `${rule}.json`);

const membersOf = (rule: string): Readonly<Record<string, JsonObject>> =>
  existsSync(fileOf(rule)) ? JSON.parse(readFileSync(fileOf(rule), "utf8")) : {};

/** Reads a recording, written by textOf or by hand in the same form. Replaying it shows if it is valid. */
export const recordingIn = (text: string): JudgeRecording => recorded(JSON.parse(text));

const recorded = (json: JsonObject): JudgeRecording => unshared(json) as unknown as JudgeRecording;

/** Writes one line per member, so that a changed result changes few lines. */
export function textOf(recording: JudgeRecording): string {
  const { says, ...rest } = recording;
  const lines = [
    ...Object.entries(shared(rest as unknown as JsonObject)).map(
      ([name, value]) => `"${name}": ${JSON.stringify(value)}`,
    ),
    `"says": {\n${Object.entries(says)
      .map(([rule, words]) => `  ${JSON.stringify(rule)}: ${JSON.stringify(words)}`)
      .join(",\n")}\n}`,
  ];
  return `{\n${lines.join(",\n")}\n}\n`;
}

export const writeRecording = (name: string, recording: JudgeRecording): void => change(name, textOf(recording));

export const removeRecording = (name: string): void => change(name, undefined);

/** Rewrites the file of a rule, with this recording or without it. */
function change(name: string, text: string | undefined): void {
  const [, rule, own] = /^(.+?\/[A-Z\d-]+)\.(.+)$/.exec(name)!;
  const texts = new Map(Object.entries(membersOf(rule!)).map(([each, json]) => [each, textOf(recorded(json))]));
  if (text === undefined) texts.delete(own!);
  else texts.set(own!, text);
  if (texts.size === 0) {
    rmSync(fileOf(rule!), { force: true });
    return;
  }
  const members = [...texts].sort(([a], [b]) => (a < b ? -1 : 1));
  mkdirSync(dirname(fileOf(rule!)), { recursive: true });
  writeFileSync(
    fileOf(rule!),
    `{\n${members.map(([each, one]) => `${JSON.stringify(each)}: ${one.trim()}`).join(",\n")}\n}\n`,
  );
}
