import { isObject } from "../../json.ts";
import { quote } from "../finding.ts";
import { objectsIn, type PlacedObject } from "../members.ts";
import type { CardRule } from "./rule.ts";

/** Requirements that name an undeclared scheme: no client can satisfy them. */
export const declaredSchemes: CardRule = function* ({ meant }) {
  const schemes = meant["securitySchemes"];
  const declared = isObject(schemes) ? schemes : {};
  for (const [requirement, path] of requirements(meant)) {
    for (const name of schemeNames(requirement)) {
      if (Object.hasOwn(declared, name)) continue;
      const names = Object.keys(declared).slice(0, 10).map(quote).join(", ") || "none";
      yield {
        level: "error",
        code: "undeclared-scheme",
        path,
        message: `asks for the scheme ${quote(name)}, which securitySchemes does not declare (it has ${names})`,
        fix: "Declare the scheme under that name, or name a declared one.",
        rule: path.startsWith("$.skills") ? "CARD-038" : "CARD-037",
      };
    }
  }
};

/** Schemes without a requirement tell how one could authenticate, but not that one has to. */
export const statedRequirements: CardRule = function* ({ meant, shape }) {
  const schemes = meant["securitySchemes"];
  if (shape === "older" || !isObject(schemes) || !Object.keys(schemes).length || requirements(meant).length) return;
  const capabilities = meant["capabilities"];
  // An open agent whose extended card is guarded has a scheme to declare and nothing to require.
  const guardsCardOnly = isObject(capabilities) && capabilities["extendedAgentCard"] === true;
  yield {
    level: guardsCardOnly ? "info" : "warning",
    code: "no-requirement",
    path: "$.securitySchemes",
    message: "declares schemes, but no securityRequirements say which of them a request needs",
    fix: guardsCardOnly
      ? "Nothing to do if only the extended card asks for a login; otherwise add `securityRequirements`."
      : 'Add `securityRequirements`: [{"schemes": {"<name>": {"list": []}}}].',
    rule: "CARD-036",
  };
};

export const extendedCard: CardRule = function* ({ meant, shape }) {
  const capabilities = meant["capabilities"];
  const schemes = meant["securitySchemes"];
  const offered = isObject(capabilities) && capabilities["extendedAgentCard"] === true;
  if (shape === "older" || !offered || (isObject(schemes) && Object.keys(schemes).length)) return;
  yield {
    level: "warning",
    code: "extended-without-scheme",
    path: "$.capabilities.extendedAgentCard",
    message: "is true, yet no security scheme is declared: the extended card must ask for authentication by one",
    fix: "Declare the scheme in securitySchemes, or switch the flag off.",
    rule: "XCARD-004",
  };
};

/** Those of the card and of its skills, in the words of either age. */
function requirements(card: Record<string, unknown>): PlacedObject[] {
  const holders: PlacedObject[] = [[card, "$"], ...objectsIn(card["skills"], "$.skills")];
  return holders.flatMap(([holder, path]) => {
    const member = Array.isArray(holder["securityRequirements"]) ? "securityRequirements" : "security";
    return objectsIn(holder[member], `${path}.${member}`);
  });
}

/** 1.0 wraps the names in `schemes`; older dialects write them as the members themselves. */
const schemeNames = (requirement: Record<string, unknown>): string[] =>
  Object.keys(isObject(requirement["schemes"]) ? requirement["schemes"] : requirement);
