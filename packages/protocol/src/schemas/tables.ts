import { enums, messages } from "../generated/fields.ts";
import type { Messages } from "../generated/model.ts";
import type { Field } from "./field.ts";

export type { Field };

export type MessageName = keyof Messages;

const published: Readonly<Record<string, readonly Field[]>> = Object.fromEntries(
  Object.entries(messages).map(([name, fields]) => [name, fields.filter(({ draft }) => draft === undefined)]),
);

/** Returns the fields of a 1.0 message, in .proto order. */
export const fieldsOf = (message: MessageName): readonly Field[] => published[message]!;

/** Returns the fields that draft versions add to a message. */
export const draftFieldsOf = (message: MessageName): readonly Field[] =>
  messages[message].filter(({ draft }) => draft !== undefined);

/** Returns the message type of a field of this kind, or undefined for scalars, enums and free JSON. */
export const messageOfKind = (kind: string): MessageName | undefined =>
  Object.hasOwn(messages, kind) ? (kind as MessageName) : undefined;

/** Returns the names of a 1.0 enum, the unspecified one first, or undefined if the kind is not an enum. */
export const enumNames = (kind: string): readonly string[] | undefined =>
  Object.hasOwn(enums, kind) ? Object.keys(enums[kind]!) : undefined;
