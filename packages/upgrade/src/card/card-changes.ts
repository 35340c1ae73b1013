import { type DialectVersion, isObject, type JsonObject } from "@assay/protocol";

/** A member of the card that changes, and why. */
export interface CardChange {
  /** the member today; "(new)" if there is none */
  readonly today: string;
  /** the member in 1.0; "(removed)" if there is none */
  readonly next: string;
  readonly because: string;
}

/** The response from which a card was read. */
interface CardPlace {
  readonly cardUrl: string;
  readonly from: DialectVersion;
  /** the names of its headers, in lower case */
  readonly headers?: readonly string[];
}

interface CardRow extends CardChange {
  readonly when: (today: JsonObject, next: JsonObject) => boolean;
}

const has =
  (...path: readonly string[]) =>
  (card: JsonObject): boolean =>
    path.reduce<unknown>((json, name) => (isObject(json) ? json[name] : undefined), card) !== undefined;

const hasFlow = (card: JsonObject, flow: string): boolean =>
  Object.values(isObject(card["securitySchemes"]) ? card["securitySchemes"] : {}).some(
    (scheme) => isObject(scheme) && isObject(scheme["flows"]) && flow in scheme["flows"],
  );

const rows: readonly CardRow[] = [
  {
    when: has("protocolVersion"),
    today: "protocolVersion",
    next: "supportedInterfaces[].protocolVersion",
    because: "Each interface names its own version, as Major.Minor.",
  },
  {
    when: (card) => has("url")(card) && !has("preferredTransport")(card),
    today: "url",
    next: "supportedInterfaces[0]",
    because: "The first interface is the preferred one.",
  },
  {
    when: has("preferredTransport"),
    today: "url, preferredTransport",
    next: "supportedInterfaces[0]",
    because: "The first interface is the preferred one.",
  },
  {
    when: has("additionalInterfaces"),
    today: "additionalInterfaces[].transport",
    next: "supportedInterfaces[].protocolBinding",
    because: "One list has all interfaces, each of them once.",
  },
  {
    when: has("supportsAuthenticatedExtendedCard"),
    today: "supportsAuthenticatedExtendedCard",
    next: "capabilities.extendedAgentCard",
    because: "The extended card is a capability.",
  },
  {
    when: has("capabilities", "stateTransitionHistory"),
    today: "capabilities.stateTransitionHistory",
    next: "(removed)",
    because: "1.0 has no such capability.",
  },
  {
    when: ({ securitySchemes }) => isObject(securitySchemes) && Object.keys(securitySchemes).length > 0,
    today: "securitySchemes.<name>.type",
    next: "securitySchemes.<name>.<kind>SecurityScheme",
    because: "A member names the kind of the scheme. The location of an API key is called location, not in.",
  },
  {
    when: has("security"),
    today: "security",
    next: "securityRequirements",
    because: "Each requirement has the form {schemes: {name: {list: [scopes]}}}.",
  },
  {
    when: has("authentication"),
    today: "authentication.schemes",
    next: "securitySchemes, securityRequirements",
    because: "0.1 only names logins. Complete the schemes: 1.0 needs their parameters.",
  },
  {
    when: (card) => hasFlow(card, "implicit") || hasFlow(card, "password"),
    today: "flows.implicit, flows.password",
    next: "authorizationCode with PKCE, or deviceCode",
    because: "1.0 deprecates the implicit and the password flow.",
  },
  {
    when: has("signatures"),
    today: "signatures",
    next: "(removed)",
    because: "The signature is over the old card. Sign the new card.",
  },
  {
    when: (card) =>
      Array.isArray(card["skills"]) && card["skills"].some((skill) => isObject(skill) && skill["security"]),
    today: "skills[].security",
    next: "skills[].securityRequirements",
    because: "Skills have requirements in the same form as the card.",
  },
];

/** Returns the members that change. A card for both versions keeps the older ones. */
export function cardChanges(
  today: JsonObject,
  next: JsonObject,
  { cardUrl, from, headers = [] }: CardPlace,
): CardChange[] {
  const found = rows.filter(({ when }) => when(today, next)).map(({ when: _, ...change }) => change);
  const missing = ["Cache-Control", "ETag"].filter((name) => !headers.includes(name.toLowerCase()));
  const isOldPlace = /\/agent\.json(\?|$)/.test(cardUrl);
  return [
    ...found,
    ...(isOldPlace || from === "0.1"
      ? [
          {
            today: "/.well-known/agent.json",
            next: "/.well-known/agent-card.json",
            because: "Clients of 1.0 look there. Serve both places while you have older clients.",
          },
        ]
      : []),
    ...(missing.length
      ? [
          {
            today: "(new)",
            next: `${missing.join(", ")} (HTTP)`,
            because: `1.0 recommends ${missing.length === 1 ? "this header" : "both headers"} for the card.${missing.includes("ETag") ? " Answer with 304 if If-None-Match contains the ETag." : ""}`,
          },
        ]
      : []),
  ];
}
