import type { ClientTestOptions, ServedSituations } from "@assay/clients";
import type { ConformanceReport, RunEvent } from "@assay/suite/report";
import { version } from "./version.ts";

/** What a test of a client may be told; names and defaults are those of `assay client`. */
export interface ClientOptions
  extends Pick<
    ClientTestOptions,
    | "situations"
    | "bindings"
    | "dialects"
    | "only"
    | "skip"
    | "ruleSet"
    | "strict"
    | "timeout"
    | "concurrency"
    | "signal"
  > {
  /** the environment of the command, besides what the situation adds; that of this process unless given */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly folder?: string;
}

/** A client within this process: does what the environment asks for, and says how it went. */
export type ClientFunction = NonNullable<ClientTestOptions["drive"]>;

/**
 * Tests a client, a command or a function, and gives the report document, whatever it says: a client that is not conformant is
 * a report too. Throws for options that make no sense (`UsageError`).
 */
export async function testClient(
  client: readonly string[] | ClientFunction,
  options: ClientOptions = {},
): Promise<ConformanceReport> {
  const { checkedRules } = await import("./config/client-rules.ts");
  await checkedRules(options, options.situations);
  const { testClient: eventsOf } = await import("@assay/clients");
  const { foldRun } = await import("@assay/suite/report");
  const isFunction = typeof client === "function";
  const events: RunEvent[] = [];
  for await (const event of eventsOf({
    env: process.env,
    ...options,
    version,
    run: runName(),
    command: isFunction ? [client.name || "client"] : client,
    ...(isFunction && { drive: client }),
  }))
    events.push(event);
  return foldRun(events);
}

/** What situations may be served with. */
export interface SituationOptions extends Pick<ClientOptions, "bindings" | "only" | "skip" | "ruleSet" | "strict"> {
  readonly host?: string;
  readonly port?: number;
}

/** Serves every situation inside this process, each below a path of its own: for a test suite that drives its client itself. */
export async function serveSituations(options: SituationOptions = {}): Promise<ServedSituations> {
  const { checkedRules } = await import("./config/client-rules.ts");
  await checkedRules(options);
  const { serveSituations: serve } = await import("@assay/clients");
  return serve({ ...options, version, run: runName() });
}

const runName = (): string => new Date().toISOString().slice(0, 19).replaceAll(":", "-");
