import { isPresent } from "../canonical.ts";
import { finding } from "../finding.ts";
import { fieldOf, walk } from "../messages.ts";
import type { CardRule } from "./rule.ts";

/**
 * Finds members over which two correct implementations may sign different bytes. For unsigned cards it reports only
 * defaults that a ProtoJSON printer would omit; the rest matters only with a signature.
 */
export const signedBytes: CardRule = function* ({ served, shape }) {
  if (shape === "older") return;
  const isSigned = Array.isArray(served["signatures"]) && served["signatures"].length > 0;
  const { defaults, explicit, unknown } = doubtful(served);
  if (defaults.length) {
    yield finding(isSigned ? "warning" : "info", "signed-default", defaults[0]!, {
      message: `${several(defaults)} set to the default value; 8.4.1 signs the card without such members`,
      fix: "Remove them, so that every reader computes the same bytes.",
      rule: "SIG-012",
    });
  }
  if (isSigned && explicit.length) {
    yield finding("info", "signed-explicit-default", explicit[0]!, {
      message: `${several(explicit)} explicitly set to the default value; 8.4.1 signs it, the short steps of 8.4.3 drop it`,
      fix: "If possible, remove the optional members, because clients differ here.",
      rule: "SIG-010",
    });
  }
  if (isSigned && unknown.length) {
    yield finding("info", "signed-unknown-member", unknown[0]!, {
      message: `${several(unknown)} unknown in 1.0; verifiers that parse into generated types drop such members`,
      fix: "Sign the card without them, or do not publish them in a signed card.",
      rule: "SIG-014",
    });
  }
};

function doubtful(card: Record<string, unknown>) {
  const places = { defaults: [] as string[], explicit: [] as string[], unknown: [] as string[] };
  for (const { message, json, path } of walk("AgentCard", card)) {
    for (const [name, value] of Object.entries(json)) {
      const field = fieldOf(message, name);
      const place = `${path}.${name}`;
      // The shape rule reports null.
      if (value === null || place === "$.signatures" || place.startsWith("$.signatures[")) continue;
      if (!field) places.unknown.push(place);
      else if (!isPresent(field, value)) places.defaults.push(place);
      else if (value === "" || value === false || (Array.isArray(value) && !value.length)) places.explicit.push(place);
    }
  }
  return places;
}

function several(places: string[]): string {
  const named = places.slice(0, 5).join(", ");
  const more = places.length > 5 ? ` and ${places.length - 5} more` : "";
  return `${named}${more} ${places.length === 1 ? "is" : "are"}`;
}
