import type { JsonObject } from "../../json.ts";
import type { RoleWord, StateWord } from "../states.ts";
import type { PartWord, TaggedPart } from "../tagged-part.ts";

/** JSON of 0.2 and 0.3 over JSON-RPC that passed the schema. Members of later releases may be missing. */
export interface PartShape extends TaggedPart {
  readonly kind: PartWord;
}

export interface MessageShape {
  readonly kind: "message";
  readonly messageId: string;
  readonly role: RoleWord;
  readonly parts: PartShape[];
  readonly contextId?: string;
  readonly taskId?: string;
  readonly referenceTaskIds?: string[];
  readonly extensions?: string[];
  readonly metadata?: JsonObject;
}

export interface StatusShape {
  readonly state: StateWord;
  readonly message?: MessageShape;
  readonly timestamp?: string;
}

export interface ArtifactShape {
  readonly artifactId: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts: PartShape[];
  readonly extensions?: string[];
  readonly metadata?: JsonObject;
}

export interface TaskShape {
  readonly kind: "task";
  readonly id: string;
  readonly contextId: string;
  readonly status: StatusShape;
  readonly artifacts?: ArtifactShape[];
  readonly history?: MessageShape[];
  readonly metadata?: JsonObject;
}

export interface StatusUpdateShape {
  readonly kind: "status-update";
  readonly taskId: string;
  readonly contextId: string;
  readonly status: StatusShape;
  readonly final: boolean;
  readonly metadata?: JsonObject;
}

export interface ArtifactUpdateShape {
  readonly kind: "artifact-update";
  readonly taskId: string;
  readonly contextId: string;
  readonly artifact: ArtifactShape;
  readonly append?: boolean;
  readonly lastChunk?: boolean;
  readonly metadata?: JsonObject;
}

export type EventShape = TaskShape | MessageShape | StatusUpdateShape | ArtifactUpdateShape;

export interface PushConfigShape {
  readonly id?: string;
  readonly url: string;
  readonly token?: string;
  readonly authentication?: { readonly schemes: string[]; readonly credentials?: string };
}

export interface TaskPushConfigShape {
  readonly taskId: string;
  readonly pushNotificationConfig: PushConfigShape;
}

export interface SendShape {
  readonly message: MessageShape;
  readonly configuration?: ConfigurationShape;
  readonly metadata?: JsonObject;
}

export interface ConfigurationShape {
  readonly acceptedOutputModes?: string[];
  readonly blocking?: boolean;
  readonly historyLength?: number;
  readonly pushNotificationConfig?: PushConfigShape;
}
