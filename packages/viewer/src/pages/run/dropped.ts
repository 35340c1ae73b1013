import { type ConformanceReport, jsonIn, type RunEvent } from "@assay/suite/report";
import { heldRun, type RunSource } from "./source.ts";

/** Runs of files that the user dropped onto the page. The page reads them and sends them nowhere. */
const dropped = new Map<string, RunSource>();

export const droppedRun = (run: string): RunSource | undefined => dropped.get(run);

/** Opens a file with the events of a run (NDJSON) or a report (JSON), and returns the name that now identifies it. */
export async function openFile(file: File): Promise<string> {
  const source = sourceIn(await file.text(), file.name);
  const name = `dropped-${dropped.size + 1}-${source.report.run}`;
  dropped.set(name, source);
  return name;
}

function sourceIn(text: string, name: string): RunSource {
  const whole = jsonIn(text);
  if (isReport(whole)) return heldRun([], whole);
  const events = readEvents(text);
  if (events[0]?.event !== "run-started")
    throw new Error(
      `${name} is not a run. Drop a file of .assay/runs (NDJSON), or a report written with --report json=….`,
    );
  return heldRun(events);
}

/** Returns the events of a run. It skips an incomplete last line, because the run was interrupted. */
const readEvents = (text: string): RunEvent[] =>
  text.split("\n").flatMap((line) => {
    const value = line.trim() === "" ? undefined : jsonIn(line);
    return isMembers(value) && typeof value["event"] === "string" ? [value as unknown as RunEvent] : [];
  });

const isMembers = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const isReport = (value: unknown): value is ConformanceReport =>
  isMembers(value) && "categories" in value && "conformanceLevel" in value && "summary" in value;
