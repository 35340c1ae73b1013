import { extensionsHeader, olderExtensionsHeader } from "@assay/protocol";
import { type SituationId, situationOf } from "../client/situations.ts";

/** An ability of a client, and the situation that shows it. */
interface Ability {
  readonly in: SituationId;
  /** the thing, after "cannot read" or "loses" in a sentence */
  readonly means: string;
  /** the texts that the caller of the client must see, where the situation does not name them */
  readonly shows?: readonly string[];
  /** the client must call this operation, or else the situation shows nothing */
  readonly calls?: string;
  /** the client must send one of these headers, or else the situation shows nothing */
  readonly requests?: readonly string[];
  /** the client must name this tenant, or else the situation shows nothing */
  readonly tenant?: string;
  /** the agent returns an unfinished task, so a client that shows its state loses nothing */
  readonly keepsState?: true;
}

/** Every ability of a profile, in the order of its tables. */
export const abilities = {
  message: { in: "send", means: "direct messages" },
  task: { in: "task", means: "artifacts of tasks" },
  "status-text": { in: "status-text", means: "text in the status of a task" },
  "early-task": { in: "early-task", means: "unfinished tasks", keepsState: true },
  streaming: { in: "stream", means: "streams", calls: "SendStreamingMessage" },
  chunks: { in: "appended", means: "artifacts in chunks", calls: "SendStreamingMessage" },
  "open-artifact": {
    in: "open-artifact",
    means: "streamed artifacts without lastChunk",
    calls: "SendStreamingMessage",
  },
  interleaved: { in: "chunks", means: "two artifacts in alternating chunks", calls: "SendStreamingMessage" },
  "odd-events": { in: "odd-events", means: "unusual server-sent events", calls: "SendStreamingMessage" },
  "without-streaming": { in: "no-streaming", means: "agents without streaming", shows: ["nothing is streamed"] },
  "input-required": { in: "asks-back", means: "questions of the agent (input-required)" },
  conversation: { in: "converse", means: "answers to questions of the agent" },
  "auth-required": {
    in: "authorisation",
    means: "tasks that wait for authorisation",
    shows: ["the artifact says K2V9"],
    keepsState: true,
  },
  files: { in: "parts", means: "artifacts with files and data" },
  large: { in: "large", means: "artifacts of 3 MB" },
  "unknown-members": { in: "unknown-members", means: "unknown members" },
  failed: { in: "failed", means: "the reason why a task failed" },
  rejected: { in: "rejected", means: "the reason why a task was rejected" },
  errors: { in: "refused", means: "the text of errors" },
  login: { in: "login", means: "agents that require a bearer token" },
  tenant: { in: "tenant", means: "interfaces with a tenant", tenant: "acme-7" },
  extensions: { in: "extensions", means: "extensions", requests: [extensionsHeader, olderExtensionsHeader] },
  push: { in: "webhook", means: "push notifications" },
  get: { in: "get", means: "GetTask" },
  cancel: { in: "cancel", means: "CancelTask", shows: ["cancel"], calls: "CancelTask" },
  subscribe: { in: "subscribe", means: "SubscribeToTask" },
  "below-path": { in: "below-path", means: "addresses with a path" },
  "listed-older": { in: "listed-older", means: "0.3 on a card that has only the form of 1.0" },
  "both-versions": { in: "both-versions", means: "cards of 1.0 and 0.3 in one" },
  "two-versions": { in: "two-versions", means: "an interface of 0.3 before that of 1.0" },
  "with-other-http": { in: "with-other-http", means: "cards with JSON-RPC and HTTP+JSON" },
  "with-grpc": { in: "with-grpc", means: "cards that list gRPC, too" },
  preference: { in: "preference", means: "cards with several bindings" },
  fallback: { in: "dead-interface", means: "a first interface that does not respond" },
  "card-elsewhere": { in: "card-elsewhere", means: "interfaces on another port than the card" },
  "older-card-name": { in: "older-card-name", means: "the card at /.well-known/agent.json" },
} as const satisfies Readonly<Record<string, Ability>>;

export type AbilityId = keyof typeof abilities;

/** Returns the texts that the caller must see, and the operation that the client must call. */
export function proofOf(id: AbilityId): {
  readonly situation: string;
  readonly control: string | undefined;
  readonly shows: readonly string[];
  readonly calls: string | undefined;
  readonly requests: readonly string[] | undefined;
  readonly tenant: string | undefined;
  readonly keepsState: boolean;
  readonly endsBadly: boolean;
} {
  const { in: situation, shows, calls, requests, tenant, keepsState }: Ability = abilities[id];
  const { answer, reason, control, endsBadly } = situationOf(situation)!;
  return {
    situation,
    control,
    shows: shows ?? answer ?? [reason!],
    calls,
    requests,
    tenant,
    keepsState: keepsState === true,
    endsBadly: endsBadly === true && reason !== undefined,
  };
}
