import { type ClientTestOptions, testClient } from "@assay/clients";
import { type ConformanceReport, foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { runClient } from "./client.js";

/** The client of this folder, within this process, with one misbehaviour or none. */
export async function testOwnClient(
  misbehaviour: string,
  options: Partial<ClientTestOptions> = {},
): Promise<ConformanceReport> {
  return testDriven(async (env, signal) => {
    const [output, errors]: [string[], string[]] = [[], []];
    const exit: number = await runClient({
      env,
      misbehaviour,
      signal,
      print: (text: string) => void output.push(text),
      complain: (text: string) => void errors.push(text),
    });
    return { exit, output: output.join("\n"), errors: errors.join("\n") };
  }, options);
}

/** Tests a client within this process. */
export async function testDriven(
  drive: NonNullable<ClientTestOptions["drive"]>,
  options: Partial<ClientTestOptions> = {},
): Promise<ConformanceReport> {
  const events: RunEvent[] = [];
  for await (const event of testClient({
    command: ["client.js"],
    drive,
    env: {},
    run: "proof",
    version: "0",
    dialects: ["1.0"],
    bindings: ["JSONRPC", "HTTP+JSON"],
    timeout: 60_000,
    ...options,
  }))
    events.push(event);
  return foldRun(events);
}

/** The rules that a report finds broken: failures, warnings, and what is said of a permission. */
export const brokenIn = (report: ConformanceReport): string[] => [
  ...new Set(
    resultsOf(report)
      .filter(
        ({ verdict, warning, level, info }) => verdict === "fail" || warning !== undefined || (level === "MAY" && info),
      )
      .map(({ test }) => test),
  ),
];
