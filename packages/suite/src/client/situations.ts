import type { Binding, DialectVersion } from "@assay/protocol";
import type { DraftSet } from "../rules/rule-sets.ts";

/** The actions that Assay asks a client for, passed to its command in ASSAY_ACTION. docs/clients.md explains each. */
export const clientActions = [
  "send",
  "stream",
  "follow",
  "converse",
  "refine",
  "get",
  "list",
  "cancel",
  "subscribe",
  "repeat",
  "extended-card",
  "extended-send",
  "webhook",
] as const;
export type ClientAction = (typeof clientActions)[number];

/**
 * One test situation for a client: an agent of known behaviour, and something to do. The client tester provides the
 * agent.
 */
export interface Situation {
  readonly id: string;
  readonly action: ClientAction;
  /** the expected behaviour of the client, in one sentence */
  readonly asks: string;
  /** the simpler situation that differs in one thing: a client that fails there proves nothing here */
  readonly control?: string;
  /** the text to send */
  readonly message?: string;
  /** the text of the second message, if there is one */
  readonly reply?: string;
  /** the texts that the command must print */
  readonly answer?: readonly string[];
  /** the text with which the agent explains why the task is not done */
  readonly reason?: string;
  /** the action cannot succeed and the command should report that, so an exit code other than 0 is expected */
  readonly endsBadly?: true;
  /** the agent offers several interfaces: Assay runs the situation once, not once per interface */
  readonly choice?: true;
  /** the agent offers several bindings */
  readonly severalBindings?: true;
  /** the bindings on which the situation works (default: all) */
  readonly bindings?: readonly Binding[];
  readonly dialects?: readonly DialectVersion[];
  /** Assay injects faults on the way to the agent: it runs only with `--faults`, or if it is named */
  readonly faulty?: true;
  /** the agent speaks a draft: it runs only with `--spec <draft>`, or if it is named */
  readonly draft?: DraftSet;
  /**
   * judges no rule: it shows an ability for the profile of a client, and runs only with `--write-profile`, or if it is
   * named
   */
  readonly profiled?: true;
}

type Declared = Readonly<Record<string, Omit<Situation, "id">>>;

const printed = "and print the text of the response";

/** Members that most situations share. */
const asked = { action: "send", control: "send", message: "What is the word?" } as const;
const forWord = { ...asked, answer: ["the word is 7Q4M"] } as const;
const forTask = {
  action: "send",
  control: "task",
  message: "Make me a word.",
  answer: ["the artifact says K2V9"],
} as const;
const forStream = {
  action: "stream",
  control: "stream",
  message: "Stream me a word.",
  answer: ["streamed R8W1"],
} as const;
const inVain = { ...asked, endsBadly: true } as const;
const overHttp = { bindings: ["JSONRPC", "HTTP+JSON"], dialects: ["1.0"] } as const;

const onCard = { ...forWord, choice: true, dialects: ["1.0"] } as const;
const onForgedCard = { ...asked, choice: true, dialects: ["1.0"] } as const;
const forWebhook = { ...forTask, action: "webhook", control: "webhook" } as const;

/** Situations about trust: the card and its cache lifetime, signatures, credentials and notifications. */
const trust = {
  "fresh-card": {
    ...onCard,
    action: "repeat",
    asks: "Send the message twice in one process and print the responses. The card has a cache lifetime.",
  },
  "stale-card": {
    ...onCard,
    action: "repeat",
    asks: "The same, but the card must be revalidated each time.",
  },
  "older-card-name": {
    ...forWord,
    asks: "Send the message and print the text of the response. The card is at /.well-known/agent.json.",
    choice: true,
    dialects: ["0.2", "0.1"],
  },
  "signed-card": {
    ...onCard,
    asks: "Send the message and print the text of the response. The card is signed, and the signature names the address of its key.",
  },
  "rewritten-card": {
    ...onCard,
    control: "signed-card",
    asks: "The same, but the members of the signed card are in another order.",
  },
  "explicit-card": {
    ...onCard,
    control: "signed-card",
    asks: "The same, but the signed card states its default values explicitly.",
  },
  "forged-card": {
    ...onForgedCard,
    asks: "The same, but the card was changed after signing. Do not trust it.",
  },
  "withdrawn-key": {
    ...onForgedCard,
    asks: "The same, but the key of the signature is no longer published.",
  },
  "untrusted-certificate": {
    ...overHttp,
    ...inVain,
    asks: "Send the message. The agent uses a TLS certificate that no authority has signed: report that, and send nothing.",
    choice: true,
  },
  login: {
    ...forWord,
    asks: "Send the message with the token ASSAY_BEARER and print the text of the response.",
  },
  "foreign-redirect": {
    ...overHttp,
    action: "send",
    control: "login",
    asks: "Send the message with the token ASSAY_BEARER. The agent redirects to another host: do not send the token there.",
    message: "What is the word?",
    endsBadly: true,
  },
  "foreign-interface": {
    ...overHttp,
    ...inVain,
    control: "login",
    asks: "Send the message with the token ASSAY_BEARER. The interface of the card is on another host: send the token there only if the user allows it.",
  },
  "extended-card": {
    action: "extended-card",
    control: "send",
    asks: "Read the extended card with the token ASSAY_BEARER, and print its name.",
    answer: ["Assay situation"],
    dialects: ["1.0", "0.3", "0.2"],
  },
  "extended-elsewhere": {
    ...overHttp,
    action: "extended-send",
    control: "extended-card",
    asks: "Read the extended card with the token ASSAY_BEARER. Then send the message and print the text of the response. The extended card lists another address.",
    message: "What is the word?",
    answer: ["the word is 7Q4M"],
  },
  authorisation: {
    action: "send",
    control: "task",
    asks: "Send the message and print the artifact of its task. The task waits some time for authorisation.",
    message: "Make me a word.",
    dialects: ["1.0"],
  },
  webhook: {
    action: "webhook",
    control: "task",
    asks: "Send the message with your own webhook on 127.0.0.1 and a token for it. When a notification says that the task is completed, print the artifact.",
    message: "Make me a word.",
    answer: ["the artifact says K2V9"],
  },
  "webhook-forged": {
    ...forWebhook,
    asks: "The same, but the first notification has no token.",
  },
  "webhook-foreign": {
    ...forWebhook,
    asks: "The same, but the first notification is about another task.",
  },
  "webhook-old": {
    ...forWebhook,
    asks: "The same, but the first notification is years old.",
    dialects: ["1.0"],
  },
  "webhook-repeated": {
    ...forWebhook,
    asks: "The same, but every notification arrives twice.",
  },
} as const satisfies Declared;

const onFault = { dialects: ["1.0"], faulty: true } as const;

/** Situations about faults on the way to the agent. */
const faulty = {
  "lost-response": {
    ...forTask,
    ...onFault,
    asks: "Send the message and print the text of the artifact. The agent gets the message, but the connection is reset before the response.",
  },
  "late-response": {
    ...forTask,
    ...onFault,
    asks: "Send the message and print the text of the artifact. The agent gets the message, but its response takes 6 s.",
  },
  "rate-limited": {
    ...forWord,
    ...onFault,
    asks: `Send the message ${printed}. The first request gets 429 with Retry-After: 1.`,
    bindings: ["JSONRPC", "HTTP+JSON"],
  },
  "no-second-stream": {
    ...forStream,
    ...onFault,
    control: "dropped",
    asks: "Send the message as a stream and print the text of the artifact. The connection drops, and SubscribeToTask gets 503.",
  },
} as const satisfies Declared;

const inDraft = { dialects: ["1.0"], draft: "1.1-draft1" } as const;
const forTable = {
  ...inDraft,
  action: "converse",
  message: "Book me a table.",
  reply: "For two.",
  answer: ["the table is booked, 5ZX2"],
} as const;
const answersInput =
  "Send the message. The agent asks for input: answer with ASSAY_REPLY, and print the text of the artifact.";

/** Situations about the generation of tasks, in the draft of 1.1. */
const generations = {
  generation: {
    ...forTable,
    control: "converse",
    asks: `${answersInput} The task has a generation.`,
  },
  "generation-mismatch": {
    ...forTable,
    control: "generation",
    asks: `${answersInput} The task changes before the answer arrives, so an answer with ifGenerationMatch is rejected.`,
  },
  "generation-zero": {
    ...forTable,
    control: "generation",
    asks: `${answersInput} The generation is always 0: do not use it.`,
  },
  "generation-gap": {
    ...forStream,
    ...inDraft,
    control: "generation-dropped",
    asks: "Send the message as a stream and print the text of the artifact. One event is missing, as a gap in the generations shows.",
  },
  "generation-dropped": {
    ...forStream,
    ...inDraft,
    control: "dropped",
    asks: "Send the message as a stream and print the text of the artifact. The events have a generation, and the connection drops in the middle.",
  },
  "generation-repeated": {
    ...forStream,
    ...inDraft,
    control: "generation-dropped",
    asks: "The same, but two events have the same generation: do not use it.",
  },
} as const satisfies Declared;

/** Situations that show an ability of a client that no rule requires. Agents of all these kinds exist. */
const profiled = {
  "status-text": {
    ...asked,
    control: "task",
    asks: `Send the message ${printed}. The agent returns a completed task without artifacts: the text is in its status.`,
    answer: ["the status says T6B3"],
    profiled: true,
  },
  "early-task": {
    ...forTask,
    asks: "Send the message and print the text of the artifact. The agent returns a task that is still working, although the client waits.",
    profiled: true,
  },
  appended: {
    ...forStream,
    asks: "Send the message as a stream and print the text of the artifact. It arrives in three chunks.",
    answer: ["the artifact comes in three chunks, M5D8"],
    profiled: true,
  },
  "open-artifact": {
    ...forStream,
    asks: "Send the message as a stream and print the text of the artifact. No event marks the last chunk of the artifact.",
    profiled: true,
  },
  "below-path": {
    ...forWord,
    asks: `Send the message ${printed}. The address of the agent has a path.`,
    bindings: ["JSONRPC", "HTTP+JSON"],
    profiled: true,
  },
  "listed-older": {
    ...forWord,
    asks: `Send the message ${printed}. The card has the form of 1.0 and lists an interface of 0.3 after that of 1.0.`,
    dialects: ["1.0", "0.3"],
    profiled: true,
  },
  large: {
    ...forTask,
    asks: `Send the message ${printed}. The artifact has 3 MB of text, and the word comes last.`,
    profiled: true,
  },
  refused: {
    ...inVain,
    asks: "Send the message. The agent rejects it with an error: report that, with the text of the error.",
    reason: "the kitchen is closed",
    profiled: true,
  },
  "both-versions": {
    ...forWord,
    asks: `Send the message ${printed}. The agent serves 1.0 and 0.3, and its card has the members of both.`,
    bindings: ["JSONRPC", "HTTP+JSON"],
    dialects: ["1.0", "0.3"],
    profiled: true,
  },
  "with-other-http": {
    ...forWord,
    asks: `Send the message ${printed}. The card lists JSON-RPC and HTTP+JSON.`,
    bindings: ["JSONRPC", "HTTP+JSON"],
    dialects: ["1.0", "0.3"],
    profiled: true,
  },
  "with-grpc": {
    ...forWord,
    asks: `Send the message ${printed}. The card lists gRPC as the second interface.`,
    bindings: ["JSONRPC", "HTTP+JSON"],
    dialects: ["1.0", "0.3"],
    profiled: true,
  },
} as const satisfies Declared;

/** In the order of the report. All other situations depend on the first one. */
const all = {
  send: {
    action: "send",
    asks: `Send the message ${printed}. The agent returns a message.`,
    message: "What is the word?",
    answer: ["the word is 7Q4M"],
  },
  task: {
    action: "send",
    control: "send",
    asks: `Send the message ${printed}. The agent returns a task with an artifact.`,
    message: "Make me a word.",
    answer: ["the artifact says K2V9"],
  },
  stream: {
    action: "stream",
    control: "send",
    asks: "Send the message as a stream, follow the stream to its end, and print the text of the artifact.",
    message: "Stream me a word.",
    answer: ["streamed R8W1"],
  },
  "odd-events": {
    ...forStream,
    asks: "The same, but the stream uses every notation that the standard of server-sent events allows.",
    bindings: ["JSONRPC", "HTTP+JSON"],
  },
  chunks: {
    action: "stream",
    control: "stream",
    asks: "The same, but two artifacts arrive in alternating chunks.",
    message: "Stream me two words.",
    answer: ["first: alpha-beta-gamma", "second: one-two-three"],
    dialects: ["1.0", "0.3", "0.2"],
  },
  "unknown-members": {
    ...forTask,
    asks: `Send the message ${printed}. The card and the response have members that no A2A version defines.`,
    bindings: ["JSONRPC", "HTTP+JSON"],
  },
  tenant: {
    ...forWord,
    asks: `Send the message ${printed}. The interface has a tenant.`,
    dialects: ["1.0"],
  },
  get: {
    action: "get",
    control: "send",
    asks: "Get the task ASSAY_TASK and print the text of its artifact.",
    answer: ["the artifact says K2V9"],
  },
  "tenant-get": {
    action: "get",
    control: "get",
    asks: "Get the task ASSAY_TASK and print the text of its artifact. The interface has a tenant.",
    answer: ["the artifact says K2V9"],
    dialects: ["1.0"],
  },
  list: {
    action: "list",
    control: "send",
    asks: "List all tasks, two per page, and print the id of each.",
    dialects: ["1.0"],
  },
  cancel: {
    action: "cancel",
    control: "send",
    asks: "Cancel the task ASSAY_TASK and print its state.",
  },
  "cancel-refused": {
    action: "cancel",
    control: "cancel",
    asks: "Cancel the task ASSAY_TASK. It can no longer be cancelled: report that.",
    dialects: ["1.0"],
    endsBadly: true,
  },
  subscribe: {
    action: "subscribe",
    control: "stream",
    asks: "Subscribe to the task ASSAY_TASK, follow it to its end, and print the text of its artifact.",
    answer: ["the artifact says K2V9"],
    dialects: ["1.0", "0.3", "0.2"],
  },
  dropped: {
    ...forStream,
    asks: "Send the message as a stream and print the text of the artifact. The connection drops in the middle.",
    dialects: ["1.0"],
  },
  follow: {
    action: "follow",
    control: "task",
    asks: "Send the message with returnImmediately, find out how its task ends, and print the text of the artifact.",
    message: "Make me a word.",
    answer: ["the artifact says K2V9"],
    dialects: ["1.0"],
  },
  converse: {
    action: "converse",
    control: "task",
    asks: "Send the message. The agent asks for input: answer with ASSAY_REPLY, and print the text of the artifact.",
    message: "Book me a table.",
    reply: "For two.",
    answer: ["the table is booked, 5ZX2"],
  },
  refine: {
    action: "refine",
    control: "task",
    asks: "Send the message. When its task is completed, ask for a change with ASSAY_REPLY, and print the text of the new artifact.",
    message: "Draw a boat.",
    reply: "Make the boat red.",
    answer: ["a red boat, 9HD3"],
    dialects: ["1.0"],
  },
  times: {
    ...forTask,
    ...overHttp,
    asks: `Send the message ${printed}. The timestamps in the response have nine decimal digits.`,
  },
  parts: {
    action: "send",
    control: "task",
    asks: "Send the message and print the text of the response. The artifact has parts of every kind.",
    message: "Make me some of everything.",
    answer: ["the text among them is 3JN6"],
  },
  "legacy-card": {
    ...forWord,
    asks: `Send the message ${printed}. The card also has members of 0.3, with another address.`,
    dialects: ["1.0"],
  },
  failed: {
    action: "send",
    control: "task",
    asks: "Send the message. The task fails: report that, by the exit code or in the output.",
    message: "Do what cannot be done.",
    reason: "this cannot be done",
    endsBadly: true,
  },
  rejected: {
    action: "send",
    control: "task",
    asks: "Send the message. The agent rejects the task: report that.",
    message: "Do what you may not do.",
    reason: "this is not allowed",
    endsBadly: true,
  },
  "asks-back": {
    action: "send",
    control: "task",
    asks: "Send the message. The agent asks for input, so the task has not ended: report that input is required.",
    message: "Book me a table.",
    reason: "For how many?",
    endsBadly: true,
  },
  "no-streaming": {
    action: "stream",
    control: "stream",
    asks: "Send the message as a stream. The card does not declare streaming: send it without a stream, report that, or decline.",
    message: "Stream me a word.",
    dialects: ["1.0", "0.3"],
    endsBadly: true,
  },
  extensions: {
    ...forWord,
    asks: `Activate the extensions ASSAY_EXTENSIONS, send the message ${printed}.`,
    dialects: ["1.0", "0.3"],
  },
  "required-extension": {
    ...inVain,
    asks: "Send the message. The agent requires an extension that the client does not support: report that, and send nothing.",
    dialects: ["1.0"],
  },
  preference: {
    ...onCard,
    asks: `Send the message ${printed}, over the first interface of the card that the client supports.`,
  },
  "preference-swapped": {
    ...onCard,
    asks: "The same, but the interfaces are in the opposite order.",
  },
  "same-binding": {
    ...forWord,
    ...overHttp,
    asks: `Send the message ${printed}. The card lists two interfaces of the same binding: use the first.`,
  },
  "card-elsewhere": {
    ...forWord,
    asks: `Send the message ${printed}. The card and the interface that it lists are on different ports.`,
    bindings: ["JSONRPC", "HTTP+JSON"],
  },
  "two-bindings": {
    ...forWord,
    ...overHttp,
    asks: `Send the message ${printed}. The card lists an interface of each binding, and the first is on another port.`,
    severalBindings: true,
  },
  "dead-interface": {
    ...overHttp,
    action: "send",
    control: "two-bindings",
    asks: "The same, but nothing listens at the first interface of the card.",
    message: "What is the word?",
    answer: ["the word is 7Q4M"],
    severalBindings: true,
  },
  "two-versions": {
    ...forWord,
    ...overHttp,
    asks: `Send the message ${printed}. The card lists an interface of 0.3 before that of 1.0.`,
  },
  "older-only": {
    ...overHttp,
    ...inVain,
    asks: "Send the message, with the version ASSAY_VERSION only. The agent supports only 0.3: report that.",
  },
  "version-refused": {
    ...inVain,
    asks: "Send the message. The agent rejects its version: report that.",
    dialects: ["1.0"],
  },
  ...trust,
  ...faulty,
  ...generations,
  ...profiled,
} as const satisfies Declared;

export type SituationId = keyof typeof all;
export type TrustSituationId = keyof typeof trust;

export const situations: readonly Situation[] = Object.entries(all).map(([id, declared]) => ({ id, ...declared }));

export const situationOf = (id: string): Situation | undefined => situations.find((each) => each.id === id);
