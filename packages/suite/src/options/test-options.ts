import type { Binding, DialectVersion } from "@assay/protocol";
import { depths } from "../report/events.ts";
import { failOnChoices, requirableLevels } from "../report/gate.ts";
import { sdkNames } from "../report/sdk-faults.ts";
import { ruleSets } from "../rules/rule-sets.ts";
import {
  atLeastOne,
  choice,
  count,
  type Kind,
  listOf,
  onOff,
  percent,
  perSecond,
  seconds,
  secret,
  several,
  text,
  webAddress,
} from "./kind.ts";

/** The headings of `assay test --help`, in their order. */
export const optionGroups = ["Target", "Depth and cost", "Credentials", "Judging", "Output", "Run control"] as const;

/** One option of a test of an agent, for everything that takes it. */
export interface OptionRow {
  readonly is: Kind<unknown>;
  /** the help text, without its default */
  readonly means: string;
  /** what applies without it, in words */
  readonly default?: string;
  readonly group: (typeof optionGroups)[number];
  /** the flag, where it is not the name itself: "--binding" */
  readonly flag?: `--${string}`;
  /** the help text of `--no-…`, which takes the option of the file back */
  readonly off?: string;
  /** the key in assay.yaml, where it may stand there; a dot for a key within a key */
  readonly key?: string;
  /** programs may give it */
  readonly library?: true;
  /** the page of `assay ui` may give it */
  readonly page?: true;
  /** the suite gets it under its name: as it is, or as this function makes it */
  readonly run?: true | ((value: never) => unknown);
  /** what is read from the environment for it, by name */
  readonly environment?: Readonly<Record<string, string>>;
}

const file = text("file", "a file");
const host = text("host", "a host");
const inMs = (given: number): number => given * 1_000;

const binding = choice("name", ["JSONRPC", "HTTP+JSON", "GRPC"] as const satisfies readonly Binding[], {
  jsonrpc: "JSONRPC",
  "json-rpc": "JSONRPC",
  "http+json": "HTTP+JSON",
  rest: "HTTP+JSON",
  grpc: "GRPC",
});

const versions = ["0.1", "0.2", "0.3", "1.0"] as const satisfies readonly DialectVersion[];
const version: Kind<DialectVersion> = {
  ...choice("version", versions),
  // YAML reads an unquoted 1.0 as the number 1.
  take: (value) => versions.find((each) => each === (typeof value === "number" ? value.toFixed(1) : value)),
  schema: { type: ["string", "number"], enum: [...versions, ...versions.map(Number)] },
};

/** One id, or a list of them. */
const skills: Kind<readonly string[]> = {
  ...listOf(text("id", "the id of a skill"), { commas: true }),
  take: (value) => listOf(text("id", "")).take?.([value].flat()),
  schema: {
    anyOf: [
      { type: "string", minLength: 1 },
      { type: "array", minItems: 1, items: { type: "string", minLength: 1 } },
    ],
  },
};

/** "name:value" on the command line; in a program names with values. */
const headers: Kind<readonly string[], Readonly<Record<string, string>>> = {
  placeholder: "name:value",
  wants: "a header as name:value",
  read: (given) => [given],
  take: (value) =>
    isObject(value) && Object.values(value).every((each) => typeof each === "string")
      ? Object.entries(value).map(([name, each]) => `${name}:${each}`)
      : undefined,
  schema: { type: "object", additionalProperties: { type: "string" } },
  item: text("name:value", ""),
  isSecret: true,
};

const sdk: Kind<string> = {
  ...text("name[@version]", `one of ${sdkNames.join(", ")}, with a version where you know it: a2a-python@1.3.0`),
  read: (given) => (sdkNames.includes(sdkNamed(given).name) ? given : undefined),
};

function sdkNamed(given: string): { readonly name: string; readonly version?: string } {
  const [name = "", number] = given.trim().split("@", 2);
  return { name, ...(number && { version: number }) };
}

/** "0.0.0.0:8080", "[::1]:8080", ":8080" or "8080" */
const listenAddress: Kind<{ readonly host: string; readonly port: number }, string> = {
  placeholder: "host:port",
  wants: "host:port, such as 127.0.0.1:8080",
  read(given) {
    const [, name, port] = /^(?:(\[[^\]]+\]|[^:]*):)?(\d{1,5})$/.exec(given.trim()) ?? [];
    if (port === undefined || Number(port) > 65_535) return undefined;
    return { host: name ? name.replace(/^\[|\]$/g, "") : "127.0.0.1", port: Number(port) };
  },
  schema: { type: "string", minLength: 1 },
};

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Named, or with the flag alone whichever was the last. */
const earlierRun: Kind<string | true> = text("[run]", "a run");

/** How an agent is reached, and as whom: the options of every command that talks to one. */
export const connectionOptions = {
  headers: {
    is: headers,
    means: "send this header, with the card request too; its value is masked in all output (repeatable)",
    group: "Credentials",
    flag: "--header",
    library: true,
  },
  bearer: {
    is: secret("secret", "a token, env:NAME or @file"),
    means: "Authorization: Bearer … (env:NAME or @file)",
    group: "Credentials",
    library: true,
  },
  apiKey: {
    is: secret("name=secret", "name=secret, query:name=secret or cookie:name=secret"),
    means:
      "send the header <name> with this key; query:name=… puts it into the address, cookie:name=… into a cookie (env:NAME or @file behind the =)",
    group: "Credentials",
    library: true,
  },
  basic: {
    is: secret("user:secret", "user:secret"),
    means: "Authorization: Basic … (env:NAME or @file behind the colon)",
    group: "Credentials",
    library: true,
  },
  oauthClient: {
    is: secret("id[:secret]", "the id of a client, and :env:NAME or :@file for its secret"),
    means: "log in as this OAuth client, with --token-url (env:NAME or @file behind the colon)",
    default: "the secret from env:ASSAY_OAUTH_SECRET",
    group: "Credentials",
    library: true,
    environment: { ASSAY_OAUTH_SECRET: "the secret of `--oauth-client`, unless it is given" },
  },
  tokenUrl: {
    is: text("url", "a URL"),
    means: "where the OAuth client gets its token; its secret goes there and nowhere else",
    group: "Credentials",
    library: true,
  },
  oauthScope: { is: text("scope", "a scope"), means: "scope to request for the token", group: "Credentials" },
  ca: { is: file, means: "trust this certificate authority as well (PEM)", group: "Target", library: true },
  cert: { is: file, means: "client certificate (PEM), with --key", group: "Credentials", library: true },
  key: { is: file, means: "key of the client certificate (PEM)", group: "Credentials", library: true },
  insecure: { is: onOff, means: "accept any server certificate", group: "Target", library: true },
  allowHosts: {
    is: listOf(host),
    means:
      "contact this host although you did not name it, or although it is private; it gets no credentials (repeatable)",
    group: "Target",
    flag: "--allow-host",
    key: "allowHosts",
    library: true,
  },
  trustHosts: {
    is: listOf(text("host[:port]", "a host, or host:port")),
    means: "contact this host and show it your credentials, besides the address you named (repeatable)",
    group: "Credentials",
    flag: "--trust-host",
    key: "trustHosts",
    library: true,
    run: true,
  },
  contact: {
    is: text("address", "an address"),
    means: "contact address to put in the User-Agent, for those who run the agent",
    group: "Target",
    key: "contact",
    library: true,
  },
  timeout: {
    is: seconds,
    means: "abort a request when nothing arrives for this long",
    default: "60",
    group: "Run control",
    key: "timeouts.idle",
    library: true,
  },
} as const satisfies Record<string, OptionRow>;

/** The options of every command that reads assay.yaml. */
export const configOptions = {
  config: {
    is: file,
    means: "read the settings of the project from this file",
    default: "./assay.yaml or ./a2a-assay.yaml; assay init writes it",
    group: "Target",
    off: "ignore ./assay.yaml",
    library: true,
  },
  allowSecrets: {
    is: listOf(text("reference@host[:port]", "env:NAME@host[:port] or @file@host[:port]")),
    means: "let this secret, env:NAME or @file, go to this host, such as env:TOKEN@agents.example:443 (repeatable)",
    group: "Credentials",
    flag: "--allow-secret",
    library: true,
  },
  untrustedConfig: {
    is: onOff,
    means:
      "for an assay.yaml of someone else: ignore its start command, its secret references, and the hosts it allows and trusts",
    group: "Credentials",
    library: true,
  },
} as const satisfies Record<string, OptionRow>;

/** The options of every command whose exit code says how a test went. */
export const gateOptions = {
  baseline: {
    is: file,
    means: "file of known failures, which do not count",
    group: "Judging",
    key: "baseline",
    library: true,
  },
  baselineUpdate: {
    is: onOff,
    means: "write the failures of this run to the baseline",
    default: "assay-baseline.yaml",
    group: "Judging",
  },
  failOn: {
    is: choice("what", failOnChoices),
    means: "what makes the exit code 1 besides a broken MUST; never: nothing does",
    default: "must",
    group: "Judging",
    key: "failOn",
  },
  requireLevel: {
    is: choice("level", requirableLevels),
    means: "exit with 1 below this level of conformance",
    group: "Judging",
    key: "requireLevel",
  },
  minExamined: {
    is: percent,
    means: "exit with 1 when a smaller share of the rules that apply was examined, in percent",
    group: "Judging",
    key: "minExamined",
  },
} as const satisfies Record<string, OptionRow>;

/** The option of every command that can write reports. */
export const reportOptions = {
  report: {
    is: several("format[=file]", "a format, or format=file"),
    means: "write a report, to a file or to the output (repeatable)",
    group: "Output",
    environment: {
      GITHUB_STEP_SUMMARY: "the file to which `--report github` adds the summary of the job; GitHub's runner sets it",
    },
  },
} as const satisfies Record<string, OptionRow>;

/**
 * Every option of `assay test`, said once. Flags and `--help`, the keys of assay.yaml and their JSON Schema, the types of the
 * library, the form of the page and docs/cli.md are made from this table; every value is checked by its kind.
 */
export const testOptions = {
  card: {
    is: text("url", "a URL"),
    means: "where the card is, when it cannot be found from the address",
    group: "Target",
    key: "card",
    library: true,
  },
  agent: {
    is: listOf(text("name", "the name of an agent"), { commas: true }),
    means: "test only this one of the agents in assay.yaml (repeatable)",
    group: "Target",
  },
  bindings: {
    is: listOf(binding),
    means: "test only this binding: JSONRPC, HTTP+JSON or GRPC (repeatable)",
    group: "Target",
    flag: "--binding",
    key: "bindings",
    library: true,
    page: true,
    run: true,
  },
  dialects: {
    is: listOf(version),
    means: "test only this protocol version: 1.0, 0.3, 0.2 or 0.1 (repeatable)",
    default: "every one that the card declares or the agent answers to",
    group: "Target",
    flag: "--dialect",
    key: "dialects",
    library: true,
    page: true,
    run: true,
  },
  skills: {
    is: skills,
    means:
      "speak to this skill; with several, or with all, try each with its first example: one message more for each (repeatable)",
    group: "Target",
    flag: "--skill",
    key: "skill",
    library: true,
    run: true,
  },
  convention: {
    is: choice("suite", ["tck", "acts"]),
    means: "the agent answers to the messages of this suite",
    group: "Target",
    key: "convention",
    library: true,
    run: true,
  },
  peer: {
    is: text("url", "a URL"),
    means:
      "another agent: after the test both are made to talk to each other where one can relay (up to 12 messages more); fills interop",
    group: "Target",
  },
  webhookUrl: {
    is: webAddress,
    means: "the address at which the agent reaches our webhook, when it is not on this machine",
    group: "Target",
    key: "webhook.url",
    library: true,
  },
  webhookListen: {
    is: listenAddress,
    means: "where our webhook listens",
    default: "a free port of 127.0.0.1",
    group: "Target",
    key: "webhook.listen",
    library: true,
  },
  start: {
    is: text("command", "a command"),
    means: "start the agent with this command, again if it dies, and end it afterwards",
    group: "Target",
    off: "do not run the start command of assay.yaml; its secrets are still used (--untrusted-config refuses both)",
    key: "start",
  },
  ...configOptions,
  depth: {
    is: choice("level", depths),
    means: "how much to test",
    default: "quick; full for the test bed on this machine",
    group: "Depth and cost",
    key: "depth",
    library: true,
    page: true,
    run: true,
  },
  budget: {
    is: count,
    means: "maximum number of messages to send; the report says what was left out",
    default: "set by --depth",
    group: "Depth and cost",
    key: "budget",
    library: true,
    page: true,
    run: true,
  },
  only: {
    is: listOf(text("what", "ids of rules, LIST-*, categories, tags or sections"), { commas: true }),
    means: "only these rules: ids, LIST-*, categories and tags such as security, sections such as §3.1.4 (repeatable)",
    group: "Depth and cost",
    key: "only",
    library: true,
    page: true,
    run: true,
  },
  skip: {
    is: listOf(text("what", "ids of rules, LIST-*, categories, tags or sections"), { commas: true }),
    means: "all but these rules (repeatable)",
    group: "Depth and cost",
    key: "skip",
    library: true,
    run: true,
  },
  failed: {
    is: onOff,
    means: "only what failed in the last run of this agent, and what it held up",
    group: "Depth and cost",
  },
  useExamples: {
    is: onOff,
    means: "the examples of the card's skills may be sent as messages",
    group: "Depth and cost",
    key: "useExamples",
    library: true,
    run: true,
  },
  rude: {
    is: onOff,
    means: "allow what could hurt: huge, deep or endless input, floods, references to third-party addresses",
    group: "Depth and cost",
    library: true,
    run: true,
  },
  principal: {
    is: choice("name", ["default", "second", "restricted"]),
    means: "test as this principal of assay.yaml",
    default: "default",
    group: "Credentials",
  },
  ...connectionOptions,
  strict: {
    is: onOff,
    means: "where the specification is unclear, take the stricter reading",
    group: "Judging",
    key: "strict",
    library: true,
    run: true,
  },
  ruleSet: {
    is: choice("set", ruleSets),
    means: "judge by the rules of this published text",
    default: "the newest",
    group: "Judging",
    flag: "--spec",
    key: "spec",
    library: true,
    run: true,
  },
  production: {
    is: onOff,
    means: "require TLS and other rules of a production deployment",
    group: "Judging",
    key: "production",
    library: true,
    run: true,
  },
  sdk: {
    is: sdk,
    means: "the SDK of the agent, such as a2a-python@1.3.0: failures that are known faults of it are marked",
    default: "recognised by its answers",
    group: "Judging",
    key: "sdk",
    library: true,
    run: sdkNamed,
  },
  ignoreKnownSdk: {
    is: onOff,
    means: "accept known faults of the SDK as a baseline would",
    group: "Judging",
    key: "ignoreKnownSdk",
    library: true,
    run: true,
  },
  procedure: {
    is: onOff,
    means:
      "follow the interoperability procedure of docs/procedure.md step by step, every skill included; its results are not A2A conformance results",
    group: "Judging",
    run: true,
  },
  ...gateOptions,
  ...reportOptions,
  json: { is: onOff, means: "print the report as JSON, and nothing else", group: "Output" },
  redact: {
    is: onOff,
    means:
      "leave the content of conversations (texts, data, files, artifacts, words of errors) out of the recording and every report; ids, states and sizes stay",
    group: "Output",
    run: true,
  },
  record: { is: onOff, means: "write nothing below .assay/runs", group: "Output", flag: "--no-record" },
  keep: { is: atLeastOne, means: "number of runs to keep below .assay/runs", default: "20", group: "Output" },
  history: {
    is: secret("address", "sqlite:<file> or postgres://…, env:NAME or @file"),
    means: "add the run to this history, too: sqlite:<file> or postgres://…, env:NAME or @file; assay runs reads it",
    group: "Output",
  },
  list: { is: onOff, means: "show the checks that would be made, and stop", group: "Output" },
  dryRun: {
    is: onOff,
    means:
      "show the texts and requests that would be sent, and how many messages at each depth, and stop: only the card is fetched",
    group: "Output",
  },
  taskTimeout: {
    is: seconds,
    means: "how long the agent may take for one message or task",
    default: "60",
    group: "Run control",
    key: "timeouts.task",
    library: true,
    run: inMs,
  },
  maxTime: {
    is: seconds,
    means: "end the run after this long; what is left then is not examined",
    default: "never",
    group: "Run control",
    key: "timeouts.run",
    library: true,
    run: inMs,
  },
  grace: {
    is: seconds,
    means: "how long to wait before saying that something did not happen",
    default: "15 or 30, by the agent's own pace",
    group: "Run control",
    key: "timeouts.grace",
    library: true,
    run: inMs,
  },
  concurrency: {
    is: atLeastOne,
    means: "maximum number of calls, and of messages, at a time",
    default: "4 calls, and 2 to 8 messages as the agent keeps up",
    group: "Run control",
    key: "concurrency",
    library: true,
    run: true,
  },
  rate: {
    is: perSecond,
    means: "maximum number of requests a second",
    default: "no limit",
    group: "Run control",
    key: "rate",
    library: true,
    run: true,
  },
  resume: {
    is: earlierRun,
    means:
      "continue a run that was cut off or interrupted, with the same options: what it finished is kept, the rest examined; give secrets again",
    default: "the last one of this agent",
    group: "Run control",
  },
  repeat: {
    is: atLeastOne,
    means: "test this many times, and name the verdicts that differ",
    default: "once",
    group: "Run control",
  },
  watch: { is: onOff, means: "test again whenever the agent changes, and say what changed", group: "Run control" },
} as const satisfies Record<string, OptionRow>;
