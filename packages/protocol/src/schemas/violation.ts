/** A member of a request and what is wrong with it: a FieldViolation of google.rpc.BadRequest. */
export interface FieldViolation {
  /** as in `$.message.parts[0].text` */
  readonly path: string;
  readonly message: string;
}

/** How a document can miss its schema. Decisions are made by these; `message` is for people. */
export type ViolationCode =
  /** a required member that is not there */
  | "missing"
  /** null where there has to be a value, or no member at all */
  | "null"
  | "wrong-type"
  /** none of the values that there are */
  | "unknown-value"
  /** text that is not written as its format asks */
  | "format"
  | "out-of-range"
  /** a required text without a character */
  | "empty"
  /** a list with fewer elements than it needs */
  | "too-few"
  /** of several members exactly one has to be there: none is */
  | "none-of"
  /** of several members exactly one has to be there: more are */
  | "several-of"
  | "unknown-member"
  /** something that other releases of this version have */
  | "not-in-release";

/** One wrong place in a document. */
export interface Violation extends FieldViolation {
  readonly code: ViolationCode;
  /** what the schema asks for there, in words; `message` adds what stood there instead */
  readonly demand: string;
  /** what the schema has for this place: its types, its values, the name of its format, the members to choose from */
  readonly expected?: readonly string[];
  /** what stood there, where something did */
  readonly got?: unknown;
}
