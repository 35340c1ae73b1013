import {
  type CardFinding,
  type DialectVersion,
  isObject,
  type JsonObject,
  lintCard,
  type OlderWire,
  type Violation,
  validateDialect,
} from "@assay/protocol";
import type { AgentFacts } from "../../card/agent-facts.ts";
import type { BreachCode } from "../../rules/breach-codes.ts";

/** The version and release by which a card is read. */
export type CardAge = Pick<AgentFacts, "dialect" | "release">;

/** A linter finding, with the breach code that severity.yaml weighs separately. */
export interface LintedCard extends CardFinding {
  readonly apart?: BreachCode;
}

type Older = Exclude<DialectVersion, "1.0">;

/**
 * Lints a card by the rules of a version before 1.0, in the form of the 1.0 linter. Newer members beside older ones are
 * ignored, because clients of that version ignore them.
 */
export function lintOlderCard(card: JsonObject, { dialect, release }: CardAge): readonly LintedCard[] {
  const wire = wireOf(dialect as Older, release);
  const shape = validateDialect(wire, "AgentCard", card).flatMap((violation): LintedCard[] => {
    const { code, path, message } = violation;
    const rule = ruleAt(path, card);
    if (rule === undefined) return [];
    const apart = forgiven(violation, card, wire);
    return [{ level: apart ? "warning" : "error", code, path, message, fix: "", rule, ...(apart && { apart }) }];
  });
  const rest = lintCard(asOlder(card), Number.POSITIVE_INFINITY).flatMap((finding): LintedCard[] => {
    const rule = alike[finding.rule ?? ""];
    if (rule === undefined) return [];
    // The schema does not require declared names. The rule infers it, so it only warns.
    if (rule === "V03-CARD-014") return [{ ...finding, rule, level: "warning" }];
    return [{ ...finding, rule }];
  });
  return [...shape, ...rest, ...metadataInClear(card), ...loginForExtended(card), ...emptyVersion(card)];
}

/**
 * Returns the release that judges a card. Cards of 0.2 name their release from 0.2.5 on, so a card without one is
 * judged by 0.2.4.
 */
function wireOf(dialect: Older, release = "0.2.4"): OlderWire {
  if (dialect !== "0.2") return dialect;
  const known = /^0\.2\.[0-6]$/.exec(release)?.[0];
  // An unknown release such as "0.2.9" counts as the latest if it is a 0.2 release.
  return (known ?? (release.startsWith("0.2.") ? "0.2.6" : "0.2.4")) as OlderWire;
}

/** Returns the card as an older client sees it: without lists of interfaces, and with older names of requirements. */
function asOlder(card: JsonObject): JsonObject {
  const { supportedInterfaces: _new, supported_interfaces: _snake, securityRequirements: _named, ...rest } = card;
  // The schema reports a missing url; the rest is still an older card.
  return { ...rest, url: typeof card["url"] === "string" ? card["url"] : "" };
}

/** Rules of the 1.0 linter that apply to older cards too. Two have other ids there. */
const alike: Readonly<Record<string, string>> = {
  "CARD-008": "CARD-008",
  "CARD-009": "CARD-009",
  "CARD-010": "CARD-010",
  "CARD-012": "V03-CARD-005",
  "CARD-014": "CARD-014",
  "CARD-020": "CARD-020",
  "CARD-022": "CARD-022",
  "CARD-023": "CARD-023",
  "CARD-037": "CARD-037",
  "CARD-038": "V03-CARD-014",
  "CARD-039": "CARD-039",
  "CARD-041": "CARD-041",
  "EXT-001": "EXT-001",
  "EXT-002": "EXT-002",
};

/** Maps places to rules. The first match counts, so specific rows come first. */
const places: readonly (readonly [at: RegExp, rule: string])[] = [
  [/^\$\.name$/, "CARD-003"],
  [/^\$\.description$/, "CARD-004"],
  [/^\$\.version$/, "CARD-005"],
  [/^\$\.url$/, "V03-CARD-001"],
  [/^\$\.protocolVersion$/, "V03-CARD-002"],
  [/^\$\.preferredTransport$/, "V03-CARD-003"],
  [/^\$\.additionalInterfaces/, "V03-CARD-004"],
  [/^\$\.capabilities\.(?:streaming|pushNotifications|stateTransitionHistory)$/, "CARD-025"],
  [/^\$\.supportsAuthenticatedExtendedCard$/, "CARD-025"],
  [/^\$\.capabilities\.extensions/, "EXT-001"],
  [/^\$\.capabilities$/, "CARD-007"],
  [/^\$\.defaultInputModes/, "CARD-008"],
  [/^\$\.defaultOutputModes/, "CARD-009"],
  [/^\$\.skills\[\d+\]\.id$/, "CARD-020"],
  [/^\$\.skills\[\d+\]\.(?:name|description)$/, "CARD-021"],
  [/^\$\.skills\[\d+\]\.tags/, "CARD-022"],
  [/^\$\.skills\[\d+\]\.(?:input|output)Modes/, "CARD-023"],
  [/^\$\.skills\[\d+\]\.security/, "V03-CARD-014"],
  [/^\$\.skills/, "CARD-010"],
  [/^\$\.provider/, "CARD-024"],
  [/^\$\.authentication/, "V01-CARD-001"],
  [/^\$\.security(?:\[|$)/, "V03-CARD-013"],
  [/^\$\.(?:documentation|icon)Url$/, "CARD-041"],
];

/** Rules about security schemes, by their declared type. */
const schemeRules: Readonly<Record<string, string>> = {
  apiKey: "V03-CARD-009",
  http: "V03-CARD-010",
  oauth2: "V03-CARD-011",
  openIdConnect: "V03-CARD-012",
};

function ruleAt(path: string, card: JsonObject): string | undefined {
  // Other checks judge the format of signatures.
  if (path.startsWith("$.signatures[")) return undefined;
  if (path.startsWith("$.securitySchemes")) {
    if (/\.oauth2MetadataUrl$/.test(path)) return "CARD-035";
    const type = /\.type$/.test(path) ? undefined : typeIn(card, path);
    return schemeRules[type ?? ""] ?? "V03-CARD-008";
  }
  return places.find(([at]) => at.test(path))?.[1] ?? "CARD-002";
}

/** Returns the `type` of the scheme at a place; scheme names may contain dots. */
function typeIn(card: JsonObject, path: string): string | undefined {
  const schemes = isObject(card["securitySchemes"]) ? card["securitySchemes"] : {};
  const name = Object.keys(schemes).find(
    (key) =>
      path.startsWith(`$.securitySchemes.${key}`) || path.startsWith(`$.securitySchemes[${JSON.stringify(key)}]`),
  );
  const scheme = name === undefined ? undefined : schemes[name];
  return isObject(scheme) && typeof scheme["type"] === "string" ? scheme["type"] : undefined;
}

/** Required members of their objects, where null counts as missing. */
const required =
  /^\$\.(?:name|description|url|version|protocolVersion|capabilities|default(?:In|Out)putModes|skills)$|\.(?:id|tags|uri|type|in|scheme|flows|scopes|openIdConnectUrl|transport)$|^\$\.(?:skills|additionalInterfaces|provider|securitySchemes).*\.(?:name|description|url|organization)$/;

/** Required members in 0.1, which requires less than later versions. */
const requiredEarly =
  /^\$\.(?:name|url|version|capabilities|skills)$|^\$\.skills\[\d+\]\.(?:id|name)$|^\$\.provider\.organization$/;

/** Returns the code for violations of the older schema that are weighed separately. */
function forgiven({ code, path, got }: Violation, card: JsonObject, wire: OlderWire): BreachCode | undefined {
  if (code === "null" && !(wire === "0.1" ? requiredEarly : required).test(path)) return "null-member";
  if (wire !== "0.3" && path.endsWith(".type") && got === "mutualTLS") return "scheme-of-0.3";
  if (/^\$\.securitySchemes./.test(path) && Array.isArray(card["supportedInterfaces"])) return "scheme-of-1.0";
  return path.endsWith(".scopes") && code === "missing" ? "scopes-left-out" : undefined;
}

/** OAuth metadata must come over https, like OAuth itself. */
function metadataInClear(card: JsonObject): CardFinding[] {
  const schemes = isObject(card["securitySchemes"]) ? Object.entries(card["securitySchemes"]) : [];
  return schemes.flatMap(([name, scheme]): CardFinding[] => {
    const url = isObject(scheme) ? scheme["oauth2MetadataUrl"] : undefined;
    if (typeof url !== "string" || /^https:\/\//i.test(url)) return [];
    const path = `$.securitySchemes.${name}.oauth2MetadataUrl`;
    return [
      { level: "error", code: "metadata-no-https", path, message: "is not an https URL", fix: "", rule: "CARD-035" },
    ];
  });
}

/** The extended card requires authentication, so the public card must declare a scheme. */
function loginForExtended(card: JsonObject): CardFinding[] {
  const schemes = isObject(card["securitySchemes"]) ? Object.keys(card["securitySchemes"]) : [];
  if (card["supportsAuthenticatedExtendedCard"] !== true || schemes.length > 0) return [];
  return [
    {
      level: "warning",
      code: "extended-without-scheme",
      path: "$.supportsAuthenticatedExtendedCard",
      message: "is true, but the card declares no security scheme to authenticate with",
      fix: "",
      rule: "XCARD-004",
    },
  ];
}

/** The older schemas require only a string. */
const emptyVersion = (card: JsonObject): CardFinding[] =>
  card["version"] === ""
    ? [{ level: "warning", code: "empty", path: "$.version", message: "is empty", fix: "", rule: "CARD-005" }]
    : [];
