import type { JsonObject } from "@assay/protocol";
import type { WireReply, WireRequest } from "@assay/wire/server";

/** An example of a first contact from practice: the content of an address, and the message that Assay must show. */
export interface Exhibit {
  readonly id: string;
  /** its content, in one sentence */
  readonly what: string;
  /** the address below the test bed (default: `/gallery/<id>`) */
  readonly address?: string | undefined;
  /** the flags on the command line */
  readonly flags?: readonly string[];
  /** the message of Assay; `{typed}`, `{at}`, `{origin}` and `{host}` are replaced by parts of the address */
  readonly says: Told<string>;
  /** the fix that Assay suggests, if any */
  readonly fix?: string;
  readonly exit: Told<ExhibitExit>;
  /** by path below the exhibit; other paths return 404 */
  readonly serves: Readonly<Record<string, Serve>>;
}

export const exhibit = (id: string, what: string, rest: Omit<Exhibit, "id" | "what">): Exhibit => ({
  id,
  what,
  ...rest,
});

/** Returns the typed address; complete if the host matters, with `{port}` for that of the test bed. */
export const addressOf = ({ id, address = `/gallery/${id}` }: Pick<Exhibit, "id" | "address">): string => address;

/** One value for all commands, or one for each, because `assay card` does not contact the agent behind a good card. */
export type Told<T> = T | Readonly<Record<Command, T>>;
export type Command = (typeof commands)[number];
export const commands = ["test", "card", "send"] as const;

export const toldTo = <T extends string | number>(told: Told<T>): Readonly<Record<Command, T>> =>
  typeof told === "object" ? told : { test: told, card: told, send: told };

/** 0: fine, 1: the agent is at fault, 2: nothing to judge. */
export type ExhibitExit = 0 | 1 | 2;

export type Serve = (call: ExhibitRequest) => void | Promise<void>;

export interface ExhibitRequest {
  readonly request: WireRequest;
  readonly reply: WireReply;
  /** the origin of the test bed, as named by the client */
  readonly origin: string;
  /** the address of the exhibit */
  readonly at: string;
  /** Lets an agent of the test bed respond: `/echo`. */
  agent(path: string, reply?: WireReply): void | Promise<void>;
}

export const cardPath = "/.well-known/agent-card.json";
export const olderCardPath = "/.well-known/agent.json";

/** Builds a valid 1.0 card with these interfaces. */
export const cardOf = (interfaces: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  name: "Gallery Agent",
  description: "An agent of the gallery of the Assay test bed.",
  version: "1.0.0",
  supportedInterfaces: [...interfaces],
  capabilities: { streaming: false, pushNotifications: false },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "talk", name: "Talk", description: "Talks about anything.", tags: ["talk"] }],
  ...more,
});

export const jsonRpcAt = (url: string, protocolVersion = "1.0"): JsonObject => ({
  url,
  protocolBinding: "JSONRPC",
  protocolVersion,
});
