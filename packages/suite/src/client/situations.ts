import type { Binding, DialectVersion } from "@assay/protocol";

/** What a client can be asked to do; its command is told by ASSAY_ACTION. docs/clients.md explains each. */
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

/** What a client is put into: an agent of known behaviour, and something to do. Which agent that is, the tester knows. */
export interface Situation {
  readonly id: string;
  readonly action: ClientAction;
  /** what the client is expected to do, in one sentence */
  readonly asks: string;
  /** the situation that differs from this one in one thing: a client that fails there shows nothing here */
  readonly control?: string;
  /** the text to send */
  readonly message?: string;
  /** the text of the second message, where there is one */
  readonly reply?: string;
  /** what the command is expected to print, each of them */
  readonly answer?: readonly string[];
  /** it cannot be done, which the command is expected to tell: an exit code other than 0 is no news */
  readonly endsBadly?: true;
  /** the agent offers several interfaces: it is made once, and not for each interface that the client speaks */
  readonly choice?: true;
  /** the agent offers several bindings, whichever of them is tried */
  readonly severalBindings?: true;
  /** where it can be brought about; everywhere unless told */
  readonly bindings?: readonly Binding[];
  readonly dialects?: readonly DialectVersion[];
}

const printed = "and print the text of the answer";

/** What most situations have in common: a plain message, one that begins a task, one as a stream, one that cannot be answered. */
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

/** About what a client may rely on: the card and its age, signatures, logins, and what its webhook is told. */
export const trustSituations = [
  {
    id: "fresh-card",
    ...onCard,
    action: "repeat",
    asks: "Send the message twice, in one process, and print the answers; the card says for how long it is fresh.",
  },
  {
    id: "stale-card",
    ...onCard,
    action: "repeat",
    asks: "The same; the card asks to be looked after each time.",
  },
  {
    id: "older-card-name",
    ...forWord,
    asks: "Send the message and print the text of the answer; the card is at /.well-known/agent.json.",
    choice: true,
    dialects: ["0.2", "0.1"],
  },
  {
    id: "signed-card",
    ...onCard,
    asks: "Send the message and print the text of the answer; the card is signed, and its key is where the signature says.",
  },
  {
    id: "rewritten-card",
    ...onCard,
    control: "signed-card",
    asks: "The same; the signed card has its members in another order.",
  },
  {
    id: "explicit-card",
    ...onCard,
    control: "signed-card",
    asks: "The same; the signed card says in so many words what would be so without them.",
  },
  {
    id: "forged-card",
    ...onForgedCard,
    asks: "The same; the card was changed after it was signed, and is better not trusted.",
  },
  {
    id: "withdrawn-key",
    ...onForgedCard,
    asks: "The same; the key of the signature is no longer published.",
  },
  {
    id: "untrusted-certificate",
    ...overHttp,
    ...inVain,
    asks: "Send the message; the agent is reached over TLS with a certificate that no authority has signed: tell that, and send nothing.",
    choice: true,
  },
  {
    id: "login",
    ...forWord,
    asks: "Send the message with the token ASSAY_BEARER and print the text of the answer.",
  },
  {
    id: "foreign-redirect",
    ...overHttp,
    action: "send",
    control: "login",
    asks: "Send the message with the token ASSAY_BEARER; the agent sends you on to another host, which the token is not for.",
    message: "What is the word?",
    endsBadly: true,
  },
  {
    id: "extended-card",
    action: "extended-card",
    control: "send",
    asks: "Read the extended card with the token ASSAY_BEARER, and print its name.",
    answer: ["Assay situation"],
    dialects: ["1.0", "0.3", "0.2"],
  },
  {
    id: "extended-elsewhere",
    ...overHttp,
    action: "extended-send",
    control: "extended-card",
    asks: "Read the extended card with the token ASSAY_BEARER, then send the message and print the text of the answer; the extended card leads elsewhere.",
    message: "What is the word?",
    answer: ["the word is 7Q4M"],
  },
  {
    id: "authorisation",
    action: "send",
    control: "task",
    asks: "Send the message and print the artifact of its task, which waits for an authorisation for a while.",
    message: "Make me a word.",
    dialects: ["1.0"],
  },
  {
    id: "webhook",
    action: "webhook",
    control: "task",
    asks: "Send the message with a webhook of your own on 127.0.0.1 and a token for it, and print the artifact when you are told that the task is done.",
    message: "Make me a word.",
    answer: ["the artifact says K2V9"],
  },
  {
    id: "webhook-forged",
    ...forWebhook,
    asks: "The same; the first notification comes without the token.",
  },
  {
    id: "webhook-foreign",
    ...forWebhook,
    asks: "The same; the first notification is about another task.",
  },
  {
    id: "webhook-old",
    ...forWebhook,
    asks: "The same; the first notification is years old, and was not meant for today.",
    dialects: ["1.0"],
  },
  {
    id: "webhook-repeated",
    ...forWebhook,
    asks: "The same; every notification comes twice.",
  },
] as const satisfies readonly Situation[];

/** In the order in which they are told; the first is the one that all others rest on. */
export const situations = [
  {
    id: "send",
    action: "send",
    asks: `Send the message ${printed}; the agent answers with a message.`,
    message: "What is the word?",
    answer: ["the word is 7Q4M"],
  },
  {
    id: "task",
    action: "send",
    control: "send",
    asks: `Send the message ${printed}; the agent answers with a task that has an artifact.`,
    message: "Make me a word.",
    answer: ["the artifact says K2V9"],
  },
  {
    id: "stream",
    action: "stream",
    control: "send",
    asks: "Send the message as a stream, follow it to its end, and print the text of the artifact.",
    message: "Stream me a word.",
    answer: ["streamed R8W1"],
  },
  {
    id: "odd-events",
    ...forStream,
    asks: "The same; the events of the stream are written in every way that the standard of server-sent events allows.",
    bindings: ["JSONRPC", "HTTP+JSON"],
  },
  {
    id: "chunks",
    action: "stream",
    control: "stream",
    asks: "The same; two artifacts come in chunks, in turns.",
    message: "Stream me two words.",
    answer: ["first: alpha-beta-gamma", "second: one-two-three"],
    dialects: ["1.0", "0.3", "0.2"],
  },
  {
    id: "unknown-members",
    ...forTask,
    asks: `Send the message ${printed}; card and answer have members that no version of A2A knows.`,
    bindings: ["JSONRPC", "HTTP+JSON"],
  },
  {
    id: "tenant",
    ...forWord,
    asks: `Send the message ${printed}; the interface has a tenant.`,
    dialects: ["1.0"],
  },
  {
    id: "get",
    action: "get",
    control: "send",
    asks: "Get the task ASSAY_TASK and print the text of its artifact.",
    answer: ["the artifact says K2V9"],
  },
  {
    id: "tenant-get",
    action: "get",
    control: "get",
    asks: "Get the task ASSAY_TASK and print the text of its artifact; the interface has a tenant.",
    answer: ["the artifact says K2V9"],
    dialects: ["1.0"],
  },
  {
    id: "list",
    action: "list",
    control: "send",
    asks: "List all tasks, two to a page, and print the id of each.",
    dialects: ["1.0"],
  },
  {
    id: "cancel",
    action: "cancel",
    control: "send",
    asks: "Cancel the task ASSAY_TASK and print its state.",
  },
  {
    id: "cancel-refused",
    action: "cancel",
    control: "cancel",
    asks: "Cancel the task ASSAY_TASK; it cannot be cancelled any more, which the command should tell as such.",
    dialects: ["1.0"],
    endsBadly: true,
  },
  {
    id: "subscribe",
    action: "subscribe",
    control: "stream",
    asks: "Subscribe to the task ASSAY_TASK, follow it to its end, and print the text of its artifact.",
    answer: ["the artifact says K2V9"],
    dialects: ["1.0", "0.3", "0.2"],
  },
  {
    id: "dropped",
    ...forStream,
    asks: "Send the message as a stream and print the text of the artifact; the connection drops in the middle.",
    dialects: ["1.0"],
  },
  {
    id: "follow",
    action: "follow",
    control: "task",
    asks: "Send the message with returnImmediately, find out how its task ends, and print the text of the artifact.",
    message: "Make me a word.",
    answer: ["the artifact says K2V9"],
    dialects: ["1.0"],
  },
  {
    id: "converse",
    action: "converse",
    control: "task",
    asks: "Send the message; the agent asks back: answer with ASSAY_REPLY, and print the text of the artifact.",
    message: "Book me a table.",
    reply: "For two.",
    answer: ["the table is booked, 5ZX2"],
  },
  {
    id: "refine",
    action: "refine",
    control: "task",
    asks: "Send the message; when its task is done, ask for a change with ASSAY_REPLY, and print the text of the new artifact.",
    message: "Draw a boat.",
    reply: "Make the boat red.",
    answer: ["a red boat, 9HD3"],
    dialects: ["1.0"],
  },
  {
    id: "times",
    ...forTask,
    ...overHttp,
    asks: `Send the message ${printed}; the times in it have nine digits behind the point.`,
  },
  {
    id: "parts",
    action: "send",
    control: "task",
    asks: "Send the message and print the text of the answer; its artifact has parts of every kind.",
    message: "Make me some of everything.",
    answer: ["the text among them is 3JN6"],
  },
  {
    id: "legacy-card",
    ...forWord,
    asks: `Send the message ${printed}; the card has members of 0.3 besides, which lead elsewhere.`,
    dialects: ["1.0"],
  },
  {
    id: "failed",
    action: "send",
    control: "task",
    asks: "Send the message; the task fails, which the command should tell, by its exit code or in words.",
    message: "Do what cannot be done.",
    endsBadly: true,
  },
  {
    id: "rejected",
    action: "send",
    control: "task",
    asks: "Send the message; the agent rejects the task, which the command should tell.",
    message: "Do what you may not do.",
    endsBadly: true,
  },
  {
    id: "asks-back",
    action: "send",
    control: "task",
    asks: "Send the message; the agent asks back, which is no end: the command should tell that input is wanted.",
    message: "Book me a table.",
    endsBadly: true,
  },
  {
    id: "no-streaming",
    action: "stream",
    control: "send",
    asks: "Send the message as a stream; the card does not offer streaming: send it otherwise, tell that, or decline.",
    message: "Stream me a word.",
    dialects: ["1.0", "0.3"],
    endsBadly: true,
  },
  {
    id: "extensions",
    ...forWord,
    asks: `Activate the extensions ASSAY_EXTENSIONS, send the message ${printed}.`,
    dialects: ["1.0", "0.3"],
  },
  {
    id: "required-extension",
    ...inVain,
    asks: "Send the message; the agent requires an extension that the client does not know: tell that, and send nothing.",
    dialects: ["1.0"],
  },
  {
    id: "preference",
    ...onCard,
    asks: `Send the message ${printed}, over the first interface of the card that the client speaks.`,
  },
  {
    id: "preference-swapped",
    ...onCard,
    asks: "The same, with the interfaces in the opposite order.",
  },
  {
    id: "card-elsewhere",
    ...forWord,
    asks: `Send the message ${printed}; the card comes from another port than the interface that it lists.`,
    bindings: ["JSONRPC", "HTTP+JSON"],
  },
  {
    id: "two-bindings",
    ...forWord,
    ...overHttp,
    asks: `Send the message ${printed}; the card lists an interface of each binding.`,
    severalBindings: true,
  },
  {
    id: "dead-interface",
    ...overHttp,
    action: "send",
    control: "two-bindings",
    asks: "The same; nothing listens at the first interface of the card.",
    message: "What is the word?",
    answer: ["the word is 7Q4M"],
    severalBindings: true,
  },
  {
    id: "two-versions",
    ...forWord,
    ...overHttp,
    asks: `Send the message ${printed}; the card lists an interface of 0.3 before that of 1.0.`,
  },
  {
    id: "older-only",
    ...overHttp,
    ...inVain,
    asks: "Speak the version ASSAY_VERSION alone and send the message; the agent offers 0.3 only: tell that.",
  },
  {
    id: "version-refused",
    ...inVain,
    asks: "Send the message; the agent refuses its version, which the command should tell.",
    dialects: ["1.0"],
  },
  ...trustSituations,
] as const satisfies readonly Situation[];

export type SituationId = (typeof situations)[number]["id"];
export type TrustSituationId = (typeof trustSituations)[number]["id"];

export const situationOf = (id: string): Situation | undefined => situations.find((each) => each.id === id);
