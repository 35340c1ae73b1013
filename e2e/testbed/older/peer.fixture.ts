import type { JsonObject, JsonValue } from "@assay/protocol";
import type { OlderWire } from "../../../packages/protocol/src/dialects/check.ts";

// One interface for all bindings before 1.0.

export type Content =
  | { readonly text: string; readonly metadata?: JsonObject }
  | { readonly data: JsonObject }
  | { readonly bytes: string; readonly name?: string; readonly type?: string }
  | { readonly uri: string; readonly name?: string; readonly type?: string };

export interface Hook {
  readonly id?: string;
  readonly url: string;
  readonly token?: string;
  readonly scheme?: string;
  readonly credentials?: string;
}

export interface Sending {
  readonly parts: readonly Content[];
  readonly taskId?: string;
  readonly contextId?: string;
  /** wait until the task ends or needs input; 0.1 has no such option */
  readonly wait?: boolean;
  readonly historyLength?: number;
  readonly hook?: Hook;
}

export interface Said {
  readonly role: string;
  readonly parts: readonly Content[];
}

export interface TaskSeen {
  readonly id: string;
  readonly contextId: string;
  readonly state: string;
  readonly says?: Said;
  readonly artifacts?: readonly { readonly name: string; readonly parts: readonly Content[] }[];
  readonly history?: readonly Said[];
  readonly metadata?: JsonObject;
}

/** The content of a response or an event. */
export type Told =
  | ({ readonly is: "task" } & TaskSeen)
  | ({ readonly is: "message"; readonly contextId: string } & Said)
  | { readonly is: "status"; readonly state: string; readonly says?: Said; readonly final: boolean }
  | {
      readonly is: "artifact";
      readonly name: string;
      readonly parts: readonly Content[];
      readonly append: boolean;
      readonly last: boolean;
    };

/** An error in the form of a transport. */
export interface Refused {
  readonly http?: number;
  readonly code?: number;
  readonly status?: string;
  readonly reason: string;
}

/** A mistake that every binding can have. */
export type Mistake = "unknown-method" | "bad-params" | "parse-error";

/** A client of one agent in one version over one transport. */
export interface OlderPeer {
  readonly name: string;
  readonly wire: OlderWire;
  readonly transport: "JSONRPC" | "HTTP+JSON" | "GRPC";
  send(sending: Sending): Promise<Told>;
  /** With `take`, the client disconnects after this many events. */
  stream(sending: Sending, take?: number): Promise<Told[]>;
  get(id: string, historyLength?: number): Promise<TaskSeen>;
  cancel(id: string, metadata?: JsonObject): Promise<TaskSeen>;
  resubscribe(id: string): Promise<Told[]>;
  setHook(taskId: string, hook: Hook): Promise<Hook>;
  getHook(taskId: string, id?: string): Promise<Hook>;
  listHooks(taskId: string): Promise<Hook[]>;
  deleteHook(taskId: string, id: string): Promise<JsonValue>;
  extendedCard(token?: string): Promise<JsonObject>;
  mistake(which: Mistake): Promise<unknown>;
}
