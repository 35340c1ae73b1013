import type { ViolationCode } from "../schemas/violation.ts";
import type { SignatureFault } from "./protected-header.ts";

/** Kinds of remarks on the text of a card. Their severity is always information. */
export const textRemarks = ["hidden-characters", "look-alike-name", "model-instructions", "other-host-link"] as const;
export type TextRemark = (typeof textRemarks)[number];

/** All kinds of card findings. Code decides by these; `message` is for people. */
export type CardFindingCode =
  // The document as a whole
  | "not-an-object"
  | "too-deep"
  | "too-large"
  | "too-many-interfaces"
  | "more-not-shown"
  // Members against the schema, and those it does not have
  | ViolationCode
  | "older-member"
  | "snake-case"
  | "misspelt-member"
  | "oneof-in-memory"
  // Cards of older versions, and cards for clients of either age
  | "older-card"
  | "older-shape-of-1.0"
  | "invented-flag"
  | "older-url-unlisted"
  | "older-flag-alone"
  // Interfaces
  | "misspelt-binding"
  | "custom-binding-no-uri"
  | "no-http-url"
  | "unspecified-address"
  | "plain-http"
  | "grpc-address"
  | "custom-address"
  | "version-no-major-minor"
  | "version-with-patch"
  | "version-unheard-of"
  | "repeated-interface"
  | "conflicting-transport"
  // Skills, modes, extensions, links
  | "empty-list"
  | "repeated-skill-id"
  | "no-media-type"
  | "extension-no-uri"
  | "extension-unversioned"
  | "no-absolute-url"
  // Security
  | "undeclared-scheme"
  | "no-requirement"
  | "older-requirements"
  | "openapi-requirements"
  | "extended-without-scheme"
  | "api-key-location"
  | "illegal-header-name"
  | "unregistered-scheme"
  | "deprecated-flow"
  | "metadata-no-https"
  | "secret"
  // Text that may mislead a person or a model
  | TextRemark
  // Signatures
  | SignatureFault
  | "signature-header"
  | "padded"
  | "typ"
  | "jku-no-https"
  | "signed-default"
  | "signed-explicit-default"
  | "signed-unknown-member";

/** One finding about a card: what is there and what is required (`message`), and how to fix it (`fix`). */
export interface CardFinding {
  readonly level: "error" | "warning" | "info";
  readonly code: CardFindingCode;
  /** for example `$.skills[0].id` */
  readonly path: string;
  readonly message: string;
  readonly fix: string;
  /** the rule it is based on, for example `CARD-020`; missing for mere advice */
  readonly rule?: string;
}

export const finding = (
  level: CardFinding["level"],
  code: CardFindingCode,
  path: string,
  rest: Pick<CardFinding, "message" | "fix" | "rule">,
): CardFinding => ({ level, code, path, ...rest });

/** 5,000 findings are too many to read: the reader fixes the first ones and runs the check again. */
const maxFindings = 200;

const order = { error: 0, warning: 1, info: 2 };

/** Sorts findings worst first, keeps at most `most`, and counts the rest. */
export function digest(findings: readonly CardFinding[], most: number = maxFindings): CardFinding[] {
  const sorted = findings.toSorted((a, b) => order[a.level] - order[b.level]);
  if (sorted.length <= most) return sorted;
  const more: CardFinding = finding("info", "more-not-shown", "$", {
    message: `${sorted.length - most} more findings are not shown`,
    fix: "Correct the ones above and check the card again.",
  });
  return [...sorted.slice(0, most), more];
}

/** Quotes and shortens text from a peer for use in a message. */
export function quote(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  const text = typeof value === "string" ? value.slice(0, 60) : value;
  const quoted = JSON.stringify(text) ?? "nothing";
  return typeof value === "string" && value.length > 60 ? `${quoted.slice(0, -1)}…"` : quoted;
}
