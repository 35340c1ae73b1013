/** An invalid member of a request: a FieldViolation of google.rpc.BadRequest. */
export interface FieldViolation {
  /** for example `$.message.parts[0].text` */
  readonly path: string;
  readonly message: string;
}

/** Kinds of schema violations. Code decides by these; `message` is for people. */
export type ViolationCode =
  /** a required member that is missing */
  | "missing"
  /** null instead of a value or a missing member */
  | "null"
  | "wrong-type"
  /** not one of the allowed values */
  | "unknown-value"
  /** text that does not match its format */
  | "format"
  | "out-of-range"
  /** a required text that is empty */
  | "empty"
  /** a list with too few elements */
  | "too-few"
  /** exactly one of several members is required: none is present */
  | "none-of"
  /** exactly one of several members is required: more are present */
  | "several-of"
  | "unknown-member"
  /** something that only other releases of this version have */
  | "not-in-release";

/** One invalid place in a document. */
export interface Violation extends FieldViolation {
  readonly code: ViolationCode;
  /** the schema's requirement in words; `message` adds the actual value */
  readonly demand: string;
  /** what the schema allows here: types, values, the name of a format, or the members to choose from */
  readonly expected?: readonly string[];
  /** the actual value, if any */
  readonly got?: unknown;
}
