import { isObject } from "../../json.ts";
import { quote } from "../finding.ts";
import type { CardRule } from "./rule.ts";

/** A card that only older clients can read. Right for an agent of that age, useless for a 1.0 client. */
export const olderShape: CardRule = function* ({ shape, dialects }) {
  const [evidence] = dialects;
  if (shape !== "older" || !evidence) return;
  const claimsNew = evidence.dialect === "1.0";
  yield {
    // An agent that speaks an older version is not at fault for it.
    level: claimsNew ? "error" : "info",
    code: claimsNew ? "older-shape-of-1.0" : "older-card",
    path: "$",
    message: claimsNew
      ? `is the card of a 1.0 agent (${evidence.because}), but has the form of an older card: a top-level url and no supportedInterfaces`
      : `is a card of protocol version ${evidence.dialect} (${evidence.because}); 1.0 clients look for supportedInterfaces`,
    fix: `${claimsNew ? "List" : "For 1.0 clients, list"} every interface in \`supportedInterfaces\` with url, protocolBinding and protocolVersion.`,
    rule: "CARD-006",
  };
};

/** The address of an older card, without which no client finds the agent. */
export const olderAddress: CardRule = function* ({ served, shape }) {
  if (shape !== "older" || (typeof served["url"] === "string" && served["url"] !== "")) return;
  yield {
    level: "error",
    code: "missing",
    path: "$.url",
    message: served["url"] === undefined ? "is required and missing" : `is ${quote(served["url"])}, no address`,
    fix: "Give the address that clients are to call as `url` at the top of the card.",
    rule: "V03-CARD-001",
  };
};

/** `supportsStreaming` and the like: flags in a spelling that no version of the protocol has, so no client reads them. */
export const inventedFlags: CardRule = function* ({ served, shape }) {
  const { capabilities } = served;
  if (shape !== "older" || !isObject(capabilities)) return;
  for (const name of Object.keys(capabilities).filter((member) => member.startsWith("supports"))) {
    yield {
      level: "warning",
      code: "invented-flag",
      path: `$.capabilities.${name}`,
      message: "is a flag of no protocol version; clients take the capability for absent",
      fix: "Use streaming and pushNotifications.",
    };
  }
};

/** Older members beside the 1.0 ones must tell the same story, or the client's age decides which agent it meets. */
export const agreesWithOlder: CardRule = function* ({ served, shape, interfaces }) {
  if (shape !== "superset") return;
  const { url, capabilities } = served;
  if (interfaces.every((entry) => entry.url !== url || entry.path === "$")) {
    yield {
      level: "warning",
      code: "older-url-unlisted",
      path: "$.url",
      message: `is ${quote(url)}, which no entry of supportedInterfaces names`,
      fix: "Let the older url repeat one of the interfaces, or leave it out.",
      rule: "LEG-005",
    };
  }
  const flag = ["supportsAuthenticatedExtendedCard", "supportsExtendedAgentCard"].find((name) => served[name] === true);
  if (flag && !(isObject(capabilities) && capabilities["extendedAgentCard"] === true)) {
    yield {
      level: "warning",
      code: "older-flag-alone",
      path: `$.${flag}`,
      message: "is true, yet capabilities.extendedAgentCard is not, and 1.0 clients look only there",
      fix: "Set capabilities.extendedAgentCard to true as well.",
      rule: "LEG-004",
    };
  }
};
