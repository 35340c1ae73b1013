import {
  atLeastOne,
  choice,
  count,
  type Kind,
  numeric,
  onOff,
  perSecond,
  seconds,
  secret,
  several,
  testOptions,
  text,
  webAddress,
} from "@assay/suite/options";
import { numberOfDays as days, scale as factor, memory as mebibytes, port } from "../flag-values.ts";
import { logFormats, logLevels } from "./log-choices.ts";

/** One setting of `assay serve`. */
export interface Setting<T = unknown> {
  readonly is: Kind<T>;
  /** the default value; absent: the feature is off */
  readonly default?: T;
  /** the help text, for --help and docs/operations.md, without the default */
  readonly means: string;
  /** the default in words, if Assay determines it at run time */
  readonly otherwise?: string;
  /** the heading in the help text */
  readonly group: string;
}

const minutes = numeric("minutes", "a number of minutes above 0", { above: 0 });

/**
 * All settings of `assay serve`: as flags, in the environment or in a file. The three names of a setting follow from
 * its name here (`maxMemory`: `--max-memory`, `ASSAY_SERVE_MAX_MEMORY`, `maxMemory:`). The flags, `--help`, the
 * validation of a file, its JSON Schema and the table in docs/operations.md are generated from this table.
 */
const serveSettings = {
  ...group("Listening", {
    port: { is: port, default: 4040, means: "port to listen on; 0 picks a free one" },
    host: { is: text("address", "an address"), default: "127.0.0.1", means: "address to listen on" },
    publicUrl: { is: webAddress, means: "address in the cards, if clients reach the server through a proxy" },
    cert: { is: text("file", "a file"), means: "serve TLS with this certificate (PEM); requires --key" },
    key: { is: text("file", "a file"), means: "key of the certificate (PEM)" },
    tlsClientCa: {
      is: text("file", "a file"),
      means: "with --cert: request client certificates of this authority (PEM); /secure identifies callers by them",
    },
    operationsPort: {
      is: port,
      means: "serve /health and /ready on this port, too, and /metrics only there; the port need not be public",
    },
    operationsHost: {
      is: text("address", "an address"),
      means: "address of the operations port",
      otherwise: "the same as --host",
    },
    grpcPort: { is: port, means: "give every agent its own gRPC port: this one and the following ones" },
  }),
  ...group("Access", {
    allowHost: {
      is: several("host", "a host"),
      means: "Host header to accept; webhooks and relay may reach this host, too (repeatable)",
    },
    allowPrivateWebhooks: { is: onOff, means: "allow webhooks and relay to reach private networks" },
    cors: {
      is: several("origin", "an origin"),
      means: "allow pages of this origin to call the agents; loopback pages are always allowed (repeatable)",
    },
  }),
  ...group("Agents", {
    timeScale: { is: factor, default: 1, means: "scale every delay of the skills; 0.1 makes them ten times faster" },
    profile: {
      is: choice("suite", ["tck", "acts"]),
      means: "adapt /spec (tck: also /spec03, /minimal, /strict) to what a test suite expects",
    },
    mutant: { is: text("id", "an id"), means: "serve this mutant instead of its base agent (GET /mutants lists them)" },
    root: {
      is: text("agent", "the path of an agent"),
      default: "spec",
      means: "agent to serve at the root path",
    },
    recorded: {
      is: text("run", "a run"),
      means: "serve the agent of a recorded run instead of the test bed: replay its card and its responses",
    },
  }),
  ...group("Faults", {
    fault: {
      is: several("fault", "a fault"),
      means:
        "inject a fault: <name>[=value][@when], for example cut=3@SendStreamingMessage; list explains all (repeatable)",
    },
    seed: {
      is: count,
      default: 1,
      means: "seed of random faults: the same seed and the same calls give the same faults",
    },
  }),
  ...group("Limits", {
    maxMemory: {
      is: mebibytes,
      default: 192,
      means: "memory for all clients together: tasks, webhooks, bodies, responses",
    },
    maxCallerMemory: {
      is: mebibytes,
      default: 96,
      means: "memory for one client, identified by its credentials or its address",
    },
    maxRequests: { is: perSecond, means: "maximum number of requests per second from one caller, on average" },
    maxBurst: {
      is: atLeastOne,
      means: "maximum number of requests at once after a pause",
      otherwise: "10 seconds of --max-requests",
    },
    maxStreams: { is: atLeastOne, means: "maximum number of open streams per caller" },
    maxOpenTasks: { is: atLeastOne, means: "maximum number of unfinished tasks per caller" },
    maxMessage: { is: mebibytes, default: 10, means: "maximum size of a request" },
    maxHistory: { is: atLeastOne, means: "maximum number of messages in the history of a task" },
    maxArtifact: { is: mebibytes, means: "maximum size of one artifact" },
    maxWebhooks: { is: atLeastOne, default: 50, means: "maximum number of push configurations per task" },
    maxWait: { is: minutes, default: 60, means: "end a task after this long without activity" },
  }),
  ...group("Notifications", {
    pushAttempts: { is: atLeastOne, default: 5, means: "delivery attempts for a notification" },
    pushGiveUp: { is: seconds, default: 120, means: "give up on a notification after this long" },
    keepDeadLetters: {
      is: atLeastOne,
      default: 100,
      means: "undelivered notifications to keep per caller",
    },
  }),
  ...group("Storage", {
    store: {
      is: secret("address", "an address"),
      means:
        "database for tasks and webhooks: sqlite:<file> or postgres://…; use env:NAME or @file for an address with a password",
      otherwise: "memory",
    },
    keepTasks: {
      is: atLeastOne,
      default: 1_000_000,
      means:
        "with --store: maximum number of tasks; Assay deletes the oldest finished tasks of the callers with the most tasks",
    },
    keepSize: {
      is: mebibytes,
      default: 10_240,
      means: "with --store: maximum size of all tasks together; Assay deletes the same ones first",
    },
    keepCallerTasks: {
      is: atLeastOne,
      means:
        "with --store: maximum number of tasks per caller; when the store is full, Assay deletes tasks of the callers with the most first",
    },
    keepCallerSize: { is: mebibytes, means: "with --store: maximum size of the tasks of one caller together" },
    keepDays: { is: days, default: 30, means: "with --store: days to keep a task after its end" },
    lease: {
      is: seconds,
      default: 15,
      means: "with --store: after this long without a sign of life, a server counts as dead and its running tasks fail",
    },
  }),
  ...group("Shutdown", {
    drainDelay: {
      is: numeric("seconds", "a number of seconds from 0 to 3600", { from: 0, to: 3_600 }),
      default: 0,
      means:
        "after a signal to stop: keep serving this long while /ready fails and clients are asked to disconnect, so that a load balancer notices",
    },
    shutdownGrace: {
      is: numeric("seconds", "a number of seconds from 0 to 3600", { from: 0, to: 3_600 }),
      default: 5,
      means:
        "after that: time for skills to finish and for clients to read responses; unfinished tasks fail with a reason",
    },
    shutdownTimeout: {
      is: testOptions.shutdownTimeout.is,
      means: "after a signal to stop: time after which the server exits even if it is not done",
      otherwise: "30, or more if --drain-delay and --shutdown-grace need more",
    },
  }),
  ...group("Logging", {
    log: {
      is: onOff,
      means: "print a line for every finished request, and below it the client rules it breaks",
    },
    logFormat: {
      is: choice("format", logFormats),
      default: "text",
      means: "format of the log on stderr: text lines, or one JSON object per line",
    },
    logLevel: {
      is: choice("level", logLevels),
      default: "info",
      means: "with --log: all requests (info), only rejected or aborted ones (warn), or only internal errors (error)",
    },
    traces: {
      is: webAddress,
      means: "send OpenTelemetry traces to this collector (OTLP over HTTP); the same as OTEL_EXPORTER_OTLP_ENDPOINT",
    },
    record: { is: onOff, means: "save requests and responses as a run in .assay/runs" },
    json: { is: onOff, means: "print only one JSON line when ready", otherwise: "if stdout is not a terminal" },
  }),
} as const satisfies Record<string, Setting>;

function group<const T extends Record<string, Omit<Setting, "group">>>(
  heading: string,
  settings: T,
): { [K in keyof T]: T[K] & { readonly group: string } } {
  const entries = Object.entries(settings).map(([name, setting]) => [name, { ...setting, group: heading }]);
  // The keys stay the same.
  return Object.fromEntries(entries);
}

type Table = typeof serveSettings;
export type SettingName = keyof Table;
type ValueOf<S> = S extends { readonly is: Kind<infer T> } ? T : never;
type Sure = { [K in SettingName]: Table[K] extends { readonly default: unknown } ? K : never }[SettingName];

/** The effective settings. */
export type ServeSettings = { readonly [K in Sure]: ValueOf<Table[K]> } & {
  readonly [K in Exclude<SettingName, Sure>]?: ValueOf<Table[K]>;
};

export const settingNames = Object.keys(serveSettings) as SettingName[];

/** Returns a setting of any kind. */
export const settingOf = (name: SettingName): Setting => serveSettings[name];

const parted = (name: string, by: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `${by}${letter.toLowerCase()}`);

export const flagOf = (name: string): string => `--${parted(name, "-")}`;

/** A common prefix, so that Assay can recognise a misspelt variable. */
export const variablePrefix = "ASSAY_SERVE_";
export const variableOf = (name: string): string => `${variablePrefix}${parted(name, "_").toUpperCase()}`;
