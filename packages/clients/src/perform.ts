import {
  type ClientRequest,
  callsOf,
  clientInterface,
  isAccepted,
  type Situation,
  type SpokenInterface,
} from "@assay/suite";
import type { RunEvent, SituationEnding } from "@assay/suite/report";
import { type Exchange, type Recording, timeLimit } from "@assay/wire";
import { adviceOn } from "./advice.ts";
import { type CommandOptions, type CommandRun, runCommand } from "./command.ts";
import { environmentOf, wordsFor } from "./environment.ts";
import type { ClientEnvironment, ClientTestOptions, Drive } from "./options.ts";
import { type OpenStage, openStage, type Stage } from "./stage.ts";
import { oddities } from "./strays.ts";

/** The result of one situation. */
export interface Performed {
  readonly situation: Situation;
  readonly offered: SpokenInterface;
  readonly agent: OpenStage["agent"];
  readonly told: ReadonlySet<string>;
  readonly requests: readonly ClientRequest[];
  readonly notifications: OpenStage["notifications"];
  readonly distrusted: number;
  readonly runs: readonly CommandRun[];
  readonly ended: SituationEnding;
  readonly quietMs?: number;
}

/** The exit code with which a command declines a situation: EX_TEMPFAIL of sysexits. */
export const declines = 75;

export const defaultTimeoutMs = 10_000;

interface PerformOptions {
  readonly client: ClientTestOptions;
  /** the client is known to print the answers of agents */
  readonly prints: boolean;
  readonly recording: Recording;
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
  readonly write: (
    exchange: Exchange,
    request: ClientRequest,
    performed: { situation: Situation; offered: SpokenInterface },
  ) => void;
}

/** Runs one situation: starts the agent, runs the command, and stops both. */
export async function perform(
  situation: Situation,
  stage: Stage,
  offered: SpokenInterface,
  { client, prints, recording, signal, emit, write }: PerformOptions,
): Promise<Performed> {
  const place = situation.choice ? {} : { interface: interfaceOf(offered) };
  emit({ event: "situation-started", situation: situation.id, asks: situation.asks, ...place });
  const isSupported = client.can?.includes(situation.action) ?? true;
  const open = await openStage(stage, offered, { version: client.version, recording });
  const runs: CommandRun[] = [];
  const timeoutMs = client.timeout ?? defaultTimeoutMs;
  const timeIsOver = Date.now() + timeoutMs;
  try {
    const told = environmentOf(situation, open);
    const limits = { timeoutMs, signal };
    const run = () =>
      client.drive
        ? driveClient(client.drive, told, limits)
        : runCommand(wordsFor(client.command, open.url), {
            env: { ...client.env, ...told },
            ...limits,
            ...(client.folder !== undefined && { folder: client.folder }),
          });
    if (isSupported) runs.push(await run());
  } finally {
    await open.close();
  }
  const requests = inOrder(open.exchanges).map(open.read);
  for (const request of requests) write(request.exchange, request, { situation, offered });
  const ended = isSupported ? endingOf(runs) : "declined";
  const because = [
    ...(isSupported ? [] : [`declined: the client does not support the action ${situation.action}`]),
    ...notesOn(runs, situation, client),
    ...oddities(requests, open.strays),
  ].join("; ");
  emit({
    event: "situation-finished",
    situation: situation.id,
    ...place,
    ended,
    ...(because !== "" && { because }),
    requests: requests.length,
    accepted: callsOf(requests).filter(isAccepted).length,
    runs: runs.map(({ exit, signal: by, output, errors, dropped, duration_ms }) => ({
      ...(exit !== undefined && { exit }),
      ...(by !== undefined && { signal: by }),
      output,
      errors,
      dropped,
      duration_ms,
    })),
  });
  if (ended !== "declined")
    for (const text of adviceOn({ situation, requests, runs, prints })) emit({ event: "note", text });
  const { agent, arranged, notifications } = open;
  return {
    situation,
    offered,
    agent,
    told: new Set(arranged.told),
    requests,
    notifications,
    distrusted: open.distrusted(),
    runs,
    ended,
    ...(runs.some((run) => run.ended === "time-over") && { quietMs: timeIsOver - lastActive(open.exchanges) }),
  };
}

const lastActive = (exchanges: readonly Exchange[]): number =>
  Math.max(0, ...exchanges.map(({ timing }) => Date.parse(timing.startedAt) + timing.end));

/** Returns the interface as named in run events. */
export const interfaceOf = (offered: SpokenInterface) => {
  const { url, dialect, binding } = clientInterface(offered);
  return { url, dialect, binding };
};

/** Sorts by start: a stream finishes after calls that started later. */
export const inOrder = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));

function endingOf(runs: readonly CommandRun[]): SituationEnding {
  if (runs.some(({ ended }) => ended === "not-started")) return "not-started";
  if (runs.some(({ ended }) => ended === "time-over" || ended === "interrupted")) return "time-over";
  return runs.some(({ exit }) => exit === declines) ? "declined" : "done";
}

/** Describes how the command ended, unless it ended normally. */
function notesOn(
  runs: readonly CommandRun[],
  { endsBadly }: Situation,
  { command, timeout = defaultTimeoutMs }: ClientTestOptions,
): string[] {
  return runs.flatMap(({ ended, exit, signal, trouble, leftBehind, dropped }) => [
    ...(ended === "not-started" ? [`the command ${command[0]} could not be started: ${trouble}`] : []),
    ...(ended === "time-over" ? [`the command was still running after ${timeout / 1_000} s and was killed`] : []),
    ...(ended === "interrupted" ? ["the run was interrupted"] : []),
    ...(ended === "signal" ? [`the command was killed by ${signal}`] : []),
    ...(ended === "exit" && exit === declines ? [`declined (exit code ${declines})`] : []),
    ...(ended === "exit" && exit !== 0 && exit !== declines && !endsBadly ? [`exit code ${exit}`] : []),
    ...(leftBehind ? ["the command left processes running, which were killed"] : []),
    ...(dropped ? [`${dropped} bytes of its output were discarded`] : []),
  ]);
}

/** Characters kept of a long output, from its beginning and its end. */
const keptChars = 8 * 1024;

const kept = (output: string): { output: string; dropped: number } =>
  output.length <= 2 * keptChars
    ? { output, dropped: 0 }
    : { output: `${output.slice(0, keptChars)}\n${output.slice(-keptChars)}`, dropped: output.length - 2 * keptChars };

/** Runs a client inside this process, with the same timeout as a command. */
async function driveClient(
  drive: Drive,
  told: ClientEnvironment,
  { timeoutMs, signal }: Pick<CommandOptions, "timeoutMs" | "signal">,
): Promise<CommandRun> {
  const began = performance.now();
  const timeout = timeLimit(timeoutMs);
  const stop = AbortSignal.any([signal, timeout]);
  const stopped = new Promise<undefined>((resolve) => {
    stop.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const driven: Promise<Awaited<ReturnType<Drive>>> = drive(told, stop).catch((error: unknown) => ({
    exit: 1,
    output: "",
    errors: String(error),
  }));
  const outcome = await Promise.race([driven, stopped]);
  const { exit, output = "", errors = "", trouble } = outcome ?? {};
  const isStarted = trouble === undefined;
  return {
    ended: !isStarted ? "not-started" : outcome ? "exit" : timeout.aborted ? "time-over" : "interrupted",
    ...(exit !== undefined && isStarted && { exit }),
    ...(!isStarted && { trouble }),
    ...kept(output),
    errors,
    leftBehind: false,
    duration_ms: Math.round((performance.now() - began) * 10) / 10,
  };
}
