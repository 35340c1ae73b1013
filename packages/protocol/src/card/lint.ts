import type { DialectEvidence } from "./evidence.ts";
import { type CardFinding, digest, textRemarks } from "./finding.ts";
import { readCard } from "./read.ts";
import { extensions, links } from "./rules/extensions.ts";
import { conflictingTransports, duplicateInterfaces, interfaces, protocolVersions } from "./rules/interfaces.ts";
import { agreesWithOlder, inventedFlags, olderAddress, olderShape } from "./rules/older-members.ts";
import type { CardRule } from "./rules/rule.ts";
import { schemes } from "./rules/schemes.ts";
import { secrets } from "./rules/secrets.ts";
import { declaredSchemes, extendedCard, statedRequirements } from "./rules/security.ts";
import { shape } from "./rules/shape.ts";
import { signatures, signedBytes } from "./rules/signatures.ts";
import { emptyLists, mediaTypes, skillIds } from "./rules/skills.ts";
import { misleadingText } from "./rules/text.ts";
import { unknownMembers } from "./rules/unknown-members.ts";

const rules: readonly CardRule[] = [
  shape,
  unknownMembers,
  olderShape,
  olderAddress,
  inventedFlags,
  agreesWithOlder,
  interfaces,
  protocolVersions,
  duplicateInterfaces,
  conflictingTransports,
  emptyLists,
  skillIds,
  mediaTypes,
  extensions,
  declaredSchemes,
  statedRequirements,
  extendedCard,
  schemes,
  links,
  secrets,
  signatures,
  signedBytes,
  misleadingText,
];

/**
 * Returns all errors, warnings and notes about a card, worst first.
 *
 * It judges leniently, as for a third party's card: anything that some 1.0.x text allows is not an error, and an older
 * card is judged by its own version. `most` limits the number of findings for people; judges of single rules ask for
 * all. `spoken` is the version that the agent turned out to speak, if the card does not name one.
 */
export function lintCard(json: unknown, most?: number, spoken?: DialectEvidence): CardFinding[] {
  const { card: read, findings } = readCard(json);
  const card = read && spoken ? { ...read, dialects: [spoken] } : read;
  return digest([...findings, ...(card ? rules.flatMap((rule) => [...rule(card)]) : [])], most);
}

/** Returns the remarks on text that may mislead a person or a model: information, which decides nothing. */
export const remarksOn = (json: unknown): CardFinding[] =>
  lintCard(json, Number.POSITIVE_INFINITY).filter(({ code }) => textRemarks.some((each) => each === code));
