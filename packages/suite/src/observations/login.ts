import { randomBytes } from "node:crypto";
import { isA2ACode, isHeaderName, type JsonObject } from "@assay/protocol";
import { isInternal } from "../answers/expect-error.ts";
import { asList, asObject, asText } from "../answers/loose-json.ts";
import { errorOf, isForbidden, isLogin } from "../answers/reading.ts";
import type { AgentFacts } from "../card/agent-facts.ts";
import { cardCaps } from "../card/card-caps.ts";
import type { Call } from "../define/call.ts";
import type { How, Target } from "../define/target.ts";

/** Returns true for a rejection because of missing credentials or rights, on any binding (AMB-33). */
export function isTurnedAway(call: Call): boolean {
  if (isLogin(call) || isForbidden(call) || call.shutOut) return true;
  const code = errorOf(call)?.code;
  // 0.1 has two codes for it, which later versions use differently.
  if (call.on.dialect === "0.1" && (code === -32007 || code === -32008)) return true;
  // JSON-RPC has no code for it, so any that is not A2A's own counts.
  return code !== undefined && !isA2ACode(code) && !isInternal(call);
}

/** One way to log in. */
export interface LoginWay {
  readonly scheme: string;
  /** its name in a challenge; API keys have none */
  readonly challenge?: string;
  /** invented credentials; absent if none can be invented, such as a certificate */
  forge?(): Pick<How, "headers" | "query">;
}

/**
 * Returns the login that the card requires; none if the card has no requirement or an empty one. Schemes alone require
 * nothing, because they may be for the extended card.
 */
export function loginOf({ card }: AgentFacts): readonly LoginWay[] | undefined {
  // The text of 1.0 still has the older name and form in places (AMB-21).
  const required = asList(card["securityRequirements"]);
  const alternatives = (required.length ? required : asList(card["security"])).map((entry) => {
    const requirement = asObject(entry) ?? {};
    return Object.keys(asObject(requirement["schemes"]) ?? requirement);
  });
  const named = namedLogins(card);
  if (alternatives.length === 0 && named.length > 0)
    return named.slice(0, cardCaps.logins).map((name) => wayOf(name, ofName(name)));
  if (alternatives.length === 0 || alternatives.some((names) => names.length === 0)) return undefined;
  const schemes = asObject(card["securitySchemes"]) ?? {};
  return [...new Set(alternatives.flat())]
    .slice(0, cardCaps.logins)
    .map((name) => wayOf(name, asObject(schemes[name]) ?? {}));
}

/** Returns the names that cards of 0.1, and some of 0.2, list under `authentication`, or the single one there. */
export const namedLogins = (card: JsonObject): readonly string[] =>
  [asObject(card["authentication"])?.["schemes"]].flat().flatMap((name) => asText(name) ?? []);

/** Cards of 0.1 contain only names: those of OpenAPI and HTTP. */
function ofName(name: string): Record<string, unknown> {
  if (/^(bearer|jwt|oauth2?|openidconnect)$/i.test(name)) return { type: "http", scheme: "Bearer" };
  return /^basic$/i.test(name) ? { type: "http", scheme: "Basic" } : {};
}

const noise = (): string => randomBytes(24).toString("base64url");

function wayOf(scheme: string, declared: Record<string, unknown>): LoginWay {
  // Versions before 1.0 write schemes as OpenAPI does.
  const kind = asText(declared["type"]);
  const http = asObject(declared["httpAuthSecurityScheme"]) ?? (kind === "http" ? declared : undefined);
  const key =
    asObject(declared["apiKeySecurityScheme"]) ??
    (kind === "apiKey" ? { location: declared["in"], name: declared["name"] } : undefined);
  const isToken =
    declared["oauth2SecurityScheme"] ??
    declared["openIdConnectSecurityScheme"] ??
    (kind === "oauth2" || kind === "openIdConnect");
  const word = asText(http?.["scheme"]) ?? (isToken ? "Bearer" : undefined);
  if (word !== undefined && /^basic$/i.test(word)) {
    const pair = (): string => Buffer.from(`assay:${noise()}`).toString("base64");
    return { scheme, challenge: word, forge: () => ({ headers: [["Authorization", `Basic ${pair()}`]] }) };
  }
  if (word !== undefined && /^bearer$/i.test(word)) {
    return { scheme, challenge: word, forge: () => ({ headers: [["Authorization", `Bearer ${noise()}`]] }) };
  }
  if (word !== undefined) return { scheme, challenge: word };
  const name = asText(key?.["name"]);
  // A name that is invalid in a header is invalid in a cookie too.
  if (!name || !isHeaderName(name)) return { scheme };
  switch (key?.["location"]) {
    case "header":
      return { scheme, forge: () => ({ headers: [[name, noise()]] }) };
    case "cookie":
      return { scheme, forge: () => ({ headers: [["Cookie", `${name}=${noise()}`]] }) };
    case "query":
      return { scheme, forge: () => ({ query: [[name, noise()]] }) };
    default:
      return { scheme };
  }
}

/**
 * A component on the way, such as the sidecar of a mesh, may present a certificate for Assay if the card uses
 * certificates and Assay connects without TLS.
 */
export const mayBeVouchedFor = (facts: AgentFacts, on: Target["on"]): boolean =>
  usesCertificates(facts) && !on.url.startsWith("https:");

/** The card uses client certificates for login. */
const usesCertificates = ({ card }: AgentFacts): boolean =>
  Object.values(asObject(card["securitySchemes"]) ?? {}).some(
    (scheme) => asObject(scheme)?.["mtlsSecurityScheme"] || asObject(scheme)?.["type"] === "mutualTLS",
  );
