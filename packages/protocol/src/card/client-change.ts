import type { AgentCard } from "../generated/model.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { canonicalJson } from "./canonical.ts";
import type { CardInterface } from "./interfaces.ts";

/** Effects of a change on clients, the worst first. */
export const changeEffects = ["breaking", "risky", "compatible"] as const;
export type ChangeEffect = (typeof changeEffects)[number];

/** All kinds of changes between two cards, with their effect on clients. */
const effects = {
  // Interfaces and versions
  "version-dropped": "breaking",
  "version-added": "compatible",
  "interface-removed": "breaking",
  "interface-added": "compatible",
  "interface-moved": "risky",
  "tls-dropped": "breaking",
  "address-removed": "risky",
  "address-added": "compatible",
  "preference-changed": "risky",
  "older-members-removed": "breaking",
  "interface-list-removed": "breaking",
  // Skills and modes
  "skill-removed": "breaking",
  "skill-id-changed": "breaking",
  "skill-added": "compatible",
  "skill-text-changed": "compatible",
  "input-mode-dropped": "breaking",
  "output-mode-dropped": "breaking",
  "mode-added": "compatible",
  // Login
  "login-added": "breaking",
  "login-changed": "breaking",
  "login-alternative-added": "compatible",
  "login-no-longer-required": "risky",
  "login-relaxed": "risky",
  "scheme-changed": "risky",
  "scheme-removed": "risky",
  "scheme-added": "compatible",
  // Capabilities and extensions
  "capability-dropped": "breaking",
  "capability-added": "compatible",
  "extension-required": "breaking",
  "extension-removed": "risky",
  "extension-params-changed": "risky",
  "extension-added": "compatible",
  "extension-optional": "compatible",
  // Signatures
  "signature-lost": "breaking",
  "signing-key-changed": "risky",
  "signature-added": "compatible",
  // Identity and everything else
  "name-changed": "risky",
  "provider-changed": "risky",
  "text-changed": "compatible",
  "unknown-member-changed": "compatible",
} as const satisfies Record<string, ChangeEffect>;
export type CardChangeCode = keyof typeof effects;

/** One difference between two cards. Code decides by `code` and `effect`; the rest is for people. */
export interface ClientChange {
  readonly code: CardChangeCode;
  readonly effect: ChangeEffect;
  /** the member of the 1.0 model, for example `$.skills` */
  readonly path: string;
  readonly message: string;
  /** the clients that notice the change */
  readonly affects: string;
  /** interfaces that no longer exist, as in "0.3 JSONRPC" */
  readonly lost?: readonly string[];
}

/** One card, as served and in the 1.0 model. */
export interface ComparedCard {
  readonly json: JsonObject;
  readonly card: AgentCard;
  readonly interfaces: readonly CardInterface[];
}

export type Aspect = (old: ComparedCard, next: ComparedCard) => Iterable<ClientChange>;

export const change = (
  code: CardChangeCode,
  path: string,
  message: string,
  affects: string,
  lost?: readonly string[],
): ClientChange => ({ code, effect: effects[code], path, message, affects, ...(lost && { lost }) });

/** Value of `affects` for changes that no client notices. */
export const readers = "people and models that read the card";
export const everyone = "none: existing clients keep working";

export function sameJson(a: JsonValue, b: JsonValue): boolean {
  return sortedText(a) === sortedText(b);
}

/** Falls back to the plain text for a lone surrogate, which has no canonical form. */
export function sortedText(value: JsonValue): string {
  try {
    return canonicalJson(value);
  } catch {
    return JSON.stringify(value);
  }
}
