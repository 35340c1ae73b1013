import { isLoopback, type JsonObject, type JsonValue } from "@assay/protocol";
import { type SignatureVerdict, suspectedForms } from "@assay/protocol/signature";
import { asList, asObject, brief } from "../../answers/loose-json.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { heldUp } from "../../define/obstacle.ts";
import { type Signatures, signatures } from "../../observations/signatures.ts";

type Valid = Extract<SignatureVerdict, { is: "valid" }>;

/**
 * The specification describes the signed payload twice, in two ways. P1 and P2 are right, P3 and P4 are other readings
 * (AMB-22), and the rest are known mistakes. One valid signature is enough, because several coexist during a key
 * rotation.
 */
const overPayload = (id: string, judge: (verified: Valid, card: JsonObject) => Finding | undefined): Check =>
  activeCheck(id, {
    uses: { signatures },
    once: true,
    judge({ signatures: seen }, target) {
      const best = bestOf(seen);
      return isFinding(best) ? best : (judge(best, target.facts.card) ?? holds());
    },
  });

export const payloadChecks: readonly Check[] = [
  overPayload("SIG-007", ({ payload, reading }, card) => {
    if (payload !== "P3-python" || !/[^\x20-\x7e]/.test(JSON.stringify(card))) return undefined;
    return breach("escaped-characters", "the signature covers a card with escaped non-ASCII characters", {
      saw: `verifies over ${reading}`,
      want: "RFC 8785, which escapes only control characters",
    });
  }),
  overPayload("SIG-008", ({ payload, reading }) => {
    if (payload !== suspectedForms.signaturesKept) return undefined;
    return broken("the signature covers a card with an empty signatures list", {
      saw: `verifies over ${reading}`,
      want: "the card without the signatures member",
    });
  }),
  overPayload("SIG-009", ({ payload, reading }) => {
    if (payload !== suspectedForms.flagsFilledIn) return undefined;
    return broken("the signature covers flags that the card does not have", {
      saw: `verifies over ${reading}`,
      want: "the members of the card as served",
    });
  }),
  overPayload("SIG-010", (verified, card) =>
    dropped(verified) && setToDefault(card).length
      ? breach("flags-not-signed", "the signature does not cover members that are explicitly set to a default", {
          saw: `verifies over ${verified.reading}; the card has ${setToDefault(card).join(", ")}`,
          want: "optional members that are set, with any value",
        })
      : undefined,
  ),
  overPayload("SIG-011", (verified, card) =>
    (verified.payload === "P3" || verified.payload === "P3-python") && emptyRequired(card).length
      ? breach("empty-members-not-signed", "the signature does not cover required members that are empty", {
          saw: `verifies over ${verified.reading}; the card has ${emptyRequired(card).join(", ")}`,
          want: "every REQUIRED member, including empty ones",
        })
      : undefined,
  ),
  overPayload("SIG-012", ({ payload, reading }) => {
    if (payload !== "P4") return undefined;
    return breach("defaults-signed", "the signature covers members that have only their default value", {
      saw: `verifies over ${reading}`,
      want: "a payload without such members",
    });
  }),
  overPayload("SIG-014", ({ payload }) => {
    if (!payload.startsWith(suspectedForms.addedLater)) return undefined;
    const member = payload.slice(suspectedForms.addedLater.length);
    return broken("the card has a member that its signature does not cover", {
      saw: `verifies only without ${brief(member, 60)}`,
      want: "a signature of the card as served",
    });
  }),
];

/** P3 drops every default; the reading of a2a-python keeps false. */
const dropped = ({ payload }: Valid): boolean => payload === "P3";

/** Returns optional members that are explicitly set to their default. */
function setToDefault(card: JsonObject): readonly string[] {
  const capabilities = asObject(card["capabilities"]) ?? {};
  const flags = ["streaming", "pushNotifications", "extendedAgentCard"].filter((name) => capabilities[name] === false);
  const links = ["documentationUrl", "iconUrl"].filter((name) => card[name] === "");
  return [...flags.map((name) => `capabilities.${name}`), ...links];
}

/** Returns required members that are empty. */
function emptyRequired(card: JsonObject): readonly string[] {
  const isEmpty = (value: JsonValue | undefined): boolean =>
    value === "" ||
    (Array.isArray(value) ? value.length === 0 : Object.keys(asObject(value) ?? { some: 1 }).length === 0);
  const top = ["name", "description", "version", "capabilities", "defaultInputModes", "defaultOutputModes", "skills"];
  return [
    ...top.filter((name) => isEmpty(card[name])),
    ...asList(card["skills"]).flatMap((skill, index) =>
      ["id", "name", "description", "tags"]
        .filter((name) => isEmpty(asObject(skill)?.[name]))
        .map((name) => `skills[${index}].${name}`),
    ),
  ];
}

/** Returns the best verdict on the signatures; throws if none matches the card. */
function bestOf({ verdicts, keySets }: Signatures): Valid | Finding {
  const valid = verdicts.filter((verdict) => verdict.is === "valid");
  const best = valid.find(({ payload }) => payload === "P1" || payload === "P2") ?? valid[0];
  if (best) return best;
  const wrong = verdicts.find(isMismatch);
  if (wrong?.header) {
    throw heldUp("SIG-007", "no signature of the card matches the card as served", evidenceOf(wrong, keySets), {
      saw: `the signature with kid ${brief(wrong.header.kid, 60)} verifies over no reading of the card`,
      want: "a signature over the card without signatures, in RFC 8785 form",
    });
  }
  return unverified(verdicts, keySets);
}

/** Recognises a wrong signature. The library may also refuse for reasons that are not the agent's fault. */
const isMismatch = (verdict: SignatureVerdict): boolean => verdict.is === "invalid" && verdict.code === "mismatch";

/** Returns why no signature was verified: no key, or nothing to verify. */
function unverified(verdicts: Signatures["verdicts"], keySets: Signatures["keySets"]): Finding {
  const [first] = verdicts;
  const set = keySets.get(first?.header?.jku ?? "");
  if (set?.is === "refused") return notExamined("egress", set.because, set.enable);
  if (first?.is === "key-not-found") {
    const because = set?.is === "missing" ? set.because : set ? "it is not in the key set at jku" : "there is no jku";
    return notExamined("not-triggered", `the key of the signature is not available (${because})`);
  }
  return notExamined(
    "not-triggered",
    `the signature cannot be verified: ${first && "because" in first ? first.because : ""}`,
  );
}

const evidenceOf = ({ header }: SignatureVerdict, keySets: Signatures["keySets"]) => {
  const set = keySets.get(header?.jku ?? "");
  return set && "exchange" in set && set.exchange ? [set.exchange] : [];
};

const isFinding = (best: Valid | Finding): best is Finding => best.is !== "valid";

export const signatureIsWrittenAsJws = activeCheck("SIG-013", {
  uses: { signatures },
  once: true,
  judge({ signatures: seen }) {
    const der = seen.verdicts.find((verdict) => verdict.is === "malformed" && verdict.code === "der-encoded");
    if (der?.is === "malformed") {
      return broken("an ECDSA signature is DER-encoded", {
        saw: der.because,
        want: "R and S concatenated, in base64url",
        at: evidenceOf(der, seen.keySets),
      });
    }
    const best = bestOf(seen);
    return isFinding(best) ? best : holds();
  },
});

export const keyIsWhereItShouldBe = activeCheck("SIG-006", {
  uses: { signatures },
  once: true,
  judge({ signatures: { verdicts, keySets } }) {
    const named = verdicts.flatMap(({ header }) => (header?.jku === undefined ? [] : [{ ...header, jku: header.jku }]));
    if (named.length === 0) return notApplicable("no signature has a jku");
    for (const { jku, kid } of named) {
      const set = keySets.get(jku);
      if (set?.is === "refused") return notExamined("egress", set.because, set.enable);
      if (set?.is === "missing") {
        return broken("the key set at jku cannot be fetched", {
          saw: `${brief(jku)}: ${set.because}`,
          want: "a JWKS",
          ...(set.exchange && { at: set.exchange }),
        });
      }
      if (set && !set.keys.some((key) => key["kid"] === kid)) {
        return broken("the key set at jku does not contain the key of the signature", {
          saw: `kid ${brief(kid, 60)} is not among ${brief(set.keys.map((key) => key["kid"]))}`,
          want: "a key with the kid of the signature",
          at: set.exchange,
        });
      }
      if (!isSafe(jku)) {
        return broken("jku is not an https URL", { saw: brief(jku), want: "an https URL" });
      }
    }
    return holds();
  },
});

/** Accepts https, or plain http on this machine. */
const isSafe = (jku: string): boolean =>
  URL.canParse(jku) && (new URL(jku).protocol === "https:" || isLoopback(new URL(jku).hostname));

export const eachSignatureStandsAlone = activeCheck("SIG-015", {
  uses: { signatures },
  once: true,
  judge({ signatures: { verdicts, keySets } }) {
    if (verdicts.length < 2) return notApplicable("the card has only one signature");
    const wrong = verdicts.findIndex(isMismatch);
    if (wrong < 0) return holds();
    return broken("one of several signatures does not match the card", {
      saw: `signatures[${wrong}]`,
      want: "each signature computed over the card without signatures",
      at: evidenceOf(verdicts[wrong]!, keySets),
    });
  },
});
