import { once } from "node:events";
import type { ClientTestOptions, SeenRequest } from "@assay/clients";
import { version } from "@assay/library/version";
import { defined } from "@assay/protocol";
import type { RunEvent } from "@assay/suite/report";
import type { ClientFlags } from "../commands/client.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { interruptible } from "../shutdown/interruption.ts";
import { brief } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";
import { verdictLine } from "../terminal/verdict-line.ts";
import { rejectIgnored } from "./ignored-flags.ts";

interface Watching {
  readonly flags: ClientFlags;
  readonly screen: Screen;
  readonly signal?: AbortSignal;
}

/** Waits for clients until it is stopped, and yields what they send as the events of a run. */
export async function* watchClients(
  { run, only, skip, strict, ruleSet, baseline, bindings }: Omit<ClientTestOptions, "signal">,
  { flags, screen, signal }: Watching,
): AsyncGenerator<RunEvent, void> {
  const { serveSituations } = await import("@assay/clients");
  const events: RunEvent[] = [];
  const served = await serveSituations({
    run,
    version,
    port: flags.port ?? 0,
    onEvent: (event) => events.push(event),
    onRequest: (seen) => tell(seen, screen),
    ...defined({ only, skip, strict, ruleSet, baseline, bindings }),
  }).catch(cannotListen);
  yield* events.splice(0);
  screen.line(
    `Waiting for clients. Each situation is an agent at ${screen.colors.bold(served.url)}/<situation> (press Ctrl-C to stop).`,
  );
  const width = Math.max(...served.situations.map(({ id }) => id.length));
  for (const { id, asks } of served.situations) screen.line(`  /${id.padEnd(width)}  ${asks}`);
  await new Promise<void>((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
  served.finish();
  await served.close();
  yield* events;
}

function tell({ situation, request, results }: SeenRequest, screen: Screen): void {
  const { method, url } = request.exchange.http.request;
  const { response, failure } = { response: request.exchange.http.response, failure: request.exchange.failure };
  const what =
    request.is === "call" ? `${request.operation ?? brief(request.method, 40)} over ${request.on.binding}` : request.is;
  const time = new Date().toISOString().slice(11, 23);
  const status = `${response?.status ?? "-"}${failure ? ", cut off" : ""}`;
  screen.line(`${time}  ${situation}  ${method} ${brief(new URL(url).pathname, 60)}  ${what}  ${status}`);
  for (const result of results)
    if (result.verdict === "fail" || result.warning !== undefined) screen.line(verdictLine(result));
}

const cannotListen = (error: Error): never => {
  throw new UsageError(error.message, "Choose another port, or omit --port.");
};

/** The flags of `--listen`. The test suite runs the client and asks for the results, so there is no report. */
const ofListening: readonly (keyof ClientFlags)[] = [
  "listen",
  "port",
  "bindings",
  "only",
  "skip",
  "shutdownTimeout",
  "strict",
  "ruleSet",
  "record",
];

/** Runs `--listen`: serves the situations until it is stopped. The test suite asks the server for the results. */
export async function listenForSuite(flags: ClientFlags, screen: Screen): Promise<ExitCode> {
  rejectIgnored("--listen", ofListening, flags);
  const { serveSituations } = await import("@assay/clients");
  const { only, skip, strict, ruleSet, bindings } = flags;
  const served = await serveSituations({
    run: "listen",
    version,
    port: flags.port ?? 0,
    ...defined({ only, skip, strict, ruleSet, bindings }),
  }).catch(cannotListen);
  // Register the signals before printing the address: a program that reads it may stop Assay at once.
  const { signal, release } = interruptible(screen, {
    timeout: flags.shutdownTimeout,
    unfinished: () => ["open requests of clients"],
  });
  screen.json({
    ready: true,
    url: served.url,
    port: served.port,
    pid: process.pid,
    situations: `${served.url}/situations`,
  });
  await once(signal, "abort");
  await served.close();
  release();
  return exitCodes.fine;
}
