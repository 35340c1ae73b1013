import { jsonText } from "@assay/protocol/escape";
import { type Expectations, hasKeywordSkills, isSurelySlow, type PromptKind, promptKinds } from "@assay/suite";
import type { LearnedPrompt } from "@assay/suite/report";
import { plural } from "../phrases.ts";

/** The facts about an agent from which `assay init` writes its settings. */
export interface AgentSketch {
  readonly url: string;
  readonly name: string;
  readonly version: string;
  readonly skills: readonly { readonly id: string; readonly name: string; readonly examples: readonly string[] }[];
  /** lines for `principals.default`, such as `bearer: env:AGENT_TOKEN`; an entry may have several lines */
  readonly logins: readonly string[];
  /** the agent accepts no request without a login */
  readonly needsLogin: boolean;
  /** hosts that the card names besides the agent's own */
  readonly otherHosts: readonly string[];
  readonly hasPush: boolean;
  /** true if the input modes of the card and its skills include text */
  readonly readsText: boolean;
  /** the effect of each message that was tried */
  readonly learned: readonly LearnedPrompt[];
}

const behaviours: Record<PromptKind, string> = {
  task: "the agent answers with a task that ends by itself",
  message: "the agent answers with a message, without a task",
  stream: "the agent streams a task with an artifact, in chunks if it can",
  slow: "the agent works for some seconds, so that Assay can cancel the task",
  inputRequired: "the agent asks for more input",
  followUp: "the reply to that question",
  authRequired: "the agent asks for authorisation",
  failure: "the task fails",
  rejected: "is rejected",
  file: "the task ends with a file",
  fileUrl: "the task ends with the URL of a file",
  data: "the task ends with structured data",
};

/** Suggestions for behaviours that no message triggered. */
const suggestions: Record<PromptKind, string> = {
  task: "something that takes work, such as a report",
  message: "small talk, such as a greeting",
  stream: "the same text as for task",
  slow: "something that takes several seconds, such as a long text or a search",
  inputRequired: "an incomplete request, such as a booking without a day",
  followUp: "the missing part of inputRequired",
  authRequired: "something that needs the user's account elsewhere",
  failure: "an impossible request",
  rejected: "a request that the agent must refuse",
  file: "a request for a picture or a document",
  fileUrl: "a request for a link to a picture or a document",
  data: "a request for a table, or for JSON",
};

/** Kinds of messages for which any example of a skill may work. */
const ordinary: readonly PromptKind[] = ["task", "stream"];

/** The schema by which editors check the file. The package contains it as `schemas/assay-yaml.json`. */
const schemaUrl = "node_modules/a2a-assay/schemas/assay-yaml.json";

/** Returns an assay.yaml for the user to review and complete. Certain settings are active, guesses are comments. */
export function templateFor(agent: AgentSketch): string {
  return `${[
    `# yaml-language-server: $schema=${schemaUrl}`,
    `# Settings of \`assay test\` for ${comment(`${agent.name} ${agent.version}`.trim())}, written by \`assay init\` for you to review.`,
    "# Command-line flags win over this file. Every line is optional.",
    "",
    `url: ${quoted(agent.url)}`,
    "",
    "# Command to start the agent. Assay stops the agent after the test.",
    "# start: npm run agent",
    "",
    "# How much to test: card, free (0 messages), quick (at most 8 messages) or full.",
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
          "# Address of Assay's webhook as the agent reaches it, if the agent runs on another machine.",
          "# webhook: { url: https://tunnel.example.com/hook, listen: 127.0.0.1:8080 }",
          "",
        ]
      : []),
    ...hostLines(agent),
    "# Timeouts in seconds: idle (nothing arrives), task (until a task ends), grace (before Assay reports that\n# something did not happen), start.",
    "# timeouts: { idle: 60, task: 60 }",
    "",
    "# Require TLS and other production rules.",
    "# production: true",
    "",
    "# Known failures, which do not count: assay test --baseline-update writes the file.",
    "# baseline: assay-baseline.yaml",
    "",
    "# Exit with 1 not only on a broken rule.",
    "# failOn: should            # or not-examined, new, never",
    "# requireLevel: partial     # or full, minimal",
    "# minExamined: 60           # percent of the rules that apply",
    "",
    "# Rules to skip: ids, LIST-*, categories and tags such as push-notifications, sections such as §3.1.4.",
    "# skip: [CACHE-*]",
  ].join("\n")}\n`;
}

function promptLines({ skills, readsText, learned }: AgentSketch): string[] {
  const examples = skills.flatMap(({ id, examples: texts }) => texts.slice(0, 1).map((text) => ({ id, text })));
  const slowest = Math.max(0, ...learned.map(({ tookMs }) => tookMs));
  const lines = promptKinds.flatMap((kind) => {
    // The quickest message is the cheapest to wait for.
    const [shown] = learned
      .filter((prompt) => (kind === "slow" ? isSurelySlow(prompt) : prompt.shows.includes(kind)))
      .toSorted((one, two) => one.tookMs - two.tookMs);
    if (shown) return [`  # ${behaviours[kind]}`, `  ${kind}: ${promptOf(shown)}   # ${outcomeOf(shown)}`];
    const example = ordinary.includes(kind) ? examples[0] : undefined;
    const from = example
      ? `the first example of the skill ${comment(example.id)}`
      : `${suggestions[kind]}${kind === "slow" && slowest > 0 ? `; the slowest message took ${secondsText(slowest)}` : ""}`;
    return [`  # ${behaviours[kind]}`, `  # ${kind}: ${example ? quoted(example.text) : '"…"'}   # ${from}`];
  });
  if (hasKeywordSkills({ skills }))
    return ["# prompts: not needed. The skills are those of agentbin and the Assay test bed, which Assay knows."];
  return [
    "# Prompts that trigger a behaviour. Without these lines Assay sends a harmless message, and does not examine",
    "# rules about behaviours that the message does not trigger. Choose cheap and harmless messages.",
    ...(readsText
      ? []
      : ["# The card says that the agent accepts no text, so Assay sends a text-only message as data."]),
    "# Instead of a text, write a message as parts, each with text, data, raw (base64) or url:",
    '#   task: { parts: [{ data: { city: "Oslo" } }, { url: "https://…/map.png", mediaType: image/png }] }',
    "prompts:",
    ...lines,
  ];
}

/** Returns a message as YAML: a text as such, anything else part by part as JSON, which is valid YAML. */
function promptOf({ parts }: LearnedPrompt): string {
  const [first, ...more] = parts;
  return first?.text !== undefined && !more.length ? quoted(first.text) : jsonText({ parts });
}

/** Describes the effect of a message: "triggered a task: completed after 3.1 s, with 1 artifact". */
function outcomeOf({ answer, state, tookMs, artifacts = 0 }: LearnedPrompt): string {
  const seconds = secondsText(tookMs);
  if (answer !== "task") return `triggered a message after ${seconds}`;
  const ended = state === undefined ? "" : `: ${comment(state.replace(/^TASK_STATE_/, "").toLowerCase())}`;
  return `triggered a task${ended} after ${seconds}${artifacts ? `, with ${plural(artifacts, "artifact")}` : ""}`;
}

const secondsText = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Facts that only the operator knows: the name, its purpose and an example. */
const expectations: readonly (readonly [name: keyof Expectations, means: string, example: string])[] = [
  [
    "recall",
    "a question after prompts.task in the same context, and a word of the expected answer",
    '{ ask: "…", expect: "…" }',
  ],
  ["refinement", "asks for another version of the result of prompts.task", '"…"'],
  ["ambiguous", "the same, but unclear which of several results of prompts.task is meant", '"…"'],
  ["approvals", "how to give the approval that prompts.authRequired asks for", '"…"'],
  ["privilegedSkills", "skills of the extended card that principals.restricted must not see", "[admin]"],
  ["forbiddenOperations", "operations that principals.restricted must not call", "[CancelTask]"],
  ["protectedMethods", "JSON-RPC methods of extensions that require credentials", "[vendor/method]"],
  ["otherCards", "cards of other agents on the same host", '["https://…/.well-known/agent-card.json"]'],
  ["silentBindings", "custom bindings that cannot stream", '["https://…"]'],
];

const expectationLines: readonly string[] = [
  "# Facts that only you know about the agent. Each line lets Assay examine another rule.",
  "expectations:",
  ...expectations.flatMap(([name, means, example]) => [`  # ${means}`, `  # ${name}: ${example}`]),
];

const skillLines = ({ skills }: AgentSketch): string[] =>
  skills.length < 2
    ? []
    : [
        "# The skill to test.",
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
    "# Credentials. Refer to secrets: env:NAME or @file. `second` must not see the tasks of `default`, `restricted`",
    "# has fewer permissions. Assay needs them to examine rules about access.",
    "principals:",
    `  ${off}default:`,
    ...own.flatMap((login, index) =>
      login.split("\n").map((line) => (needsLogin ? `    ${index ? "# " : ""}${line}` : `  #   ${line}`)),
    ),
    "  # second:",
    ...lines("second", own[0]!),
    "  # restricted:",
    ...lines("restricted", own[0]!),
    "  # Credentials that the agent must reject, by reason: expired, or for another audience.",
    "  # invalid:",
    "  #   expired: { bearer: env:EXPIRED_TOKEN }",
  ];
}

const hostLines = ({ otherHosts }: AgentSketch): string[] =>
  otherHosts.length
    ? [
        "# Other hosts that the card names. They get no credentials. Assay contacts private hosts only",
        "# if they are listed here.",
        `# allowHosts: [${otherHosts.map(quoted).join(", ")}]`,
        "# trustHosts: []   # hosts, or host:port, that may receive your credentials",
        "",
      ]
    : [];

/** Quotes a string for YAML like JSON, and escapes everything that an editor might hide. */
const quoted = (text: string): string => jsonText(text.slice(0, 300));

/** Returns text of the card for a comment, always on one line. */
const comment = (text: string): string => quoted(text).slice(1, -1);
