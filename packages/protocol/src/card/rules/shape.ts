import { messages } from "../../generated/fields.ts";
import type { JsonObject } from "../../json.ts";
import { validate } from "../../schemas/validate.ts";
import type { Violation, ViolationCode } from "../../schemas/violation.ts";
import { type CardFinding, finding } from "../finding.ts";
import { walk } from "../messages.ts";
import type { CardRule } from "./rule.ts";

/** The rule and the fix for a path. With `mayBeEmpty`, an empty value is only a warning under this rule. */
const place = (at: RegExp, rule: string, fix: string, mayBeEmpty = false) => ({ at, rule, fix, mayBeEmpty });

/** Maps a path to its rule. The first match wins, so specific rows come before general ones. */
const places = [
  place(/^\$$/, "CARD-002", "Serve one JSON object of the AgentCard message."),
  place(/^\$\.name$/, "CARD-003", "Set `name` to a string by which people recognise the agent.", true),
  place(/^\$\.description$/, "CARD-004", "Describe in `description` what the agent does.", true),
  place(/^\$\.version$/, "CARD-005", 'Set the agent\'s own version as a string, for example "1.4.0".', true),
  place(/^\$\.supportedInterfaces\[\d+\]\.url$/, "CARD-011", "Set the address that clients call."),
  place(
    /^\$\.supportedInterfaces\[\d+\]\.protocolBinding$/,
    "CARD-012",
    "Name the binding: JSONRPC, GRPC, HTTP+JSON, or the URI of a custom binding.",
  ),
  place(
    /^\$\.supportedInterfaces\[\d+\]\.protocolVersion$/,
    "CARD-013",
    'Set protocolVersion for each interface, for example "1.0".',
  ),
  place(/^\$\.supportedInterfaces\[\d+\]\.tenant$/, "TEN-007", "Write the tenant as a string, or remove it."),
  place(
    /^\$\.supportedInterfaces/,
    "CARD-006",
    "List at least one {url, protocolBinding, protocolVersion}, the preferred one first.",
  ),
  place(
    /^\$\.capabilities\.(?:streaming|pushNotifications|extendedAgentCard)$/,
    "CARD-025",
    "Write true or false without quotes, or remove the flag.",
  ),
  place(/^\$\.capabilities\.extensions/, "EXT-001", "Declare each extension as {uri, description, required, params}."),
  place(/^\$\.capabilities$/, "CARD-007", "Add `capabilities`; {} is enough for an agent without options."),
  place(/^\$\.defaultInputModes/, "CARD-008", 'Write an array of media types, for example ["text/plain"].'),
  place(/^\$\.defaultOutputModes/, "CARD-009", 'Write an array of media types, for example ["text/plain"].'),
  place(/^\$\.skills\[\d+\]\.id$/, "CARD-020", "Give the skill an id that no other skill has.", true),
  place(/^\$\.skills\[\d+\]\.(?:name|description)$/, "CARD-021", "Give the skill a name and a description.", true),
  place(/^\$\.skills\[\d+\]\.tags/, "CARD-022", "Give the skill an array of tags."),
  place(/^\$\.skills\[\d+\]\.(?:input|output)Modes/, "CARD-023", "Write an array of media types."),
  place(/^\$\.skills\[\d+\]\.securityRequirements/, "CARD-038", 'Write [{"schemes": {"<name>": {"list": [...]}}}].'),
  place(/^\$\.skills/, "CARD-010", "Write an array with one object per skill."),
  place(/^\$\.provider/, "CARD-024", "Set both `url` and `organization` in `provider`.", true),
  place(/^\$\.securitySchemes.*\.apiKeySecurityScheme/, "CARD-027", "Set `location` and `name` of the key."),
  place(/^\$\.securitySchemes.*\.httpAuthSecurityScheme/, "CARD-028", 'Set `scheme`, for example "Bearer".'),
  place(/\.flows\.authorizationCode/, "CARD-030", "Set authorizationUrl, tokenUrl and scopes ({} if there are none)."),
  place(/\.flows\.clientCredentials/, "CARD-031", "Set tokenUrl and scopes ({} if there are none)."),
  place(/\.flows\.deviceCode/, "CARD-032", "Set deviceAuthorizationUrl, tokenUrl and scopes ({} if there are none)."),
  place(/\.flows\.(?:implicit|password)/, "CARD-034", "Use authorizationCode with PKCE, or deviceCode."),
  place(/\.oauth2SecurityScheme\.flows$/, "CARD-029", "Declare one scheme for each OAuth flow."),
  place(/\.oauth2MetadataUrl$/, "CARD-035", "Set the https URL of the RFC 8414 metadata, or remove the member."),
  place(/^\$\.securitySchemes.*\.openIdConnectSecurityScheme/, "CARD-033", "Set openIdConnectUrl."),
  place(
    /^\$\.securitySchemes/,
    "CARD-026",
    'Wrap each scheme in its kind, for example {"httpAuthSecurityScheme": {"scheme": "Bearer"}}.',
  ),
  place(/^\$\.securityRequirements/, "CARD-036", 'Write [{"schemes": {"<name>": {"list": [...]}}}].'),
  place(/^\$\.(?:documentation|icon)Url$/, "CARD-041", "Write an absolute URL, or remove the member."),
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
  const known = places.find(({ at }) => at.test(path));
  return finding(unset.has(path) || isMild(code, path, known) ? "warning" : "error", code, path, {
    message,
    fix: known?.fix ?? "Write the member as the 1.0 schema defines it.",
    rule: known?.rule ?? "CARD-002",
  });
}

function isMild(code: ViolationCode, path: string, known: (typeof places)[number] | undefined): boolean {
  switch (code) {
    case "empty":
      return known?.mayBeEmpty === true;
    case "missing":
      // A ProtoJSON printer omits an empty map, so a flow without scopes has no such member.
      return path.endsWith(".scopes");
    case "none-of":
    case "several-of":
      // Generated code cannot parse two flows, and a scheme without flows is of little use. OpenAPI allows both.
      return known?.rule === "CARD-029";
    default:
      return false;
  }
}
