import { enums, messages } from "../generated/fields.ts";
import type { Messages } from "../generated/model.ts";
import * as quick from "../generated/validators-quick.ts";
import * as thorough from "../generated/validators-thorough.ts";
import { protoJsonReader } from "./protojson.ts";
import type { Violation } from "./violation.ts";
import { type AjvError, violationsOf } from "./violations.ts";

/** Converts whatever ProtoJSON allows in 1.0 to the canonical spelling. */
export const normalise: (message: keyof Messages, json: unknown) => unknown = protoJsonReader(messages, enums);

/**
 * Two validators of the same schema. `quick` stops at the first error and returns yes or no (the hot path of the
 * server). `thorough` collects every error with its path. Both are generated code.
 */
const quickFor = quick as Record<keyof Messages, Validator>;
const thoroughFor = thorough as Record<keyof Messages, Validator>;

type Validator = ((json: unknown) => boolean) & { errors?: AjvError[] | null };

/** Strict validation: returns every place that violates 1.0, including unknown members. */
export function validate(message: keyof Messages, json: unknown): Violation[] {
  const validator = thoroughFor[message];
  if (validator(json)) return [];
  return violationsOf(validator.errors ?? [], json);
}

/**
 * Tolerant reading: returns the value in canonical spelling, or the violations that ProtoJSON does not allow. A
 * canonical value is returned as is, without a copy.
 */
export function read<M extends keyof Messages>(message: M, json: unknown): ReadResult<Messages[M]> {
  const fits = quickFor[message];
  if (fits(json)) return { value: json as Messages[M] };
  const normal = normalise(message, json);
  if (fits(normal)) return { value: normal as Messages[M] };
  return { violations: validate(message, normal) };
}

export type ReadResult<T> = { value: T; violations?: never } | { value?: never; violations: Violation[] };
