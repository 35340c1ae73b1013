import { messages } from "../../generated/fields.ts";
import type { MessageName } from "../../schemas/tables.ts";
import { type CardFinding, finding } from "../finding.ts";
import { fieldOf, walk } from "../messages.ts";
import type { CardRule } from "./rule.ts";

/** Members of older dialects, by the message that had them. A card may keep them for older clients. */
const leftovers: Partial<Record<MessageName, readonly string[]>> = {
  AgentCard: [
    "url",
    "protocolVersion",
    "preferredTransport",
    "additionalInterfaces",
    "security",
    "supportsAuthenticatedExtendedCard",
    "supportsExtendedAgentCard",
    "authentication",
  ],
  AgentCapabilities: ["stateTransitionHistory"],
  AgentInterface: ["transport"],
  AgentSkill: ["security"],
  SecurityScheme: [
    "type",
    "in",
    "name",
    "scheme",
    "bearerFormat",
    "description",
    "flows",
    "oauth2MetadataUrl",
    "openIdConnectUrl",
  ],
};

/**
 * Reports members that 1.0 does not define: harmless leftovers, misspellings, or inventions. Readers ignore all of
 * them.
 */
export const unknownMembers: CardRule = function* ({ meant, shape }) {
  if (shape === "older") return;
  for (const { message, json, path } of walk("AgentCard", meant)) {
    const old = Object.keys(json).filter((member) => leftovers[message]?.includes(member));
    if (old.length) yield leftover(old, path);
    for (const member of Object.keys(json)) {
      if (!fieldOf(message, member) && !old.includes(member)) yield unknown(message, member, path);
    }
  }
};

const leftover = (members: string[], path: string): CardFinding =>
  finding("info", "older-member", path, {
    message: `has members of an older protocol version: ${members.join(", ")}`,
    fix: "Fine if they agree with the 1.0 members and are added before the card is signed.",
    rule: "LEG-005",
  });

function unknown(message: MessageName, member: string, path: string): CardFinding {
  const place = `${path}.${member}`;
  const snake = messages[message].find((field) => field.proto === member);
  if (snake) {
    return finding("error", "snake-case", place, {
      message: `is written in snake_case; JSON members of 1.0 are camelCase, here \`${snake.json}\``,
      fix: `Rename it to \`${snake.json}\`, or print the card with a ProtoJSON encoder.`,
      rule: "DATA-001",
    });
  }
  const near = messages[message].find((field) => bare(field.json) === bare(member));
  if (near) {
    return finding("warning", "misspelt-member", place, {
      message: `is not a member of ${message}, so readers ignore it; did you mean \`${near.json}\`?`,
      fix: `Rename it to \`${near.json}\` if that is what you mean.`,
    });
  }
  return finding("info", "unknown-member", place, {
    message: `is not a member of ${message} in 1.0; readers ignore it`,
    fix: "Remove it, or move it into the params of an extension.",
    rule: "EXT-013",
  });
}

/** Removes what commonly differs: letter case, separators, a `supports` prefix, a plural. */
const bare = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z\d]/g, "")
    .replace(/^supports/, "")
    .replace(/s$/, "");
