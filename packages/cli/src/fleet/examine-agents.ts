import { createHash } from "node:crypto";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { Examination, Examined, FleetJob, LoginReference } from "@assay/fleet";
import { examine, unexamined } from "@assay/fleet/examine";
import {
  type Credentials,
  clientOptions,
  credentialsOf,
  oauthOf,
  readerIn,
  tokenGetter,
} from "@assay/library/connection";
import { version } from "@assay/library/version";
import { createEgressGuard, secretsInAddress } from "@assay/wire";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import type { Screen } from "../terminal/screen.ts";
import type { ExaminationWay } from "./examination-way.ts";
import { loginNames } from "./login-names.ts";

/** The maximum size of a response in bytes; a card or an error has a few kilobytes. */
const mostBytes = 8 * 1024 * 1024;
const connectMs = 10_000;

/** The time after which closing sockets are gone. */
const settleMs = 100;

/** Examines the agents of the jobs on its input one after the other, and writes a line for each. */
export async function examineAgents(way: string, _flags: object, screen: Screen): Promise<ExitCode> {
  // An error outside of a run may belong to any of them, so this process must not return further results.
  process.on("unhandledRejection", () => process.exit(exitCodes.ours));
  const settings = JSON.parse(way) as ExaminationWay;
  const input = createInterface({ input: process.stdin });
  // A closed input means that the parent process is gone, so nothing reads the result.
  const leave = (): never => process.exit(exitCodes.ours);
  input.once("close", leave);
  const before = resources();
  try {
    for await (const line of input) {
      const examination = await examinationOf(JSON.parse(line) as FleetJob, settings);
      const reusable = await isAsBefore(before);
      screen.json({ examination, reusable } satisfies Examined);
      if (!reusable) break;
    }
  } finally {
    // The parent process holds the input open.
    input.off("close", leave);
    process.stdin.destroy();
  }
  return exitCodes.fine;
}

/** Lists open timers, sockets and requests, and listeners of the process. */
const resources = (): string[] => [
  ...process.getActiveResourcesInfo(),
  ...process.eventNames().flatMap((event) => Array(process.listenerCount(event)).fill(String(event))),
];

/** Returns true if a run left nothing open that could affect the next one. */
async function isAsBefore(before: readonly string[]): Promise<boolean> {
  if (addedTo(before).length > 0) await pause(settleMs);
  return addedTo(before).length === 0;
}

function addedTo(before: readonly string[]): string[] {
  const known = [...before];
  return resources().filter((each) => {
    const at = known.indexOf(each);
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}

/**
 * Returns the run name of an agent in a sweep. All names have the same length, because users find a run by the start of
 * its name.
 */
const runName = ({ sweep, agent }: FleetJob): string =>
  `${sweep}-${createHash("sha256").update(agent.name).digest("hex").slice(0, 16)}`;

async function examinationOf(job: FleetJob, way: ExaminationWay): Promise<Examination> {
  const startedAt = performance.now();
  const { agent } = job;
  const flags = { ...way, ...(agent.timeout !== undefined && { timeout: agent.timeout / 1_000 }) };
  const connection = clientOptions([], flags);
  const login = await loginOf(agent.login, flags).catch((error: unknown) => {
    if (error instanceof UsageError) return error;
    throw error;
  });
  if (login instanceof UsageError)
    return unexamined("credential-missing", Math.round(performance.now() - startedAt), login.message);
  const total = agent.deadline ?? Number.POSITIVE_INFINITY;
  return examine(job, {
    url: agent.url,
    ...(agent.card !== undefined && { card: agent.card }),
    run: runName(job),
    version,
    headers: login.headers,
    secrets: [...login.secrets, ...secretsInAddress(agent.url)],
    connection: {
      ...connection,
      // The operator did not type this address, so Assay contacts it only on the public internet.
      guard: createEgressGuard({
        allowHosts: [...(way.allowHosts ?? []), ...(way.trustHosts ?? []).map(withoutPort)],
        ...(way.allowPrivate && { allowPrivate: true, allowLoopback: true }),
      }),
      timeouts: {
        ...connection.timeouts,
        connect: connectMs,
        total: Math.min(total, connection.timeouts?.total ?? total),
      },
      limits: { bodyBytes: mostBytes, wireBytes: mostBytes },
    },
    ...(way.trustHosts && { trustHosts: way.trustHosts }),
    ...(way.rate !== undefined && { rate: way.rate }),
  });
}

const withoutPort = (host: string): string => host.replace(/:\d+$/, "");

/** Reads the credentials that the list refers to. No other function reads them. */
async function loginOf(login: LoginReference = {}, flags: ExaminationWay): Promise<Credentials> {
  const oauth = oauthOf(login);
  const literal = (place: string): never => {
    throw new UsageError(`${place}: write a secret as env:NAME or @file`);
  };
  const obtainToken = tokenGetter(clientOptions([], flags));
  const reader = readerIn(flags.folder);
  return credentialsOf({ ...login, ...(oauth && { oauth }) }, literal, obtainToken, loginNames, reader);
}
