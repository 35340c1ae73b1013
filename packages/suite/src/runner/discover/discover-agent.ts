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

/** An agent before anything was asked of it but its card and its versions. */
export interface DiscoveredAgent extends FoundAgent, VersionsUnderTest {
  /** what the card says to clients of the newest version */
  readonly facts: AgentFacts;
  /** an agent of our own test bed, on this machine */
  readonly isTestbed: boolean;
}

/** Finds the card, and what of the agent can be tested. */
export async function discoverAgent(
  http: HttpClient,
  options: TestOptions,
  sleep: (ms: number) => Promise<void>,
  /** whether the agent's endpoints may be asked which versions they answer to; else the card alone says it */
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

/** Starts an agent of ours again where its process has ended: it may crash on the first thing that it is asked. */
async function restarted(process: AgentProcess | undefined): Promise<void> {
  const starts = process?.starts;
  const ending = await process?.ending(exitNoticeMs);
  // Several requests may have met the same exit.
  if (process && ending !== undefined && process.starts === starts) process.restart();
}
