import { jsonText } from "@assay/protocol/escape";
import { type Expectations, hasKeywordSkills, type PromptKind, promptKinds } from "@assay/suite";
import type { LearnedPrompt } from "@assay/suite/report";
import { plural } from "../phrases.ts";

/** What is known about an agent when its settings are written for the first time. */
export interface AgentSketch {
  readonly url: string;
  readonly name: string;
  readonly version: string;
  readonly skills: readonly { readonly id: string; readonly name: string; readonly examples: readonly string[] }[];
  /** what may stand in `principals.default`, such as `bearer: env:AGENT_TOKEN`; a line of it each, or several */
  readonly logins: readonly string[];
  /** nothing goes without a login */
  readonly needsLogin: boolean;
  /** hosts that the card names besides the agent's own */
  readonly otherHosts: readonly string[];
  readonly hasPush: boolean;
  /** by the input modes of its card and its skills */
  readonly readsText: boolean;
  /** what messages brought about that were tried */
  readonly learned: readonly LearnedPrompt[];
}

const behaviours: Record<PromptKind, string> = {
  task: "is answered with a task that ends by itself",
  message: "is answered with a message, and no task",
  stream: "is streamed: a task with an artifact, in chunks where the agent can",
  slow: "keeps the agent at work for some seconds, so that it can be cancelled",
  inputRequired: "makes the agent ask back",
  followUp: "answers what the agent asked back",
  authRequired: "makes the agent ask for a login",
  failure: "ends in a task that failed",
  rejected: "is rejected",
  file: "ends in a task with a file",
  fileUrl: "ends in a task with the address of a file",
  data: "ends in a task with structured data",
};

/** What may bring it about, where nothing did. */
const suggestions: Record<PromptKind, string> = {
  task: "something that takes work, such as a report",
  message: "small talk, such as a greeting",
  stream: "the same as task will do",
  slow: "something that takes several seconds, such as a long text or a search",
  inputRequired: "a request that lacks what it needs, such as a booking without a day",
  followUp: "what was left out of inputRequired",
  authRequired: "something that needs the user's account elsewhere",
  failure: "a request for what cannot be done",
  rejected: "a request that the agent must not serve",
  file: "a request for a picture or a document",
  fileUrl: "a request for a link to a picture or a document",
  data: "a request for a table, or for JSON",
};

/** Kinds for which any example of a skill may do. */
const ordinary: readonly PromptKind[] = ["task", "stream"];

/** By which editors know what may stand in the file; it is in the package too, as `schemas/assay-yaml.json`. */
const schemaUrl = "node_modules/a2a-assay/schemas/assay-yaml.json";

/** An assay.yaml to be read and finished by a person: what is sure is set, what is guessed is a comment. */
export function templateFor(agent: AgentSketch): string {
  return `${[
    `# yaml-language-server: $schema=${schemaUrl}`,
    `# Settings of \`assay test\` for ${comment(`${agent.name} ${agent.version}`.trim())}, written by \`assay init\` for you to review.`,
    "# Flags of the command line win over them; every line may be left out.",
    "",
    `url: ${quoted(agent.url)}`,
    "",
    "# The command that starts it, when the test is to do so; the agent is ended afterwards.",
    "# start: npm run agent",
    "",
    "# How much is asked of the agent: card, free (0 messages), quick (at most 8 messages) or full.",
    "depth: quick",
    "",
    ...promptLines(agent),
    "",
    ...expectationLines,
    "",
    ...skillLines(agent),
    ...principalLines(agent),
    "",
    ...(agent.hasPush
      ? [
          "# Where the agent reaches our webhook, when it does not run on this machine.",
          "# webhook: { url: https://tunnel.example.com/hook, listen: 127.0.0.1:8080 }",
          "",
        ]
      : []),
    ...hostLines(agent),
    "# In seconds: idle (nothing heard), task (until a task ends), grace (before something is missed), start.",
    "# timeouts: { idle: 60, task: 60 }",
    "",
    "# A production deployment: TLS and what belongs to it are expected.",
    "# production: true",
    "",
    "# Failures that are known and lived with for now: assay test --baseline-update writes the file.",
    "# baseline: assay-baseline.yaml",
    "",
    "# What makes the exit code 1 besides a broken rule.",
    "# failOn: should            # or not-examined, never",
    "# requireLevel: partial     # or full, minimal",
    "# minExamined: 60           # percent of the rules that apply",
    "",
    "# Rules to leave out: ids, LIST-*, categories and tags such as push-notifications, sections such as §3.1.4.",
    "# skip: [CACHE-*]",
  ].join("\n")}\n`;
}

function promptLines({ skills, readsText, learned }: AgentSketch): string[] {
  const examples = skills.flatMap(({ id, examples: texts }) => texts.slice(0, 1).map((text) => ({ id, text })));
  const lines = promptKinds.flatMap((kind) => {
    // Of several the quickest is the cheapest to wait for.
    const [shown] = learned.filter(({ shows }) => shows.includes(kind)).toSorted((one, two) => one.tookMs - two.tookMs);
    if (shown) return [`  # ${behaviours[kind]}`, `  ${kind}: ${promptOf(shown)}   # ${outcomeOf(shown)}`];
    const example = ordinary.includes(kind) ? examples[0] : undefined;
    const from = example ? `the first example of the skill ${comment(example.id)}` : suggestions[kind];
    return [`  # ${behaviours[kind]}`, `  # ${kind}: ${example ? quoted(example.text) : '"…"'}   # ${from}`];
  });
  if (hasKeywordSkills({ skills }))
    return ["# prompts: the skills are those of agentbin and the Assay test bed, so it is known what to say to them."];
  return [
    "# What to say to bring a behaviour about. Without these lines a harmless message is sent, and rules about",
    "# behaviours that it does not bring about are not examined. Choose messages that are cheap and do no harm.",
    ...(readsText
      ? []
      : ["# The card says that the agent reads no text: a message that is only text is sent as data."]),
    "# Instead of a text, a message may be given part by part, each with text, data, raw (base64) or url:",
    '#   task: { parts: [{ data: { city: "Oslo" } }, { url: "https://…/map.png", mediaType: image/png }] }',
    "prompts:",
    ...lines,
  ];
}

/** A text as such, everything else part by part; JSON is YAML. */
function promptOf({ parts }: LearnedPrompt): string {
  const [first, ...more] = parts;
  return first?.text !== undefined && !more.length ? quoted(first.text) : jsonText({ parts });
}

/** What it brought about when it was tried: "a task: completed after 3.1 s, 1 artifact". */
function outcomeOf({ answer, state, tookMs, artifacts = 0 }: LearnedPrompt): string {
  const seconds = `${(tookMs / 1_000).toFixed(1)} s`;
  if (answer !== "task") return `brought about a message after ${seconds}`;
  const ended = state === undefined ? "" : `: ${comment(state.replace(/^TASK_STATE_/, "").toLowerCase())}`;
  return `brought about a task${ended} after ${seconds}${artifacts ? `, with ${plural(artifacts, "artifact")}` : ""}`;
}

/** What only those can know who run the agent; the name, what it is for, and an example. */
const expectations: readonly (readonly [name: keyof Expectations, means: string, example: string])[] = [
  ["recall", "asked after prompts.task in the same context, and a word of the answer", '{ ask: "…", expect: "…" }'],
  ["refinement", "asks for another version of what prompts.task made", '"…"'],
  ["ambiguous", "the same, where it is unclear which of several results of prompts.task is meant", '"…"'],
  ["approvals", "how the approval is given that prompts.authRequired makes the agent ask for", '"…"'],
  ["privilegedSkills", "skills of the extended card that principals.restricted must not see", "[admin]"],
  ["forbiddenOperations", "operations that principals.restricted has no permission for", "[CancelTask]"],
  ["protectedMethods", "JSON-RPC methods of extensions that need a login", "[vendor/method]"],
  ["otherCards", "cards of other agents on the same host", '["https://…/.well-known/agent-card.json"]'],
  ["silentBindings", "bindings of its own that cannot stream", '["https://…"]'],
];

const expectationLines: readonly string[] = [
  "# What only you can know about the agent: each of these lines lets a rule be examined that is not otherwise.",
  "expectations:",
  ...expectations.flatMap(([name, means, example]) => [`  # ${means}`, `  # ${name}: ${example}`]),
];

const skillLines = ({ skills }: AgentSketch): string[] =>
  skills.length < 2
    ? []
    : [
        "# The skill to speak to.",
        ...skills.slice(0, 10).map(({ id, name }) => `# skill: ${quoted(id)}   # ${comment(name)}`),
        "",
      ];

function principalLines({ logins, needsLogin }: AgentSketch): string[] {
  const own = logins.length ? logins : ["bearer: env:AGENT_TOKEN"];
  const off = needsLogin ? "" : "# ";
  const lines = (name: string, login: string): string[] =>
    login
      .split("\n")
      .map((line) => `  #   ${line.replace("env:AGENT", `env:${name.toUpperCase()}`).replace("agent.", `${name}.`)}`);
  return [
    "# Who tests. Secrets stay outside: env:NAME or @file. `second` must not see the tasks of `default`, `restricted`",
    "# may do less; rules about keeping people apart are examined only with them.",
    "principals:",
    `  ${off}default:`,
    ...own.flatMap((login, index) =>
      login.split("\n").map((line) => (needsLogin ? `    ${index ? "# " : ""}${line}` : `  #   ${line}`)),
    ),
    "  # second:",
    ...lines("second", own[0]!),
    "  # restricted:",
    ...lines("restricted", own[0]!),
    "  # What the agent must refuse, by what is wrong with it: a token that has expired, one for another audience.",
    "  # invalid:",
    "  #   expired: { bearer: env:EXPIRED_TOKEN }",
  ];
}

const hostLines = ({ otherHosts }: AgentSketch): string[] =>
  otherHosts.length
    ? [
        "# Hosts that the card names besides the agent's own. They get no credentials; private ones are not contacted",
        "# unless they are listed here.",
        `# allowHosts: [${otherHosts.map(quoted).join(", ")}]`,
        "# trustHosts: []   # hosts, or host:port, that may see your credentials all the same",
        "",
      ]
    : [];

/** A string for YAML: JSON's quotes, with everything escaped that an editor might hide. */
const quoted = (text: string): string => jsonText(text.slice(0, 300));

/** The card's words inside a comment: on one line, whatever they are. */
const comment = (text: string): string => quoted(text).slice(1, -1);
