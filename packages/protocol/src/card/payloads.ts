import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import { canonicalJson, signedMembers, withoutSignatures } from "./canonical.ts";

/**
 * Possible meanings of "the card" for a signer, best first. The specification contradicts itself (§8.4.1 against the
 * short steps of §8.4.2), and SDKs add their own readings. A verifier tries all of them to name the mistake. P1 and P2
 * are correct; P3 and P4 deviate.
 */
const readings = [
  {
    name: "P1",
    reading: "the served card by the presence rules of 8.4.1, unknown members kept",
    text: (card) => canonicalJson(signedMembers(card, { unknown: "keep" })),
  },
  {
    name: "P2",
    reading: "the served card by the presence rules of 8.4.1, unknown members dropped",
    text: (card) => canonicalJson(signedMembers(card, { unknown: "drop" })),
  },
  {
    name: "P3",
    reading: "every default value removed, even explicit and REQUIRED ones, as the short steps of 8.4.2 read",
    text: (card) => canonicalJson(prune(withoutSignatures(card), isDefault) ?? {}),
  },
  {
    // a2a-python: src/a2a/utils/signing.py, _canonicalize_agent_card
    name: "P3-python",
    reading: "every empty string, list and object removed and non-ASCII characters escaped, as a2a-python signs",
    text: (card) => asciiOnly(canonicalJson(prune(signedMembers(card, { unknown: "drop" }), isEmpty) ?? {})),
  },
  {
    name: "P4",
    reading: "the served card with all its default values, only `signatures` removed",
    text: (card) => canonicalJson(withoutSignatures(card)),
  },
] as const satisfies readonly { name: string; reading: string; text: (card: JsonObject) => string }[];

export interface Payload {
  /** P1 to P4, or the name of an extra candidate */
  readonly name: string;
  /** the deviation in words, for P3 and P4 */
  readonly reading: string;
  /** the text whose UTF-8 bytes are signed */
  readonly text: string;
}

/** Returns the candidate payloads of a card: each text once, named after its best reading. */
export function candidatePayloads(card: JsonObject): Payload[] {
  const byText = new Map<string, Payload>();
  for (const { name, reading, text } of readings) {
    const payload = { name, reading, text: text(card) };
    if (!byText.has(payload.text)) byText.set(payload.text, payload);
  }
  return [...byText.values()];
}

/** Prunes from the inside out, so an object is removed once all its members are. */
function prune(value: JsonValue, gone: (value: JsonValue) => boolean): JsonValue | undefined {
  const pruned = pruneInside(value, gone);
  return gone(pruned) ? undefined : pruned;
}

function pruneInside(value: JsonValue, gone: (value: JsonValue) => boolean): JsonValue {
  if (Array.isArray(value))
    return value.map((element) => prune(element, gone)).filter((element) => element !== undefined);
  if (!isObject(value)) return value;
  const members: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value as JsonObject)) {
    const kept = prune(member, gone);
    if (kept !== undefined) members.push([name, kept]);
  }
  return Object.fromEntries(members);
}

function isEmpty(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === "" || (isObject(value) && Object.keys(value).length === 0);
}

const isDefault = (value: JsonValue): boolean => value === null || value === false || value === 0 || isEmpty(value);

const asciiOnly = (text: string): string =>
  text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
