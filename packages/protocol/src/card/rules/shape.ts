import { messages } from "../../generated/fields.ts";
import type { JsonObject } from "../../json.ts";
import { validate } from "../../schemas/validate.ts";
import type { Violation, ViolationCode } from "../../schemas/violation.ts";
import type { CardFinding } from "../finding.ts";
import { walk } from "../messages.ts";
import type { CardRule } from "./rule.ts";

interface Place {
  readonly at: RegExp;
  readonly rule: string;
  readonly fix: string;
  /** an empty value is only a warning under this rule */
  readonly mayBeEmpty?: true;
}

/** Maps a path to its rule. The first match wins, so specific rows come before general ones. */
const places: readonly Place[] = [
  { at: /^\$$/, rule: "CARD-002", fix: "Serve one JSON object of the AgentCard message." },
  {
    at: /^\$\.name$/,
    rule: "CARD-003",
    fix: "Set `name` to a string by which people recognise the agent.",
    mayBeEmpty: true,
  },
  {
    at: /^\$\.description$/,
    rule: "CARD-004",
    fix: "Describe in `description` what the agent does.",
    mayBeEmpty: true,
  },
  {
    at: /^\$\.version$/,
    rule: "CARD-005",
    fix: 'Set the agent\'s own version as a string, for example "1.4.0".',
    mayBeEmpty: true,
  },
  { at: /^\$\.supportedInterfaces\[\d+\]\.url$/, rule: "CARD-011", fix: "Set the address that clients call." },
  {
    at: /^\$\.supportedInterfaces\[\d+\]\.protocolBinding$/,
    rule: "CARD-012",
    fix: "Name the binding: JSONRPC, GRPC, HTTP+JSON, or the URI of a custom binding.",
  },
  {
    at: /^\$\.supportedInterfaces\[\d+\]\.protocolVersion$/,
    rule: "CARD-013",
    fix: 'Set protocolVersion for each interface, for example "1.0".',
  },
  {
    at: /^\$\.supportedInterfaces\[\d+\]\.tenant$/,
    rule: "TEN-007",
    fix: "Write the tenant as a string, or remove it.",
  },
  {
    at: /^\$\.supportedInterfaces/,
    rule: "CARD-006",
    fix: "List at least one {url, protocolBinding, protocolVersion}, the preferred one first.",
  },
  {
    at: /^\$\.capabilities\.(?:streaming|pushNotifications|extendedAgentCard)$/,
    rule: "CARD-025",
    fix: "Write true or false without quotes, or remove the flag.",
  },
  {
    at: /^\$\.capabilities\.extensions/,
    rule: "EXT-001",
    fix: "Declare each extension as {uri, description, required, params}.",
  },
  { at: /^\$\.capabilities$/, rule: "CARD-007", fix: "Add `capabilities`; {} is enough for an agent without options." },
  { at: /^\$\.defaultInputModes/, rule: "CARD-008", fix: 'Write an array of media types, for example ["text/plain"].' },
  {
    at: /^\$\.defaultOutputModes/,
    rule: "CARD-009",
    fix: 'Write an array of media types, for example ["text/plain"].',
  },
  {
    at: /^\$\.skills\[\d+\]\.id$/,
    rule: "CARD-020",
    fix: "Give the skill an id that no other skill has.",
    mayBeEmpty: true,
  },
  {
    at: /^\$\.skills\[\d+\]\.(?:name|description)$/,
    rule: "CARD-021",
    fix: "Give the skill a name and a description.",
    mayBeEmpty: true,
  },
  { at: /^\$\.skills\[\d+\]\.tags/, rule: "CARD-022", fix: "Give the skill an array of tags." },
  { at: /^\$\.skills\[\d+\]\.(?:input|output)Modes/, rule: "CARD-023", fix: "Write an array of media types." },
  {
    at: /^\$\.skills\[\d+\]\.securityRequirements/,
    rule: "CARD-038",
    fix: 'Write [{"schemes": {"<name>": {"list": [...]}}}].',
  },
  { at: /^\$\.skills/, rule: "CARD-010", fix: "Write an array with one object per skill." },
  { at: /^\$\.provider/, rule: "CARD-024", fix: "Set both `url` and `organization` in `provider`.", mayBeEmpty: true },
  {
    at: /^\$\.securitySchemes.*\.apiKeySecurityScheme/,
    rule: "CARD-027",
    fix: "Set `location` and `name` of the key.",
  },
  {
    at: /^\$\.securitySchemes.*\.httpAuthSecurityScheme/,
    rule: "CARD-028",
    fix: 'Set `scheme`, for example "Bearer".',
  },
  {
    at: /\.flows\.authorizationCode/,
    rule: "CARD-030",
    fix: "Set authorizationUrl, tokenUrl and scopes ({} if there are none).",
  },
  { at: /\.flows\.clientCredentials/, rule: "CARD-031", fix: "Set tokenUrl and scopes ({} if there are none)." },
  {
    at: /\.flows\.deviceCode/,
    rule: "CARD-032",
    fix: "Set deviceAuthorizationUrl, tokenUrl and scopes ({} if there are none).",
  },
  {
    at: /\.flows\.(?:implicit|password)/,
    rule: "CARD-034",
    fix: "Use authorizationCode with PKCE, or deviceCode.",
  },
  { at: /\.oauth2SecurityScheme\.flows$/, rule: "CARD-029", fix: "Declare one scheme for each OAuth flow." },
  {
    at: /\.oauth2MetadataUrl$/,
    rule: "CARD-035",
    fix: "Set the https URL of the RFC 8414 metadata, or remove the member.",
  },
  { at: /^\$\.securitySchemes.*\.openIdConnectSecurityScheme/, rule: "CARD-033", fix: "Set openIdConnectUrl." },
  {
    at: /^\$\.securitySchemes/,
    rule: "CARD-026",
    fix: 'Wrap each scheme in its kind, for example {"httpAuthSecurityScheme": {"scheme": "Bearer"}}.',
  },
  { at: /^\$\.securityRequirements/, rule: "CARD-036", fix: 'Write [{"schemes": {"<name>": {"list": [...]}}}].' },
  { at: /^\$\.(?:documentation|icon)Url$/, rule: "CARD-041", fix: "Write an absolute URL, or remove the member." },
];

/** Checks the members of a 1.0 card against the schema. Another rule handles unknown members. */
export const shape: CardRule = function* ({ meant, shape }) {
  if (shape === "older") return;
  const unset = nullsForUnset(meant);
  for (const violation of validate("AgentCard", meant)) {
    // rules/signatures.ts reads and judges signatures.
    if (violation.code === "unknown-member" || violation.path.startsWith("$.signatures[")) continue;
    yield judged(violation, unset);
  }
};

/** Finds null used for "not set", which ProtoJSON readers accept and A2A never requires. */
function nullsForUnset(card: JsonObject): Set<string> {
  const places = new Set<string>();
  for (const { message, json, path } of walk("AgentCard", card)) {
    for (const { json: name, required } of messages[message]) {
      if (json[name] === null && !required) places.add(`${path}.${name}`);
    }
  }
  return places;
}

function judged({ code, path, message }: Violation, unset: Set<string>): CardFinding {
  const place = places.find(({ at }) => at.test(path));
  return {
    level: unset.has(path) || isMild(code, path, place) ? "warning" : "error",
    code,
    path,
    message,
    fix: place?.fix ?? "Write the member as the 1.0 schema defines it.",
    rule: place?.rule ?? "CARD-002",
  };
}

function isMild(code: ViolationCode, path: string, place: Place | undefined): boolean {
  switch (code) {
    case "empty":
      return place?.mayBeEmpty === true;
    case "missing":
      // A ProtoJSON printer omits an empty map, so a flow without scopes has no such member.
      return path.endsWith(".scopes");
    case "none-of":
    case "several-of":
      // Generated code cannot parse two flows, and no flow is of little use. OpenAPI habits explain both.
      return place?.rule === "CARD-029";
    default:
      return false;
  }
}
