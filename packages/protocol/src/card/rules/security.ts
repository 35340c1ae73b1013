import { isObject } from "../../json.ts";
import { finding, quote } from "../finding.ts";
import { objectsIn, type PlacedObject } from "../members.ts";
import type { CardRule } from "./rule.ts";

/** Finds requirements that name an undeclared scheme, which no client can satisfy. */
export const declaredSchemes: CardRule = function* ({ meant }) {
  const schemes = meant["securitySchemes"];
  const declared = isObject(schemes) ? schemes : {};
  for (const [requirement, path] of requirements(meant)) {
    for (const name of schemeNames(requirement)) {
      if (Object.hasOwn(declared, name)) continue;
      const names = Object.keys(declared).slice(0, 10).map(quote).join(", ") || "none";
      yield finding("error", "undeclared-scheme", path, {
        message: `requires the scheme ${quote(name)}, which securitySchemes does not declare (declared: ${names})`,
        fix: "Declare the scheme under that name, or require a declared one.",
        rule: path.startsWith("$.skills") ? "CARD-038" : "CARD-037",
      });
    }
  }
};

/** Schemes without a requirement say how clients can authenticate, but not that they must. */
export const statedRequirements: CardRule = function* ({ meant, shape }) {
  const schemes = meant["securitySchemes"];
  if (shape === "older" || !isObject(schemes) || !Object.keys(schemes).length || requirements(meant).length) return;
  const capabilities = meant["capabilities"];
  // An open agent with a protected extended card has a scheme to declare and nothing to require.
  const guardsCardOnly = isObject(capabilities) && capabilities["extendedAgentCard"] === true;
  yield finding(guardsCardOnly ? "info" : "warning", "no-requirement", "$.securitySchemes", {
    message: "declares schemes, but no securityRequirements say which ones a request needs",
    fix: guardsCardOnly
      ? "Ignore this if only the extended card needs authentication. Otherwise add `securityRequirements`."
      : 'Add `securityRequirements`: [{"schemes": {"<name>": {"list": []}}}].',
    rule: "CARD-036",
  });
};

export const extendedCard: CardRule = function* ({ meant, shape }) {
  const capabilities = meant["capabilities"];
  const schemes = meant["securitySchemes"];
  const offered = isObject(capabilities) && capabilities["extendedAgentCard"] === true;
  if (shape === "older" || !offered || (isObject(schemes) && Object.keys(schemes).length)) return;
  yield finding("warning", "extended-without-scheme", "$.capabilities.extendedAgentCard", {
    message:
      "is true, but no security scheme is declared; the extended card must require authentication with a declared scheme",
    fix: "Declare the scheme in securitySchemes, or set the flag to false.",
    rule: "XCARD-004",
  });
};

/** Returns the requirements of the card and its skills, under their 1.0 or older names. */
function requirements(card: Record<string, unknown>): PlacedObject[] {
  const holders: PlacedObject[] = [[card, "$"], ...objectsIn(card["skills"], "$.skills")];
  return holders.flatMap(([holder, path]) => {
    const member = Array.isArray(holder["securityRequirements"]) ? "securityRequirements" : "security";
    return objectsIn(holder[member], `${path}.${member}`);
  });
}

/** 1.0 wraps the names in `schemes`; older dialects use them as member names. */
const schemeNames = (requirement: Record<string, unknown>): string[] =>
  Object.keys(isObject(requirement["schemes"]) ? requirement["schemes"] : requirement);
