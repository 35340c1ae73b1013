import {
  atLeastOne,
  choice,
  type Kind,
  numeric,
  onOff,
  perSecond,
  seconds,
  secret,
  several,
  text,
  webAddress,
} from "@assay/suite/options";
import { numberOfDays as days, scale as factor, memory as mebibytes, port } from "../flag-values.ts";
import { logFormats, logLevels } from "./log-choices.ts";

/** One thing that `assay serve` can be told. */
export interface Setting<T = unknown> {
  readonly is: Kind<T>;
  /** what goes where nothing is said; none: the server does without */
  readonly default?: T;
  /** one sentence, without its full stop: for --help and docs/operations.md */
  readonly means: string;
  /** under which heading it stands */
  readonly group: string;
}

const minutes = numeric("minutes", "a number of minutes above 0", { above: 0 });

/**
 * Everything that `assay serve` can be told, by a flag, by the environment or in a file. The name of each in all three
 * is derived from its name here (`maxMemory`: `--max-memory`, `ASSAY_SERVE_MAX_MEMORY`, `maxMemory:`). The flags,
 * `--help`, the check of a file, its JSON Schema and the table in docs/operations.md are all made from this table.
 */
const serveSettings = {
  ...group("Where it listens", {
    port: { is: port, default: 4040, means: "port to listen on; 0 takes any free one" },
    host: { is: text("address", "an address"), default: "127.0.0.1", means: "address to listen on" },
    publicUrl: { is: webAddress, means: "the address clients reach us by, for the cards (behind a proxy)" },
    cert: { is: text("file", "a file"), means: "serve TLS with this certificate (PEM), with --key" },
    key: { is: text("file", "a file"), means: "key of the certificate (PEM)" },
    tlsClientCa: {
      is: text("file", "a file"),
      means: "with --cert: ask clients for a certificate of this authority (PEM), by which /secure knows its callers",
    },
    operationsPort: {
      is: port,
      means: "serve /health, /ready and /metrics on this port too, and /metrics only there: it need not be public",
    },
    operationsHost: {
      is: text("address", "an address"),
      means: "address of that port (the same as --host unless given)",
    },
    grpcPort: { is: port, means: "give every agent a gRPC port of its own: this one and those behind it" },
  }),
  ...group("Who may talk to it, and whom it may call", {
    allowHost: {
      is: several("host", "a host"),
      means: "a Host we answer to, and that webhooks and relay may reach (repeatable)",
    },
    allowPrivateWebhooks: { is: onOff, means: "webhooks and relay may reach private networks" },
    cors: {
      is: several("origin", "an origin"),
      means: "pages of this origin may talk to the agents (repeatable); loopback pages always may",
    },
  }),
  ...group("What is served", {
    timeScale: { is: factor, default: 1, means: "scale every delay of the skills: 0.1 makes them ten times faster" },
    profile: {
      is: choice("suite", ["tck", "acts"]),
      means: "tune /spec (tck: also /spec03, /minimal, /strict) to what a suite expects",
    },
    mutant: { is: text("id", "an id"), means: "put this mutant in the place of its base (GET /mutants lists them)" },
    root: {
      is: text("agent", "the path of an agent"),
      default: "spec",
      means: "the agent whose card and calls are at the root of the site",
    },
    recorded: {
      is: text("run", "a run"),
      means:
        "serve the agent of a recorded run in the place of the test bed: its card, and to each request the answer of then",
    },
  }),
  ...group("How much of it clients may have", {
    maxMemory: {
      is: mebibytes,
      default: 192,
      means: "what is held for all clients together: tasks, webhooks, bodies, answers",
    },
    maxCallerMemory: { is: mebibytes, default: 96, means: "what is held for one of them: by login, else by address" },
    maxRequests: { is: perSecond, means: "so many requests a second are taken from one caller, in the long run" },
    maxBurst: { is: atLeastOne, means: "and so many at once after a pause (ten seconds' worth unless given)" },
    maxStreams: { is: atLeastOne, means: "so many streams are open for one caller" },
    maxOpenTasks: { is: atLeastOne, means: "so many tasks of one caller have not ended" },
    maxMessage: { is: mebibytes, default: 10, means: "a request is no longer" },
    maxHistory: { is: atLeastOne, means: "so many messages are in the history of a task" },
    maxArtifact: { is: mebibytes, means: "one artifact is no larger" },
    maxWebhooks: { is: atLeastOne, default: 50, means: "so many push configurations for one task" },
    maxWait: { is: minutes, default: 60, means: "end a task that nothing has happened to for so long" },
  }),
  ...group("How notifications are delivered", {
    pushAttempts: { is: atLeastOne, default: 5, means: "a notification is tried so often" },
    pushGiveUp: { is: seconds, default: 120, means: "a notification is not tried after so long" },
    keepDeadLetters: {
      is: atLeastOne,
      default: 100,
      means: "so many notifications that could not be delivered are kept for one caller",
    },
  }),
  ...group("Where tasks are kept", {
    store: {
      is: secret("address", "an address"),
      means:
        "keep tasks and webhooks in a database: sqlite:<file> or postgres://…; env:NAME or @file where it holds a password (memory unless given)",
    },
    keepTasks: {
      is: atLeastOne,
      default: 1_000_000,
      means: "with --store: so many tasks; of those who have most, the ones that ended longest ago make room",
    },
    keepSize: {
      is: mebibytes,
      default: 10_240,
      means: "with --store: tasks that say so much together; the same make room",
    },
    keepCallerTasks: {
      is: atLeastOne,
      means:
        "with --store: so many tasks of one caller; where there is no more room, those who have most make it first",
    },
    keepCallerSize: { is: mebibytes, means: "with --store: tasks of one caller that say so much together" },
    keepDays: { is: days, default: 30, means: "with --store: a task is kept so long after its end" },
    lease: {
      is: seconds,
      default: 15,
      means:
        "with --store: a server that is not heard of for so long is taken for gone, and its running tasks end as failed",
    },
  }),
  ...group("How it ends", {
    drainDelay: {
      is: numeric("seconds", "a number of seconds from 0 to 3600", { from: 0, to: 3_600 }),
      default: 0,
      means:
        "when asked to stop, go on for so long while /ready says no and clients are asked to leave: until a balancer has noticed",
    },
    shutdownGrace: {
      is: numeric("seconds", "a number of seconds from 0 to 3600", { from: 0, to: 3_600 }),
      default: 5,
      means:
        "then skills may take so long to finish, and answers to be read; tasks that are not done fail, and say why",
    },
  }),
  ...group("What it says", {
    log: {
      is: onOff,
      means: "print a line for every request when it is over, and below it what rules about clients it breaks",
    },
    logFormat: {
      is: choice("format", logFormats),
      default: "text",
      means: "what is told on the error stream: lines for people, or one JSON object a line",
    },
    logLevel: {
      is: choice("level", logLevels),
      default: "info",
      means:
        "with --log: all requests (info), those that were refused or cut off (warn), or faults of ours alone (error)",
    },
    traces: {
      is: webAddress,
      means: "send OpenTelemetry traces to this collector (OTLP over HTTP); OTEL_EXPORTER_OTLP_ENDPOINT does the same",
    },
    record: { is: onOff, means: "keep what clients send, and what they are answered, as a run below .assay/runs" },
    json: { is: onOff, means: "one JSON line when ready, nothing else (the default without a terminal)" },
  }),
} as const satisfies Record<string, Setting>;

function group<const T extends Record<string, Omit<Setting, "group">>>(
  heading: string,
  settings: T,
): { [K in keyof T]: T[K] & { readonly group: string } } {
  const entries = Object.entries(settings).map(([name, setting]) => [name, { ...setting, group: heading }]);
  // What comes out has the names that went in.
  return Object.fromEntries(entries);
}

type Table = typeof serveSettings;
export type SettingName = keyof Table;
type ValueOf<S> = S extends { readonly is: Kind<infer T> } ? T : never;
type Sure = { [K in SettingName]: Table[K] extends { readonly default: unknown } ? K : never }[SettingName];

/** The settings in force. */
export type ServeSettings = { readonly [K in Sure]: ValueOf<Table[K]> } & {
  readonly [K in Exclude<SettingName, Sure>]?: ValueOf<Table[K]>;
};

export const settingNames = Object.keys(serveSettings) as SettingName[];

/** A setting, of whichever kind. */
export const settingOf = (name: SettingName): Setting => serveSettings[name];

const parted = (name: string, by: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `${by}${letter.toLowerCase()}`);

export const flagOf = (name: string): string => `--${parted(name, "-")}`;

/** All of them begin alike, so that one that is misspelt can be told from one that is not ours. */
export const variablePrefix = "ASSAY_SERVE_";
export const variableOf = (name: string): string => `${variablePrefix}${parted(name, "_").toUpperCase()}`;
