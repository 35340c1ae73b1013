import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import {
  type DeadLetter,
  openTelemetry,
  type ProfileOptions,
  startRecordedAgent,
  startTestbed,
  type Testbed,
  type TestbedOptions,
  type Tracing,
} from "@assay/agents";
import { RunFolder } from "@assay/library/run-folder";
import { readSecret } from "@assay/library/secrets";
import { version } from "@assay/library/version";
import { AssayError } from "@assay/protocol/assay-error";
import type { ServedRecorder, TlsOptions } from "@assay/wire/server";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { type ServerLog, serverLog } from "../serving/server-log.ts";
import type { ServeSettings } from "../serving/settings.ts";
import type { Settled } from "../serving/settle.ts";
import { type Interruption, interruptible } from "../shutdown/interruption.ts";
import { brief, escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";
import { verdictLine } from "../terminal/verdict-line.ts";

const MiB = 1024 * 1024;
/** Shutdown timeout in seconds: the minimum, and the reserve for the store and traces on top of drain and grace. */
const usualTimeout = 30;
const reserve = 10;

/** Returns a recorder that reports requests of clients, but keeps none. */
async function listener(): Promise<ServedRecorder> {
  const [{ ServedRecorder }, { Recording }] = await Promise.all([
    import("@assay/wire/served-recorder"),
    import("@assay/wire"),
  ]);
  return new ServedRecorder(new Recording({ keep: false }));
}

interface Stopped extends Pick<Interruption, "release"> {
  readonly code: ExitCode;
}

/** The test bed, or a recorded agent. */
type Served = Pick<Testbed, "url" | "port" | "close"> & Partial<Pick<Testbed, "retire">>;

/** Runs `assay serve`: serves the test bed or a recorded agent until it is stopped. */
export async function serve(settled: Settled, screen: Screen, folder = new RunFolder()): Promise<ExitCode> {
  const flags = settled.settings;
  if (flags.fault?.includes("list")) {
    for (const line of (await import("../terminal/fault-lines.ts")).faultLines()) screen.line(line);
    return exitCodes.fine;
  }
  const faults = flags.fault && (await import("../serving/fault-port.ts")).faultPort(flags);
  const log = serverLog(screen, { format: flags.logFormat, level: flags.log ? flags.logLevel : "error" });
  // Load these modules on demand, because most servers neither record nor replay, and should start fast.
  const run = flags.record ? (await import("../recorded/served-run.ts")).openServedRun(folder) : undefined;
  const recorder = run?.recorder ?? (flags.log ? await listener() : undefined);
  const common = {
    host: flags.host,
    port: faults ? 0 : flags.port,
    timeScale: flags.timeScale,
    ...(flags.allowHost ? { allowedHosts: flags.allowHost } : {}),
    ...(flags.publicUrl ? { publicUrl: flags.publicUrl } : {}),
    ...tlsFrom(flags),
    ...(flags.log && { onServed: log.request }),
    // With faults, the port that injects them also records the traffic.
    ...(recorder && !faults && { recorder }),
    onError: log.error,
  };
  const tracing = await tracingFor(settled, log);
  const recorded =
    flags.recorded === undefined
      ? undefined
      : (await import("../recorded/recorded-agent.ts")).recordedFrom(flags, folder);
  const started = recorded
    ? startRecordedAgent(recorded, common)
    : startTestbed({ ...common, ...testbedOnly(settled, screen, log), ...(tracing && { tracing }) });
  const opened: Served = await started.catch((error: Error) => {
    run?.end();
    throw usageOf(error);
  });
  const served = faults ? await faults.before(opened, (exchange) => recorder?.adopt(exchange), log) : opened;
  run?.begin(served.url);
  if (flags.log && recorder && isTestbed(opened)) await tellVerdicts(opened, recorder, flags, log);
  log.event("info", "listening", { url: served.url, version });
  // Register the signals before printing the address: a program that reads it may stop Assay at once.
  const stopped = untilStopped(served, settled.settings, screen, log);
  if (flags.json || !screen.isTerminal) screen.json(readyLine(served));
  else if (isTestbed(served)) await greet(served, screen);
  else greetRecorded(served, flags.recorded!, screen);
  if (run) screen.complain(`Recording the traffic in ${run.file}.`);
  const { code, release } = await stopped;
  await tracing?.close();
  const trouble = run?.end();
  if (trouble !== undefined) screen.complain(`warning: ${run!.file} is incomplete: ${trouble}`);
  release();
  return code;
}

/** The settings that apply only to the test bed. */
function testbedOnly(settled: Settled, screen: Screen, log: ServerLog) {
  const flags = settled.settings;
  return {
    version,
    onOutage: log.outage,
    allowPrivate: flags.allowPrivateWebhooks ?? false,
    origins: flags.cors ?? [],
    budgets: { total: flags.maxMemory * MiB, caller: flags.maxCallerMemory * MiB },
    waitMs: flags.maxWait * 60_000,
    ...limitsFrom(flags),
    ...(flags.log && { onUndelivered: (agent: string, letter: DeadLetter) => tellUndelivered(agent, letter, log) }),
    ...(flags.store === undefined || flags.store === "memory"
      ? {}
      : { store: storeFrom(settled, flags.store, screen) }),
    ...(flags.operationsPort !== undefined && {
      operations: { host: flags.operationsHost ?? flags.host, port: flags.operationsPort },
    }),
    ...(flags.grpcPort === undefined ? {} : { grpcPort: flags.grpcPort }),
    ...(flags.profile ? { profile: profileFrom(flags.profile) } : {}),
    ...(flags.mutant === undefined ? {} : { mutant: flags.mutant }),
    ...(flags.root === undefined ? {} : { root: flags.root.replace(/^\//, "") }),
  };
}

const dayMs = 86_400_000;

/**
 * Reads the address of the store like a secret, because it may contain a password. Warns only about a password that
 * other users can see.
 */
function storeFrom({ settings, placeOf }: Settled, given: string, screen: Screen) {
  const place = placeOf("store");
  const hasPassword = /^postgres(ql)?:\/\/[^/@]*:[^/@]+@|[?&](ssl)?password=/.test(given);
  const address = readSecret(place?.name ?? "store", given, (name) => {
    if (hasPassword && place?.is !== "environment")
      screen.complain(`warning: other users of this machine can read the password in ${name}. Use env:NAME or @file.`);
  });
  return {
    address,
    retention: {
      tasks: settings.keepTasks,
      bytes: settings.keepSize * MiB,
      ms: settings.keepDays * dayMs,
      ...keptOfCaller(settings),
    },
    leaseMs: settings.lease * 1_000,
  };
}

const isTestbed = (served: Served): served is Testbed => "agents" in served;

function usageOf(error: Error): UsageError {
  if (error instanceof UsageError) return error;
  if (error instanceof AssayError) return new UsageError(`--store: ${error.message}`);
  return new UsageError(
    error.message,
    "Choose another port (--port 0 picks a free one), or stop the program that uses this one.",
  );
}

/** Returns the tracing, if the settings or the variables of OpenTelemetry ask for it. */
async function tracingFor({ settings, placeOf }: Settled, { error }: ServerLog): Promise<Tracing | undefined> {
  const { traces: endpoint } = settings;
  const { env } = process;
  const isAsked = env["OTEL_EXPORTER_OTLP_ENDPOINT"] || env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];
  if (endpoint === undefined && (!isAsked || env["OTEL_SDK_DISABLED"] === "true")) return undefined;
  try {
    return await openTelemetry({ version, onError: error, ...(endpoint !== undefined && { endpoint }) });
  } catch (cause) {
    const place = placeOf("traces")?.name ?? "OTEL_EXPORTER_OTLP_ENDPOINT";
    throw new UsageError(`${place}: ${(cause as Error).message}`, (cause as AssayError).hint, cause);
  }
}

/** Logs an undelivered notification. Of the webhook's address, it logs only the origin. */
function tellUndelivered(agent: string, { body: _body, at, ...letter }: DeadLetter, log: ServerLog): void {
  const { taskId, reason, status, failure, attempts, origin } = letter;
  const last = status ?? failure;
  const what = `${reason}${last === undefined ? "" : ` (${last})`}, ${attempts} attempts`;
  const line = `${at.slice(11, 23)}  PUSH   /${agent} task ${brief(taskId, 60)}  ${what}  ${brief(origin, 60)}`;
  log.event("warn", "notification not delivered", { agent, ...letter }, line);
}

/** Logs the client rules that a request breaks, below its line. */
async function tellVerdicts(
  testbed: Testbed,
  recorder: ServedRecorder,
  flags: ServeSettings,
  log: ServerLog,
): Promise<void> {
  const { TrafficJudge } = await import("@assay/clients");
  const judge = new TrafficJudge(testbed, flags.root?.replace(/^\//, "") ?? "spec");
  recorder.onExchange((exchange) => {
    // The client is not responsible for the effects of a fault.
    if (exchange.faults) return;
    void judge.judge(exchange).then((results) => {
      for (const result of results) {
        const { test: rule, verdict, warning, message = warning } = result;
        log.event("warn", "rule about clients", { rule, verdict, says: message }, verdictLine(result));
      }
    });
  });
}

const readyLine = (served: Served) => ({
  ready: true,
  url: served.url,
  port: served.port,
  pid: process.pid,
  ...(isTestbed(served) && served.operationsUrl && { operations: served.operationsUrl }),
  agents: isTestbed(served) ? served.agents.map(({ path }) => `${served.url}/${path}`) : [served.url],
});

function greetRecorded({ url }: Served, run: string, { line, colors }: Screen): void {
  line(`Recorded agent of ${escapeText(run)} on ${colors.bold(url)}    (gRPC on the same port; stop with Ctrl-C)`);
  line(`Look    assay card ${url}`);
}

async function greet({ url, agents, families }: Testbed, { line, colors }: Screen): Promise<void> {
  line(`Assay test bed on ${colors.bold(url)}    (gRPC on the same port; stop with Ctrl-C)`);
  line();
  for (const { path, dialects = ["1.0"], description } of agents) {
    line(`  ${colors.bold(`/${path}`.padEnd(10))} ${dialects.join(", ").padEnd(9)} ${brief(description, 88)}`);
  }
  const { mutants, variants } = await families();
  const places = [
    `${colors.bold("/mutants")}   ${mutants.length} agents, each with one deliberate fault`,
    `${colors.bold("/variants")}  ${variants.length} unusual but conformant agents`,
  ];
  line(`  ${places.join("      ")}`);
  line(`  ${colors.bold("/gallery")}   typical first contacts: no card, a login, a website, another version`);
  line();
  line(`Try     assay send ${url}/spec "streaming hello" --stream`);
  line(`Look    assay card ${url}/full`);
  line(`Test    assay test ${url}/spec`);
}

/** Reads the variables with which ACTS asks for its second and third runs. */
const profileFrom = (profile: ProfileOptions["profile"]): ProfileOptions => ({
  profile,
  actsAuth: process.env["ITK_ACTS_AUTH"] === "1",
  actsReduced: process.env["ITK_ACTS_REDUCED_CAPABILITIES"] === "1",
});

function tlsFrom({ cert, key, tlsClientCa }: ServeSettings): { tls?: TlsOptions } {
  if (!cert && !key && !tlsClientCa) return {};
  if (!cert || !key)
    throw new UsageError(
      tlsClientCa ? "--tls-client-ca requires --cert and --key" : "--cert requires --key, and --key requires --cert",
    );
  const read = (file: string) => readFileSync(file, "utf8");
  try {
    // Clients without a certificate are accepted too: most agents ask for none, and /secure accepts other logins.
    const asks = tlsClientCa && { ca: read(tlsClientCa), requestCert: true, rejectUnauthorized: false };
    return { tls: { cert: read(cert), key: read(key), ...asks } };
  } catch (error) {
    throw new UsageError(`Cannot read the certificate: ${(error as Error).message}`);
  }
}

/** Serves until a signal arrives, and stops within the deadline. */
async function untilStopped(served: Served, settings: ServeSettings, screen: Screen, log: ServerLog): Promise<Stopped> {
  const { drainDelay, shutdownGrace } = settings;
  // A signal is the normal end of a server.
  let code: ExitCode = exitCodes.fine;
  const unfinished = new Set(["open requests and streams", "the store", "traces"]);
  const { signal, release } = interruptible(screen, {
    timeout: settings.shutdownTimeout ?? Math.max(usualTimeout, drainDelay + 2 * shutdownGrace + reserve),
    onStop: (by) => {
      log.event("info", "stopping", { signal: by });
      if (!screen.isTerminal) return;
      if (by === "SIGINT") code = exitCodes.interrupted;
      screen.line();
      screen.line("Stopping. Press Ctrl-C again to stop at once.");
    },
    unfinished: () => [...unfinished],
  });
  await once(signal, "abort");
  served.retire?.();
  await wait(drainDelay * 1_000);
  await served.close(shutdownGrace * 1_000);
  unfinished.delete("open requests and streams");
  unfinished.delete("the store");
  log.event("info", "stopped");
  return { code, release };
}

/** Returns the limits of one caller, and of the delivery of notifications. */
const limitsFrom = (settings: ServeSettings) =>
  ({
    quotas: {
      requestsPerSecond: settings.maxRequests,
      burst: settings.maxBurst,
      streams: settings.maxStreams,
      openTasks: settings.maxOpenTasks,
      historyMessages: settings.maxHistory,
      artifactBytes: settings.maxArtifact === undefined ? undefined : settings.maxArtifact * MiB,
      webhooksPerTask: settings.maxWebhooks,
    },
    limits: { bodyBytes: settings.maxMessage * MiB },
    retries: { attempts: settings.pushAttempts, withinMs: settings.pushGiveUp * 1_000 },
    deadLetters: settings.keepDeadLetters,
  }) satisfies Partial<TestbedOptions>;

/** Returns the storage limits of one caller, if they are below the total. */
const keptOfCaller = ({ keepCallerTasks, keepCallerSize, keepTasks, keepSize }: ServeSettings) =>
  keepCallerTasks === undefined && keepCallerSize === undefined
    ? {}
    : { caller: { tasks: keepCallerTasks ?? keepTasks, bytes: (keepCallerSize ?? keepSize) * MiB } };
