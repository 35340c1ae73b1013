import { createInterface } from "node:readline";
import type { Examination, FleetJob, LoginReference } from "@assay/fleet";
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
import { loginNames } from "./agent-logins.ts";
import type { ExaminationWay } from "./examination-way.ts";

/** No answer of an agent in a fleet is worth more: a card or an error is a few kilobytes. */
const mostBytes = 8 * 1024 * 1024;
const connectMs = 10_000;

/** Examines the agent of one job, which comes on the input, and writes what was found: a process for each agent. */
export async function examineAgent(way: string, _flags: object, screen: Screen): Promise<ExitCode> {
  const job = await jobOnInput();
  screen.json(await examination(job, JSON.parse(way) as ExaminationWay));
  // The parent process holds the input open.
  process.stdin.destroy();
  return exitCodes.fine;
}

/** The first line of the input. When the input closes, who started us is gone, and so is the one who would hear the result. */
async function jobOnInput(): Promise<FleetJob> {
  const lines = createInterface({ input: process.stdin });
  const line = await new Promise<string>((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => process.exit(exitCodes.ours));
  });
  return JSON.parse(line) as FleetJob;
}

async function examination(job: FleetJob, way: ExaminationWay): Promise<Examination> {
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
    run: way.run,
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

/** The credentials that the list refers to, read here and nowhere else. */
async function loginOf(login: LoginReference = {}, flags: ExaminationWay): Promise<Credentials> {
  const oauth = oauthOf(login);
  const literal = (place: string): never => {
    throw new UsageError(`${place}: write a secret as env:NAME or @file`);
  };
  const obtainToken = tokenGetter(clientOptions([], flags));
  const reader = readerIn(flags.folder);
  return credentialsOf({ ...login, ...(oauth && { oauth }) }, literal, obtainToken, loginNames, reader);
}
