import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@assay/protocol";
import type { JudgeRecording } from "./recording.case.ts";
import { shared, unshared } from "./sharing.case.ts";

const folder = fileURLToPath(new URL("../../recordings/", import.meta.url));

/** The recordings on disk, by `<area>/<name>`. */
export function readRecordings(): ReadonlyMap<string, JudgeRecording> {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
  return new Map(
    names.sort().map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      return [name.replaceAll("\\", "/").replace(/\.json$/, ""), recordingIn(text)];
    }),
  );
}

/** Written by textOf, or by hand in its likeness; replaying shows whether it is a recording. */
export const recordingIn = (text: string): JudgeRecording =>
  unshared(JSON.parse(text) as JsonObject) as unknown as JudgeRecording;

/** A line for each member, so that a change of what is said is a change of few lines. */
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

export function writeRecording(name: string, recording: JudgeRecording): void {
  const path = join(folder, `${name}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, textOf(recording));
}

export const removeRecording = (name: string): void => rmSync(join(folder, `${name}.json`), { force: true });
