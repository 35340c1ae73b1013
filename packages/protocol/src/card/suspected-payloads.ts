import { isObject, type JsonObject } from "../json.ts";
import { canonicalJson, signedMembers } from "./canonical.ts";
import type { Payload } from "./payloads.ts";

/** Names of other forms of the card that a signer may have signed. Each name describes the mistake. */
export const suspectedForms = {
  signaturesKept: "signatures-kept",
  flagsFilledIn: "flags-filled-in",
  addedLater: "added-later:",
};

/** Returns these forms of a card, to name the mistake of a signature that matches no usual reading. */
export function suspectedPayloads(card: JsonObject): readonly Payload[] {
  try {
    const signed = signedMembers(card, { unknown: "keep" });
    const capabilities = isObject(signed["capabilities"]) ? signed["capabilities"] : {};
    const unset = { streaming: false, pushNotifications: false, extendedAgentCard: false };
    return [
      {
        name: suspectedForms.signaturesKept,
        reading: "the card with an empty list of signatures",
        text: canonicalJson({ ...signed, signatures: [] }),
      },
      {
        name: suspectedForms.flagsFilledIn,
        reading: "the card with its missing capabilities written as false",
        text: canonicalJson({ ...signed, capabilities: { ...unset, ...(capabilities as JsonObject) } }),
      },
      ...Object.keys(signed).map((member) => {
        const { [member]: _later, ...rest } = signed;
        return {
          name: `${suspectedForms.addedLater}${member}`,
          reading: "a part of the card",
          text: canonicalJson(rest),
        };
      }),
    ];
  } catch {
    // The card has no canonical form, which verifyCard reports.
    return [];
  }
}
