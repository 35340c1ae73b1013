import { enums, messages } from "../generated/fields.ts";
import type { Messages } from "../generated/model.ts";
import type { Field } from "./field.ts";

export type { Field };

export type MessageName = keyof Messages;

/** The fields of a message of 1.0, in the order of the .proto. */
export const fieldsOf = (message: MessageName): readonly Field[] => messages[message];

/** The message that a field of this kind holds; undefined for scalars, enums and free JSON. */
export const messageOfKind = (kind: string): MessageName | undefined =>
  Object.hasOwn(messages, kind) ? (kind as MessageName) : undefined;

/** The names of an enum of 1.0, the unspecified one first; undefined where the kind is no enum. */
export const enumNames = (kind: string): readonly string[] | undefined =>
  Object.hasOwn(enums, kind) ? Object.keys(enums[kind]!) : undefined;
