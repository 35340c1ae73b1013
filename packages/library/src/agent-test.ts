import type { TestOptions } from "@assay/suite";
import { testOptions } from "@assay/suite/options";
import type { ConformanceReport, RunEvent } from "@assay/suite/report";
import { settingsOf } from "./config/settings.ts";
import { program } from "./connection/option-caller.ts";
import { type AgentTestOptions, valuesIn } from "./options.ts";

/**
 * Tests the agent at this address and returns the report document, also if the agent does not conform or cannot be
 * reached. Throws `UsageError` for invalid options.
 */
export async function testAgent(url: string, options: AgentTestOptions = {}): Promise<ConformanceReport> {
  const { foldRun } = await import("@assay/suite/report");
  const events: RunEvent[] = [];
  for await (const event of runEvents(url, options)) events.push(event);
  return foldRun(events);
}

/** Runs the same test and yields its events live. If you stop reading, the test stops and cleans up. */
export async function* runEvents(url: string, options: AgentTestOptions = {}): AsyncGenerator<RunEvent, void> {
  const { testAgent: eventsOf, selectChecks } = await import("@assay/suite");
  const settings = await suiteOptionsOf(url, options);
  selectChecks(settings);
  yield* eventsOf(settings);
}

async function suiteOptionsOf(url: string, { signal, ...given }: AgentTestOptions): Promise<TestOptions> {
  const { options } = await settingsOf(url, { config: false, ...valuesIn(testOptions, given) }, program);
  const run = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  return { ...options, run, ...(signal && { signal }) };
}
