import { startTestbed, type Testbed } from "@assay/agents";
import type { AgentDefinition, Layers } from "@assay/agents/making";
import { testAgent } from "@assay/suite";
import { type ConformanceReport, foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { checkOf, checkOptions, type VersionCheck } from "@assay/upgrade";
import { createEgressGuard } from "@assay/wire";
import { agents } from "../../packages/agents/src/agents/index.ts";

const spec = agents.find(({ path }) => path === "spec")!;

/** Starts the agent of the test bed that shows every pattern, with a difference. */
export const startSpec = (layers: Layers = {}, differs: Partial<AgentDefinition> = {}): Promise<Testbed> =>
  startTestbed({
    host: "127.0.0.1",
    port: 0,
    version: "0.0.0-e2e",
    timeScale: 0.1,
    agents: [{ ...spec, layers, ...differs }],
  });

export interface RecordOptions {
  readonly only?: readonly string[];
  readonly depth?: "quick" | "full";
  readonly budget?: number;
  readonly sdk?: { readonly name: string; readonly version: string };
  readonly ignoreKnownSdk?: boolean;
  readonly equivalent?: boolean;
  readonly bindings?: readonly ("JSONRPC" | "HTTP+JSON" | "GRPC")[];
  readonly dialects?: readonly ("0.1" | "0.2" | "0.3" | "1.0")[];
}

/** Records a run as `assay upgrade` does. */
export async function record(url: string, options: RecordOptions = {}): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const run = testAgent({
    url,
    run: "test",
    version: "test",
    depth: "quick",
    // The agents of the tests are on this machine and show a change at once.
    grace: 300,
    connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) },
    ...options,
  });
  for await (const event of run) events.push(event);
  return events;
}

/** Checks an agent as `assay upgrade --check` does, over JSON-RPC by default. */
export const check = async (url: string, options: RecordOptions = {}): Promise<VersionCheck> =>
  checkOf(await record(url, { bindings: ["JSONRPC"], ...options, ...checkOptions }));

/** Lists the subjects with this result, each once. */
export const subjects = ({ compared }: VersionCheck, wanted: "same" | "differs" | "not-compared"): string[] => [
  ...new Set(
    compared.flatMap(({ comparisons }) => comparisons.flatMap(({ subject, is }) => (is === wanted ? [subject] : []))),
  ),
];

/** The gate of the last step: known faults of the SDK are accepted. */
export const conformance = async (url: string, sdk: { name: string; version: string }): Promise<ConformanceReport> =>
  foldRun(await record(url, { dialects: ["1.0"], sdk, ignoreKnownSdk: true }));

export const unexpectedIn = (report: ConformanceReport): string[] =>
  resultsOf(report).flatMap(({ test: id, verdict, expected }) =>
    verdict === "fail" && expected === undefined ? [id] : [],
  );
