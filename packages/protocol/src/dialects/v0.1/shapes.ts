import type { JsonObject } from "../../json.ts";
import type { RoleWord, StateWord } from "../states.ts";
import type { PartWord, TaggedPart } from "../tagged-part.ts";

/** JSON of 0.1 that passed the schema. */
export interface PartShape extends TaggedPart {
  readonly type: PartWord;
}

export interface MessageShape {
  readonly role: RoleWord;
  readonly parts: PartShape[];
  readonly metadata?: JsonObject;
}

export type StateShape = Exclude<StateWord, "rejected" | "auth-required">;

export interface StatusShape {
  readonly state: StateShape;
  readonly message?: MessageShape;
  readonly timestamp?: string;
}

export interface ArtifactShape {
  readonly index?: number;
  readonly name?: string;
  readonly description?: string;
  readonly parts: PartShape[];
  readonly append?: boolean;
  readonly lastChunk?: boolean;
  readonly metadata?: JsonObject;
}

export interface TaskShape {
  readonly id: string;
  readonly sessionId?: string;
  readonly status: StatusShape;
  readonly artifacts?: ArtifactShape[];
  readonly history?: MessageShape[];
  readonly metadata?: JsonObject;
}

export interface EventShape {
  readonly id: string;
  /** a status event has this, and `final` */
  readonly status?: StatusShape;
  readonly final?: boolean;
  /** an artifact event has this */
  readonly artifact?: ArtifactShape;
  readonly metadata?: JsonObject;
}

export interface PushConfigShape {
  readonly url: string;
  readonly token?: string;
  readonly authentication?: { readonly schemes: string[]; readonly credentials?: string };
}

export interface SendShape {
  readonly id: string;
  readonly sessionId?: string;
  readonly message: MessageShape;
  readonly pushNotification?: PushConfigShape;
  readonly historyLength?: number;
  /** only the Python reference has it */
  readonly acceptedOutputModes?: string[];
  readonly metadata?: JsonObject;
}
