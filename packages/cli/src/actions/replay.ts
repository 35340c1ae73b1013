import { randomUUID } from "node:crypto";
import { settingsOf } from "@assay/library/config";
import { findRun, RunFolder, readRun } from "@assay/library/runs";
import { nearest } from "@assay/protocol";
import { boundCredentials } from "@assay/suite";
import type { RunEvent } from "@assay/suite/report";
import { createMasker, createPeerClients, type HarEntry, Recording, type Secret } from "@assay/wire";
import type { ReplayFlags } from "../commands/replay.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { plural } from "../phrases.ts";
import { evidenceFor, type RecordedRequest, requestsOf } from "../replay/recorded-requests.ts";
import { type ReplayedRequest, type ReplayTools, replay } from "../replay/replay.ts";
import { closingLine, factsOf, showOutcome, summaryOf } from "../replay/tell.ts";
import { interruptible } from "../shutdown/interruption.ts";
import { escapeText } from "../terminal/escape.ts";
import { priceOf } from "../terminal/header.ts";
import type { Screen } from "../terminal/screen.ts";

/** Runs `assay replay`: reads a run, sends its requests again, and shows the differences. */
export async function replayRun(
  wanted: string,
  rule: string | undefined,
  flags: ReplayFlags,
  screen: Screen,
  folder = new RunFolder(),
): Promise<ExitCode> {
  const file = findRun(wanted, folder);
  const events = readRun(file);
  refuseRedacted(events, file);
  const requests = requestsOf(events);
  const chosen = choose(rule?.toUpperCase(), events, requests);
  const then = addressIn(events);
  const address = flags.url ?? then;
  if (address.includes("«secret:"))
    throw new UsageError(
      "The address of the agent contains a secret, which the recording does not contain.",
      "Pass the complete address again: --url <url>",
    );
  const { url, options } = await settingsOf(address, flags, screen);
  const secrets = options.secrets ?? [];
  const isOurs = folder.list().some((name) => folder.eventsOf(name) === file);
  if (!isOurs && flags.url === undefined && secrets.length)
    throw new UsageError(
      `${file} is not one of your runs, and it chooses where your credentials would go: ${escapeText(then)}`,
      "Name the agent that may receive them: --url <url>",
    );
  refuseWithout(
    chosen.map((index) => requests[index]!),
    new Set(secrets.map(({ name }) => name)),
  );
  const mask = createMasker(secrets);
  const credentials = boundCredentials(options);
  const recording = new Recording({ keep: false });
  const clients = createPeerClients({ ...options.connection, credentials, recording });
  const people = flags.json ? undefined : screen;
  const interruption = interruptible(screen, {
    timeout: flags.shutdownTimeout,
    onStop: () => people?.line("Stopping after the pending requests. Press Ctrl-C again to stop at once."),
    unfinished: () => ["pending requests"],
  });
  const tools: ReplayTools = {
    clients,
    mask,
    fill: filledWith(secrets, `made-up-${randomUUID()}`),
    addressNow: movedTo(then, url),
    refusal({ exchange }, to) {
      const named = [...secretsNamed(exchange.entry.request)];
      const missing = named.find((name) => isOfPrincipal(name) && !secrets.some((each) => each.name === name));
      if (missing !== undefined) return `missing secret ${missing} (principals in assay.yaml)`;
      const isShown = named.some((name) => secrets.some((each) => each.name === name));
      return isShown && !credentials.mayGoTo(to)
        ? `${new URL(to).host} may not receive your credentials (--trust-host allows it)`
        : undefined;
    },
    signal: interruption.signal,
  };
  const messages = chosen.filter((index) => requests[index]!.exchange.working).length;
  people?.line(
    `${plural(chosen.length, "request")} to ${escapeText(url)} again: ${priceOf({ workingMessages: messages })}.`,
  );
  const outcomes: ReplayedRequest[] = [];
  try {
    for await (const outcome of replay(requests, chosen, tools)) {
      outcomes.push(outcome);
      if (people) showOutcome(outcome, people);
    }
  } finally {
    await clients.close();
    interruption.release();
  }
  const summary = summaryOf(outcomes);
  if (flags.json)
    screen.json(
      { run: runName(events), ...(rule && { rule }), agentUrl: url, ...summary, exchanges: outcomes.map(factsOf) },
      2,
    );
  else screen.line(closingLine(summary));
  if (interruption.signal.aborted) return exitCodes.interrupted;
  if (summary.answered === 0) return exitCodes.usage;
  return summary.different ? exitCodes.agent : exitCodes.fine;
}

const addressIn = ([started]: readonly RunEvent[]): string =>
  started?.event === "run-started" ? started.agentUrl : "";

const runName = ([started]: readonly RunEvent[]): string => (started?.event === "run-started" ? started.run : "");

/** Rejects a run that was recorded with --redact. */
function refuseRedacted([started]: readonly RunEvent[], file: string): void {
  if (started?.event === "run-started" && started.redacted)
    throw new UsageError(`${file} was recorded with --redact, so it does not contain the messages to send again`);
}

/** Returns the requests to replay: all, or those of a rule. */
function choose(rule: string | undefined, events: readonly RunEvent[], requests: readonly RecordedRequest[]): number[] {
  if (!requests.length) throw new UsageError("This run contains no exchange, so there is nothing to replay");
  if (rule === undefined) return requests.map((_, index) => index);
  const judged = events.flatMap((event) => (event.event === "check-finished" ? [event.result] : []));
  const results = judged.filter(({ test }) => test === rule);
  if (!results.length) {
    const near = nearest(rule, [...new Set(judged.map(({ test }) => test))]);
    throw new UsageError(
      `This run says nothing about ${escapeText(rule)}`,
      near === undefined ? "Run assay report <run> to see its rules." : `Did you mean ${near}?`,
    );
  }
  const chosen = evidenceFor(rule, events, requests);
  if (chosen.length) return chosen;
  const verdicts = [...new Set(results.map(({ verdict }) => verdict))].join(", ");
  throw new UsageError(
    `No exchange of this run is evidence of ${rule} (${verdicts})`,
    "Omit the rule to replay all requests.",
  );
}

/** Refuses a replay without its login, which a made-up value cannot replace. A secret in most requests is the login. */
function refuseWithout(requests: readonly RecordedRequest[], given: ReadonlySet<string>): void {
  const counts = new Map<string, number>();
  for (const { exchange } of requests)
    for (const name of secretsNamed(exchange.entry.request)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const missing = [...counts]
    .filter(([name, count]) => count > requests.length / 2 && !given.has(name))
    .map(([name]) => name);
  if (missing.length)
    throw new UsageError(
      `The run used credentials, which a recording does not contain: ${escapeText(missing.join(", "))}`,
      "Pass them again: --bearer env:TOKEN, --api-key name=env:KEY, --basic user:env:PASSWORD, --header name:env:VALUE",
    );
}

/** Returns a function that replaces the recorded address by the current one, and leaves other addresses alone. */
function movedTo(then: string, now: string): (url: string) => string {
  if (then === now || !URL.canParse(then)) return (url) => url;
  const [from, to] = [new URL(then), new URL(now)];
  const base = then.replace(/\/+$/, "");
  return (url) => {
    // "/spec03" starts with "/spec", but is another path.
    if (url.startsWith(base) && /^([/?#:]|$)/.test(url.slice(base.length)))
      return now.replace(/\/+$/, "") + url.slice(base.length);
    return url.startsWith(from.origin) ? to.origin + url.slice(from.origin.length) : url;
  };
}

const placeholder = /«secret:([^»]*)»/g;

type Request = HarEntry["request"];

const textsOf = ({ url, headers, postData }: Request): string[] => [
  url,
  ...headers.map(({ value }) => value),
  postData?.text ?? "",
];

/** Returns the names of the secrets in a recorded request. */
const secretsNamed = (request: Request): Set<string> =>
  new Set(textsOf(request).flatMap((text) => [...text.matchAll(placeholder)].map(([, name]) => name!)));

/** Returns true for secrets of other principals, which a made-up value cannot replace. */
const isOfPrincipal = (name: string): boolean => /^(second|restricted)-/.test(name);

/**
 * Returns the value for each placeholder: the secret with that name, or else a made-up value. The run itself also sent
 * made-up values where it tested invalid credentials.
 */
const filledWith =
  (secrets: readonly Secret[], madeUp: string) =>
  (text: string): string =>
    text.replaceAll(placeholder, (_, name: string) => secrets.find((each) => each.name === name)?.value ?? madeUp);
