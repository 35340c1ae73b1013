import { existsSync, readFileSync } from "node:fs";
import { jsonIn } from "@assay/protocol";
import { UsageError } from "@assay/protocol/assay-error";
import { escapeText } from "@assay/protocol/escape";
import { type ConformanceReport, foldRun, type RunEvent } from "@assay/suite/report";
import { readingReasonOf } from "./file-trouble.ts";
import type { RunFolder } from "./run-folder.ts";

/**
 * Returns the file of the run that the user means: "last", "last~1" (the one before), a run name, the start of one, or
 * a file.
 */
export function findRun(wanted: string, folder: RunFolder): string {
  const runs = folder.list();
  const [isLast, back = "0"] = /^last(?:~(\d{1,4}))?$/.exec(wanted) ?? [];
  if (isLast) {
    const last = runs.at(-1 - Number(back));
    if (last) return folder.eventsOf(last);
    if (!runs.length) throw new UsageError(`No runs in ${folder.path}`, "Run a test first: assay test <url>");
    throw new UsageError(
      `${wanted} does not exist: ${folder.path} has ${runs.length === 1 ? "one run" : `${runs.length} runs`}`,
      "Run assay runs to list them.",
    );
  }
  const named = runs.filter((name) => name === wanted);
  const [match, ...more] = named.length ? named : runs.filter((name) => name.startsWith(wanted));
  if (match && !more.length) return folder.eventsOf(match);
  if (existsSync(wanted)) return wanted;
  if (match)
    throw new UsageError(
      `"${wanted}" matches several runs: ${runs.filter((name) => name.startsWith(wanted)).join(", ")}`,
    );
  throw new UsageError(
    `"${wanted}" is neither a file nor a run in ${folder.path}`,
    runs.length
      ? `Runs: last, ${runs.slice(-5).reverse().join(", ")}`
      : "There are no runs. Run assay test <url> first.",
  );
}

/** Returns the report of a recorded run, or a report that was written as JSON. */
export function readReport(file: string): ConformanceReport {
  const text = textOf(file);
  const value = jsonIn(text);
  if (isReport(value)) return value;
  return foldRun(readRun(file));
}

const isReport = (value: unknown): value is ConformanceReport =>
  typeof value === "object" && value !== null && "categories" in value && "conformanceLevel" in value;

/** Reads the events of a run from its file. An incomplete last line is accepted: the run was interrupted. */
export function readRun(file: string): RunEvent[] {
  const lines = textOf(file).split("\n");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const events: RunEvent[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const event = eventIn(line);
    if (event) events.push(event);
    else if (index < last || last === 0)
      throw new UsageError(
        `${file}:${index + 1} is not a run event: ${escapeText(line.slice(0, 60))}`,
        "A run is a file of JSON lines, as assay test writes it to .assay/runs.",
      );
  }
  const [started] = events;
  if (started?.event !== "run-started")
    throw new UsageError(`${file} does not start with run-started, so it is not a run`);
  if (Number.isNaN(Date.parse(started.at)) || typeof started.agentUrl !== "string")
    throw new UsageError(
      `${file}:1 run-started has no ${typeof started.agentUrl === "string" ? "date (at)" : "address (agentUrl)"}, so it is not a run of Assay`,
      "Repair the line, or remove the file.",
    );
  return events;
}

/** Reads a run, or returns undefined if it is unreadable, for callers that look through all runs. */
export function readableRun(file: string): RunEvent[] | undefined {
  try {
    return readRun(file);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${readingReasonOf(error as NodeJS.ErrnoException)}`);
  }
}

function eventIn(line: string): RunEvent | undefined {
  const value = jsonIn(line);
  const isEvent = typeof value === "object" && value !== null && "event" in value;
  // A newer version of Assay may have written event types that this one does not know. Readers ignore them.
  return isEvent ? (value as unknown as RunEvent) : undefined;
}
