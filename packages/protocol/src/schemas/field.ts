/** One field of a message, from the .proto and the table of REQUIRED members. */
export interface Field {
  /** its name in JSON */
  readonly json: string;
  /** its name in the .proto, which ProtoJSON readers accept as well */
  readonly proto: string;
  /** `string`, `bool`, `int32`, `int64`, `bytes`, `timestamp`, `struct`, `value`, or the name of a message or enum */
  readonly kind: string;
  readonly repeated?: boolean;
  readonly map?: boolean;
  /** explicit presence: "not set" differs from "set to the default" */
  readonly optional?: boolean;
  readonly oneof?: string;
  /** the draft version that adds it; released texts do not know it */
  readonly draft?: string;
  readonly required?: "present" | "non-empty" | "may-be-empty";
}
