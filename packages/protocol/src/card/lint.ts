import type { DialectEvidence } from "./evidence.ts";
import { type CardFinding, digest } from "./finding.ts";
import { readCard } from "./read.ts";
import { extensions } from "./rules/extensions.ts";
import { conflictingTransports, duplicateInterfaces, protocolVersions } from "./rules/interface-list.ts";
import { interfaces } from "./rules/interfaces.ts";
import { links } from "./rules/links.ts";
import { agreesWithOlder, inventedFlags, olderAddress, olderShape } from "./rules/older-members.ts";
import type { CardRule } from "./rules/rule.ts";
import { schemes } from "./rules/schemes.ts";
import { secrets } from "./rules/secrets.ts";
import { declaredSchemes, extendedCard, statedRequirements } from "./rules/security.ts";
import { shape } from "./rules/shape.ts";
import { signatures } from "./rules/signatures.ts";
import { signedBytes } from "./rules/signed-bytes.ts";
import { emptyLists, mediaTypes, skillIds } from "./rules/skills.ts";
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
];

/**
 * What is wrong, doubtful or worth knowing about a card, worst first. Judged leniently, as a third party's card should
 * be: what any 1.0.x text allowed is no error, and a card of an older protocol version is judged as such. People get
 * no more findings than they can use; a judge that goes rule by rule asks for all. `spoken` is the version that the agent
 * turned out to speak, where the card does not name one.
 */
export function lintCard(json: unknown, most?: number, spoken?: DialectEvidence): CardFinding[] {
  const { card: read, findings } = readCard(json);
  const card = read && spoken ? { ...read, dialects: [spoken] } : read;
  return digest([...findings, ...(card ? rules.flatMap((rule) => [...rule(card)]) : [])], most);
}
