import type { ClientTestOptions, ServedSituations } from "@assay/clients";
import type { ConformanceReport, RunEvent } from "@assay/suite/report";
import { version } from "./version.ts";

/** Options of a client test, with the names and defaults of `assay client`. */
export interface ClientOptions
  extends Pick<
    ClientTestOptions,
    | "situations"
    | "can"
    | "faults"
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
  /** environment of the command; each situation adds its own variables (default: the environment of this process) */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly folder?: string;
}

/** A client inside this process: follows the instructions in the environment and reports the result. */
export type ClientFunction = NonNullable<ClientTestOptions["drive"]>;

/**
 * Tests a client, either a command or a function, and returns the report document, also if the client does not conform.
 * Throws `UsageError` for invalid options.
 */
export async function testClient(
  client: readonly string[] | ClientFunction,
  options: ClientOptions = {},
): Promise<ConformanceReport> {
  const { foldRun } = await import("@assay/suite/report");
  const events: RunEvent[] = [];
  for await (const event of clientRunEvents(client, options)) events.push(event);
  return foldRun(events);
}

/** Runs the same test and yields its events live. */
export async function* clientRunEvents(
  client: readonly string[] | ClientFunction,
  options: ClientOptions,
  run = runName(),
): AsyncGenerator<RunEvent, void> {
  const { checkedRules } = await import("./config/client-rules.ts");
  await checkedRules(options, options.situations);
  const { testClient: eventsOf } = await import("@assay/clients");
  const isFunction = typeof client === "function";
  yield* eventsOf({
    env: process.env,
    ...options,
    version,
    run,
    command: isFunction ? [client.name || "client"] : client,
    ...(isFunction && { drive: client }),
  });
}

/** Options for serving situations. */
export interface SituationOptions extends Pick<ClientOptions, "bindings" | "only" | "skip" | "ruleSet" | "strict"> {
  readonly host?: string;
  readonly port?: number;
}

/**
 * Serves every situation inside this process, each under its own path, for a test suite that runs its client itself.
 */
export async function serveSituations(options: SituationOptions = {}): Promise<ServedSituations> {
  const { checkedRules } = await import("./config/client-rules.ts");
  await checkedRules(options);
  const { serveSituations: serve } = await import("@assay/clients");
  return serve({ ...options, version, run: runName() });
}

const runName = (): string => new Date().toISOString().slice(0, 19).replaceAll(":", "-");
