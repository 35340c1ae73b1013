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
  /** judged mildly by the requirement itself when the member is there but empty */
  readonly mayBeEmpty?: true;
}

/** Which requirement a wrong place belongs to. The first row that fits counts, so the specific stand above the general. */
const places: readonly Place[] = [
  { at: /^\$$/, rule: "CARD-002", fix: "Serve one JSON object of the AgentCard message." },
  { at: /^\$\.name$/, rule: "CARD-003", fix: "Give `name`, a string people recognise the agent by.", mayBeEmpty: true },
  { at: /^\$\.description$/, rule: "CARD-004", fix: "Say in `description` what the agent does.", mayBeEmpty: true },
  {
    at: /^\$\.version$/,
    rule: "CARD-005",
    fix: 'Give the agent\'s own version as a string, as in "1.4.0".',
    mayBeEmpty: true,
  },
  { at: /^\$\.supportedInterfaces\[\d+\]\.url$/, rule: "CARD-011", fix: "Give the address clients are to call." },
  {
    at: /^\$\.supportedInterfaces\[\d+\]\.protocolBinding$/,
    rule: "CARD-012",
    fix: "Name the binding: JSONRPC, GRPC, HTTP+JSON, or the URI of a custom one.",
  },
  {
    at: /^\$\.supportedInterfaces\[\d+\]\.protocolVersion$/,
    rule: "CARD-013",
    fix: 'Give each interface its own protocolVersion, as in "1.0".',
  },
  {
    at: /^\$\.supportedInterfaces\[\d+\]\.tenant$/,
    rule: "TEN-007",
    fix: "Write the tenant as a string, or leave it out.",
  },
  {
    at: /^\$\.supportedInterfaces/,
    rule: "CARD-006",
    fix: "List at least one {url, protocolBinding, protocolVersion}, the preferred one first.",
  },
  {
    at: /^\$\.capabilities\.(?:streaming|pushNotifications|extendedAgentCard)$/,
    rule: "CARD-025",
    fix: "Write true or false without quotes, or leave the flag out.",
  },
  {
    at: /^\$\.capabilities\.extensions/,
    rule: "EXT-001",
    fix: "Declare each extension as {uri, description, required, params}.",
  },
  { at: /^\$\.capabilities$/, rule: "CARD-007", fix: "Add `capabilities`; {} is enough for an agent without options." },
  { at: /^\$\.defaultInputModes/, rule: "CARD-008", fix: 'Give an array of media types, as in ["text/plain"].' },
  { at: /^\$\.defaultOutputModes/, rule: "CARD-009", fix: 'Give an array of media types, as in ["text/plain"].' },
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
  { at: /^\$\.skills\[\d+\]\.(?:input|output)Modes/, rule: "CARD-023", fix: "Give an array of media types." },
  {
    at: /^\$\.skills\[\d+\]\.securityRequirements/,
    rule: "CARD-038",
    fix: 'Write [{"schemes": {"<name>": {"list": [...]}}}].',
  },
  { at: /^\$\.skills/, rule: "CARD-010", fix: "Give an array with an object for each skill." },
  { at: /^\$\.provider/, rule: "CARD-024", fix: "Give `provider` both `url` and `organization`.", mayBeEmpty: true },
  {
    at: /^\$\.securitySchemes.*\.apiKeySecurityScheme/,
    rule: "CARD-027",
    fix: "State `location` and `name` of the key.",
  },
  { at: /^\$\.securitySchemes.*\.httpAuthSecurityScheme/, rule: "CARD-028", fix: 'State `scheme`, as in "Bearer".' },
  {
    at: /\.flows\.authorizationCode/,
    rule: "CARD-030",
    fix: "State authorizationUrl, tokenUrl and scopes ({} if there are none).",
  },
  { at: /\.flows\.clientCredentials/, rule: "CARD-031", fix: "State tokenUrl and scopes ({} if there are none)." },
  {
    at: /\.flows\.deviceCode/,
    rule: "CARD-032",
    fix: "State deviceAuthorizationUrl, tokenUrl and scopes ({} if there are none).",
  },
  {
    at: /\.flows\.(?:implicit|password)/,
    rule: "CARD-034",
    fix: "Move to authorizationCode with PKCE or to deviceCode.",
  },
  { at: /\.oauth2SecurityScheme\.flows$/, rule: "CARD-029", fix: "Declare one scheme for each OAuth flow." },
  {
    at: /\.oauth2MetadataUrl$/,
    rule: "CARD-035",
    fix: "Give the https URL of the RFC 8414 metadata, or leave it out.",
  },
  { at: /^\$\.securitySchemes.*\.openIdConnectSecurityScheme/, rule: "CARD-033", fix: "State openIdConnectUrl." },
  {
    at: /^\$\.securitySchemes/,
    rule: "CARD-026",
    fix: 'Wrap each scheme in its kind, as in {"httpAuthSecurityScheme": {"scheme": "Bearer"}}.',
  },
  { at: /^\$\.securityRequirements/, rule: "CARD-036", fix: 'Write [{"schemes": {"<name>": {"list": [...]}}}].' },
  { at: /^\$\.(?:documentation|icon)Url$/, rule: "CARD-041", fix: "Give an absolute URL, or leave the member out." },
];

/** The members of a 1.0 card against the schema. Unknown members are no fault of shape; they have a rule of their own. */
export const shape: CardRule = function* ({ meant, shape }) {
  if (shape === "older") return;
  const unset = nullsForUnset(meant);
  for (const violation of validate("AgentCard", meant)) {
    // Signatures are read, and judged, in rules/signatures.ts.
    if (violation.code === "unknown-member" || violation.path.startsWith("$.signatures[")) continue;
    yield judged(violation, unset);
  }
};

/** Places where null stands for "not set", which ProtoJSON reads and A2A does not ask anybody to write. */
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
    fix: place?.fix ?? "Write the member as the 1.0 schema has it.",
    rule: place?.rule ?? "CARD-002",
  };
}

function isMild(code: ViolationCode, path: string, place: Place | undefined): boolean {
  switch (code) {
    case "empty":
      return place?.mayBeEmpty === true;
    case "missing":
      // A ProtoJSON printer drops an empty map, so a flow without scopes has none of them.
      return path.endsWith(".scopes");
    case "none-of":
    case "several-of":
      // Two flows are unparseable for generated code, none is of little use; OpenAPI habits explain both.
      return place?.rule === "CARD-029";
    default:
      return false;
  }
}
