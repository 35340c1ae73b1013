import type { JsonObject } from "@assay/protocol";
import type { WireReply, WireRequest } from "@assay/wire/server";

/** A first contact as the wild has it: what stands at the address, and what the operator of Assay has to be told. */
export interface Exhibit {
  readonly id: string;
  /** what is there, in a sentence */
  readonly what: string;
  /** what is typed behind the address of the test bed; `/gallery/<id>` unless given */
  readonly address?: string | undefined;
  /** what is typed besides */
  readonly flags?: readonly string[];
  /** the sentence that Assay says; `{typed}`, `{at}`, `{origin}` and `{host}` stand for what depends on the address */
  readonly says: Told<string>;
  /** what to do about it; nothing, where there is nothing to be done */
  readonly todo?: string;
  readonly exit: Told<ExhibitExit>;
  /** by path below the exhibit; what is not listed is not found */
  readonly serves: Readonly<Record<string, Serve>>;
}

/** What is typed; a whole address where the host matters, with `{port}` for that of the test bed. */
export const addressOf = ({ id, address = `/gallery/${id}` }: Pick<Exhibit, "id" | "address">): string => address;

/** The same for every command, or for each its own: `assay card` does not see what lies behind a good card. */
export type Told<T> = T | Readonly<Record<Command, T>>;
export type Command = (typeof commands)[number];
export const commands = ["test", "card", "send"] as const;

export const toldTo = <T extends string | number>(told: Told<T>): Readonly<Record<Command, T>> =>
  typeof told === "object" ? told : { test: told, card: told, send: told };

/** 0 fine, 1 the agent is at fault, 2 there is nothing to judge. */
export type ExhibitExit = 0 | 1 | 2;

export type Serve = (call: ExhibitRequest) => void | Promise<void>;

export interface ExhibitRequest {
  readonly request: WireRequest;
  readonly reply: WireReply;
  /** of the test bed, as the caller named it */
  readonly origin: string;
  /** of the exhibit */
  readonly at: string;
  /** Lets an agent of the test bed answer: `/echo`. */
  agent(path: string, reply?: WireReply): void | Promise<void>;
}

export const cardPath = "/.well-known/agent-card.json";
export const olderCardPath = "/.well-known/agent.json";

/** A valid card of 1.0 that leads to these interfaces. */
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
