import type { HttpClient } from "@assay/wire";
import { type AgentFacts, factsOf } from "../../card/agent-facts.ts";
import type { AgentProcess } from "../agent-process.ts";
import type { TestOptions } from "../options.ts";
import type { BusyAgent } from "../target/busy.ts";
import { patientClient } from "../target/fetching.ts";
import { exitNoticeMs } from "../target/restarts.ts";
import { type FoundAgent, findAgent, type MissingAgent } from "./find-agent.ts";
import { isTestbed } from "./is-testbed.ts";
import { type VersionsUnderTest, versionsUnderTest } from "./versions-under-test.ts";

/** An agent of which Assay knows only the card and the versions. */
export interface DiscoveredAgent extends FoundAgent, VersionsUnderTest {
  /** the card for clients of the newest version */
  readonly facts: AgentFacts;
  /** an agent of Assay's own test bed, on this machine */
  readonly isTestbed: boolean;
}

/** Finds the card and the testable parts of the agent. */
export async function discoverAgent(
  http: HttpClient,
  options: TestOptions,
  sleep: (ms: number) => Promise<void>,
  /** true if Assay may ask the endpoints for their versions; otherwise the card alone decides */
  { asks = true, busy }: { readonly asks?: boolean; readonly busy?: BusyAgent } = {},
): Promise<DiscoveredAgent | MissingAgent> {
  const search = await findAgent(http, options, sleep);
  if (!search.found) return search;
  const { found } = search;
  options.process?.answers();
  const recover = (): Promise<void> => restarted(options.process);
  const patient = patientClient(http, { sleep, random: Math.random, recover, ...(busy && { busy }) });
  const { versions, ...rest } = await versionsUnderTest(patient, search, options, asks);
  const facts = versions[0]?.facts ?? factsOf(found.json, found.url, []);
  return { ...search, ...rest, versions, facts, isTestbed: isTestbed(found) };
}

/** Restarts the agent if its process has ended: it may crash on the very first request. */
async function restarted(process: AgentProcess | undefined): Promise<void> {
  const starts = process?.starts;
  const ending = await process?.ending(exitNoticeMs);
  // Several requests may have seen the same exit.
  if (process && ending !== undefined && process.starts === starts) process.restart();
}
