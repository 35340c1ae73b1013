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
  numeric,
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

/** One option of `assay test`, with its meaning in every place that accepts it. */
export interface OptionRow {
  readonly is: Kind<unknown>;
  /** the help text, without its default */
  readonly means: string;
  /** the default, in words */
  readonly default?: string;
  readonly group: (typeof optionGroups)[number];
  /** the flag, if it differs from the name: "--binding" */
  readonly flag?: `--${string}`;
  /** the help text of `--no-…`, which overrides the option of the file */
  readonly off?: string;
  /** the key in assay.yaml, if it is allowed there; a dot for a nested key */
  readonly key?: string;
  /** `--help` shows it; `--help-all` shows the others, too */
  readonly common?: true;
  /** programs may set it */
  readonly library?: true;
  /** the page of `assay ui` may set it */
  readonly page?: true;
  /** the suite gets it under its name: unchanged, or converted by this function */
  readonly run?: true | ((value: never) => unknown);
  /** environment variables it reads, with their meaning */
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

/** "name:value" on the command line; an object in a program. */
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

/** A run by its name; the flag alone means the last run. */
const earlierRun: Kind<string | true> = text("[run]", "a run");

/** The options of every command that connects to an agent: addresses and credentials. */
export const connectionOptions = {
  headers: {
    is: headers,
    means: "send this header, also with the card request; its value is masked in all output (repeatable)",
    group: "Credentials",
    flag: "--header",
    common: true,
    library: true,
  },
  bearer: {
    is: secret("secret", "a token, env:NAME or @file"),
    means: "send Authorization: Bearer with this token; use env:NAME or @file",
    group: "Credentials",
    common: true,
    library: true,
  },
  apiKey: {
    is: secret("name=secret", "name=secret, query:name=secret or cookie:name=secret"),
    means:
      "send this API key in the header <name>; query:name=… sends it in the URL, cookie:name=… in a cookie; use env:NAME or @file after the =",
    group: "Credentials",
    library: true,
  },
  basic: {
    is: secret("user:secret", "user:secret"),
    means: "send Authorization: Basic; use env:NAME or @file after the colon",
    group: "Credentials",
    library: true,
  },
  oauthClient: {
    is: secret("id[:secret]", "the id of a client, and :env:NAME or :@file for its secret"),
    means: "log in as this OAuth client; requires --token-url; use env:NAME or @file after the colon",
    default: "secret from env:ASSAY_OAUTH_SECRET",
    group: "Credentials",
    library: true,
    environment: { ASSAY_OAUTH_SECRET: "secret of `--oauth-client`, if the flag does not contain it" },
  },
  tokenUrl: {
    is: text("url", "a URL"),
    means: "token endpoint of the OAuth client; Assay sends the client secret only there",
    group: "Credentials",
    library: true,
  },
  oauthScope: { is: text("scope", "a scope"), means: "scope to request for the token", group: "Credentials" },
  ca: { is: file, means: "trust this certificate authority, too (PEM)", group: "Target", library: true },
  cert: { is: file, means: "client certificate (PEM); requires --key", group: "Credentials", library: true },
  key: { is: file, means: "key of the client certificate (PEM)", group: "Credentials", library: true },
  insecure: { is: onOff, means: "accept any server certificate", group: "Target", library: true },
  allowHosts: {
    is: listOf(host),
    means:
      "allow requests to this host although you did not name it or it is private; it gets no credentials (repeatable)",
    group: "Target",
    flag: "--allow-host",
    key: "allowHosts",
    library: true,
  },
  trustHosts: {
    is: listOf(text("host[:port]", "a host, or host:port")),
    means: "allow requests with your credentials to this host, besides the address you named (repeatable)",
    group: "Credentials",
    flag: "--trust-host",
    key: "trustHosts",
    library: true,
    run: true,
  },
  contact: {
    is: text("address", "an address"),
    means: "your contact address for the User-Agent header, for the operators of the agent",
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
    means: "read the project settings from this file; assay init writes it",
    default: "./assay.yaml or ./a2a-assay.yaml",
    group: "Target",
    common: true,
    off: "ignore ./assay.yaml",
    library: true,
  },
  allowSecrets: {
    is: listOf(text("reference@host[:port]", "env:NAME@host[:port] or @file@host[:port]")),
    means:
      "allow sending this secret (env:NAME or @file) to this host, such as env:TOKEN@agents.example:443 (repeatable)",
    group: "Credentials",
    flag: "--allow-secret",
    library: true,
  },
  untrustedConfig: {
    is: onOff,
    means:
      "do not trust assay.yaml: ignore its start command, its secret references, and the hosts it allows or trusts",
    group: "Credentials",
    library: true,
  },
} as const satisfies Record<string, OptionRow>;

/** The options of every command whose exit code depends on the result of a test. */
export const gateOptions = {
  baseline: {
    is: file,
    means: "file of known failures, which do not count",
    group: "Judging",
    common: true,
    key: "baseline",
    library: true,
  },
  baselineUpdate: {
    is: onOff,
    means: "write the failures of this run to the baseline file",
    default: "assay-baseline.yaml",
    group: "Judging",
  },
  failOn: {
    is: choice("what", failOnChoices),
    means:
      "exit with 1 on a broken MUST (must), a SHOULD too (should), unexamined rules too (not-examined), failures that earlier runs did not have (new), or never",
    default: "must",
    group: "Judging",
    common: true,
    key: "failOn",
  },
  requireLevel: {
    is: choice("level", requirableLevels),
    means: "exit with 1 below this conformance level",
    group: "Judging",
    key: "requireLevel",
  },
  minExamined: {
    is: percent,
    means: "exit with 1 if Assay examined a smaller share of the rules that apply",
    group: "Judging",
    key: "minExamined",
  },
} as const satisfies Record<string, OptionRow>;

/** The option of every command that can write reports. */
export const reportOptions = {
  report: {
    is: several("format[=file]", "a format, or format=file"),
    means: "write a report, to a file or to stdout (repeatable)",
    group: "Output",
    common: true,
    environment: {
      GITHUB_STEP_SUMMARY: "file to which `--report github` appends the job summary; GitHub's runner sets it",
    },
  },
} as const satisfies Record<string, OptionRow>;

/**
 * Every option of `assay test`. Flags and `--help`, the keys of assay.yaml and their JSON Schema, the types of the
 * library, the form of the page and docs/cli.md are generated from this table. The kind of an option validates its
 * values.
 */
export const testOptions = {
  card: {
    is: text("url", "a URL"),
    means: "URL of the card, if Assay cannot find it from the address",
    group: "Target",
    key: "card",
    library: true,
  },
  agent: {
    is: listOf(text("name", "the name of an agent"), { commas: true }),
    means: "test only this agent of assay.yaml (repeatable)",
    group: "Target",
  },
  bindings: {
    is: listOf(binding),
    means: "test only this binding: JSONRPC, HTTP+JSON or GRPC (repeatable)",
    group: "Target",
    common: true,
    flag: "--binding",
    key: "bindings",
    library: true,
    page: true,
    run: true,
  },
  dialects: {
    is: listOf(version),
    means: "test only this protocol version: 1.0, 0.3, 0.2 or 0.1 (repeatable)",
    default: "all versions that the card declares or the agent answers",
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
      "test this skill; with several or all, Assay also sends each its first example, which costs one message per skill (repeatable)",
    group: "Target",
    flag: "--skill",
    key: "skill",
    library: true,
    run: true,
  },
  convention: {
    is: choice("suite", ["tck", "acts"]),
    means: "the agent understands the messages of this test suite",
    group: "Target",
    key: "convention",
    library: true,
    run: true,
  },
  peer: {
    is: text("url", "a URL"),
    means:
      "second agent: after the test, the two agents talk to each other if one can relay (up to 12 more messages); fills the interop section",
    group: "Target",
  },
  webhookUrl: {
    is: webAddress,
    means: "address of Assay's webhook for the agent, if the agent runs on another machine",
    group: "Target",
    key: "webhook.url",
    library: true,
  },
  webhookListen: {
    is: listenAddress,
    means: "address on which Assay's webhook listens",
    default: "a free port on 127.0.0.1",
    group: "Target",
    key: "webhook.listen",
    library: true,
  },
  start: {
    is: text("command", "a command"),
    means: "start the agent with this command, restart it if it crashes, and stop it at the end",
    group: "Target",
    common: true,
    off: "ignore the start command of assay.yaml; its secrets are still used (--untrusted-config ignores both)",
    key: "start",
  },
  ...configOptions,
  depth: {
    is: choice("level", depths),
    means: "how much to test",
    default: "quick; full for the test bed on this machine",
    group: "Depth and cost",
    common: true,
    key: "depth",
    library: true,
    page: true,
    run: true,
  },
  budget: {
    is: count,
    means: "maximum number of messages to send; the report lists what was skipped",
    default: "set by --depth",
    group: "Depth and cost",
    common: true,
    key: "budget",
    library: true,
    page: true,
    run: true,
  },
  only: {
    is: listOf(text("what", "ids of rules, LIST-*, categories, tags or sections"), { commas: true }),
    means:
      "check only these rules: ids, LIST-*, categories or tags such as security, sections such as §3.1.4 (repeatable)",
    group: "Depth and cost",
    common: true,
    key: "only",
    library: true,
    page: true,
    run: true,
  },
  skip: {
    is: listOf(text("what", "ids of rules, LIST-*, categories, tags or sections"), { commas: true }),
    means: "check all rules except these (repeatable)",
    group: "Depth and cost",
    common: true,
    key: "skip",
    library: true,
    run: true,
  },
  failed: {
    is: onOff,
    means: "check only the rules that failed in the last run of this agent, and those they blocked",
    group: "Depth and cost",
  },
  since: {
    is: text("run", "a run"),
    means: "run or JSON report that --fail-on new compares with",
    default: "the earlier runs of this agent",
    group: "Judging",
  },
  useExamples: {
    is: onOff,
    means: "allow sending the examples of the card's skills as messages",
    group: "Depth and cost",
    key: "useExamples",
    library: true,
    run: true,
  },
  rude: {
    is: onOff,
    means: "allow harmful requests: huge, deeply nested or endless input, floods, references to third-party addresses",
    group: "Depth and cost",
    library: true,
    run: true,
  },
  faults: {
    is: onOff,
    means:
      "also cause faults and give advice: clients that disconnect, webhooks that fail or are slow, repeated messages (up to 14 more messages)",
    group: "Depth and cost",
    key: "faults",
    library: true,
    page: true,
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
    means: "use the stricter reading where the specification is unclear",
    group: "Judging",
    key: "strict",
    library: true,
    run: true,
  },
  ruleSet: {
    is: choice("set", ruleSets),
    means: "rules of this version of the specification",
    default: "the newest release, or the draft that the card declares",
    group: "Judging",
    flag: "--spec",
    key: "spec",
    library: true,
    run: true,
  },
  equivalent: {
    is: onOff,
    means:
      "also compare the versions: a task made in one must be the same in the other; exit with 1 if they differ, 2 if nothing can be compared",
    group: "Judging",
    key: "equivalent",
    library: true,
    run: true,
  },
  production: {
    is: onOff,
    means: "require TLS and other production rules",
    group: "Judging",
    key: "production",
    library: true,
    run: true,
  },
  sdk: {
    is: sdk,
    means: "SDK of the agent, such as a2a-python@1.3.0; Assay marks failures that are known bugs of it",
    default: "detected from its responses",
    group: "Judging",
    key: "sdk",
    library: true,
    run: sdkNamed,
  },
  ignoreKnownSdk: {
    is: onOff,
    means: "accept known bugs of the SDK, like a baseline",
    group: "Judging",
    key: "ignoreKnownSdk",
    library: true,
    run: true,
  },
  procedure: {
    is: onOff,
    means:
      "follow the interoperability procedure of docs/procedure.md, with every skill; its results are not A2A conformance results",
    group: "Judging",
    run: true,
  },
  ...gateOptions,
  ...reportOptions,
  json: { is: onOff, means: "print only the report, as JSON", group: "Output", common: true },
  redact: {
    is: onOff,
    means:
      "remove the content of conversations (texts, data, files, artifacts, error messages) from the recording and all reports; ids, states and sizes stay",
    group: "Output",
    run: true,
  },
  record: { is: onOff, means: "do not save the run in .assay/runs", group: "Output", flag: "--no-record" },
  keep: { is: atLeastOne, means: "number of runs to keep in .assay/runs", default: "20", group: "Output" },
  history: {
    is: secret("address", "sqlite:<file> or postgres://…, env:NAME or @file"),
    means: "also add the run to this history, which assay runs reads: sqlite:<file> or postgres://…, env:NAME or @file",
    group: "Output",
  },
  list: { is: onOff, means: "list the checks that would run, and stop", group: "Output" },
  dryRun: {
    is: onOff,
    means:
      "show the texts and requests that Assay would send and the number of messages at each depth, and stop; Assay fetches only the card",
    group: "Depth and cost",
    common: true,
  },
  taskTimeout: {
    is: seconds,
    means: "time limit of the agent for one message or task",
    default: "60",
    group: "Run control",
    key: "timeouts.task",
    library: true,
    run: inMs,
  },
  maxTime: {
    is: seconds,
    means: "end the run after this long; the remaining rules are not examined",
    default: "no limit",
    group: "Run control",
    key: "timeouts.run",
    library: true,
    run: inMs,
  },
  grace: {
    is: seconds,
    means: "how long to wait before Assay reports that something did not happen",
    default: "15 or 30, depending on the agent's speed",
    group: "Run control",
    key: "timeouts.grace",
    library: true,
    run: inMs,
  },
  shutdownTimeout: {
    is: numeric("seconds", "a number of seconds above 0 and at most 86400", { above: 0, to: 86_400 }),
    means: "after SIGTERM or Ctrl-C: time to cancel tasks and write reports before Assay exits",
    default: "5",
    group: "Run control",
    run: inMs,
  },
  concurrency: {
    is: atLeastOne,
    means: "maximum number of concurrent calls, and of concurrent messages",
    default: "4 calls; 2 to 8 messages, depending on the agent",
    group: "Run control",
    key: "concurrency",
    library: true,
    run: true,
  },
  rate: {
    is: perSecond,
    means: "maximum number of requests per second",
    default: "no limit",
    group: "Run control",
    key: "rate",
    library: true,
    run: true,
  },
  resume: {
    is: earlierRun,
    means: "continue an interrupted run with the same options; finished checks are kept; pass secrets again",
    default: "the last run of this agent",
    group: "Run control",
  },
  repeat: {
    is: atLeastOne,
    means: "repeat the test this many times, and list the verdicts that differ",
    default: "1",
    group: "Run control",
  },
  watch: {
    is: onOff,
    means: "test again whenever the agent changes, and show what changed",
    group: "Run control",
    common: true,
  },
} as const satisfies Record<string, OptionRow>;
