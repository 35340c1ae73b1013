import { isObject } from "../../json.ts";
import { finding, quote } from "../finding.ts";
import type { CardRule } from "./rule.ts";

/** Reports a card that only older clients can read. That is correct for an older agent and useless for a 1.0 client. */
export const olderShape: CardRule = function* ({ shape, dialects }) {
  const [evidence] = dialects;
  if (shape !== "older" || !evidence) return;
  const claimsNew = evidence.dialect === "1.0";
  yield {
    // An agent may support only an older version.
    level: claimsNew ? "error" : "info",
    code: claimsNew ? "older-shape-of-1.0" : "older-card",
    path: "$",
    message: claimsNew
      ? `declares 1.0 (${evidence.because}) in the layout of an older card: a top-level url and no supportedInterfaces`
      : `is a card of protocol version ${evidence.dialect} (${evidence.because}); 1.0 clients need supportedInterfaces`,
    fix: `${claimsNew ? "List" : "For 1.0 clients, list"} every interface in \`supportedInterfaces\` with url, protocolBinding and protocolVersion.`,
    rule: "CARD-006",
  };
};

/** Reports an older card without an address, because no client can find the agent. */
export const olderAddress: CardRule = function* ({ served, shape }) {
  if (shape !== "older" || (typeof served["url"] === "string" && served["url"] !== "")) return;
  yield finding("error", "missing", "$.url", {
    message: served["url"] === undefined ? "is required and missing" : `is ${quote(served["url"])}, not an address`,
    fix: "Set the top-level `url` to the address that clients call.",
    rule: "V03-CARD-001",
  });
};

/** Reports flags such as `supportsStreaming`, which no protocol version defines and no client reads. */
export const inventedFlags: CardRule = function* ({ served, shape }) {
  const { capabilities } = served;
  if (shape !== "older" || !isObject(capabilities)) return;
  for (const name of Object.keys(capabilities).filter((member) => member.startsWith("supports"))) {
    yield finding("warning", "invented-flag", `$.capabilities.${name}`, {
      message: "is not defined in any protocol version; clients ignore it and treat the capability as absent",
      fix: "Use streaming and pushNotifications.",
    });
  }
};

/** Older members must agree with the 1.0 members, or old and new clients see different agents. */
export const agreesWithOlder: CardRule = function* ({ served, shape, interfaces }) {
  if (shape !== "superset") return;
  const { url, capabilities } = served;
  if (interfaces.every((entry) => entry.url !== url || entry.path === "$")) {
    yield finding("warning", "older-url-unlisted", "$.url", {
      message: `is ${quote(url)}, which no entry of supportedInterfaces lists`,
      fix: "Set the older `url` to the URL of one of the interfaces, or remove it.",
      rule: "LEG-005",
    });
  }
  const flag = ["supportsAuthenticatedExtendedCard", "supportsExtendedAgentCard"].find((name) => served[name] === true);
  if (flag && !(isObject(capabilities) && capabilities["extendedAgentCard"] === true)) {
    yield finding("warning", "older-flag-alone", `$.${flag}`, {
      message: "is true, but capabilities.extendedAgentCard is not, and 1.0 clients read only the latter",
      fix: "Set capabilities.extendedAgentCard to true as well.",
      rule: "LEG-004",
    });
  }
};
