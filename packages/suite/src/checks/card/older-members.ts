import { type JsonObject, normaliseCard } from "@assay/protocol";
import { asList, asObject, asText, brief } from "../../answers/loose-json.ts";
import { errorOf } from "../../answers/reading.ts";
import { activeCheck, cardCheck } from "../../define/check.ts";
import { breach, broken, holds, notApplicable } from "../../define/finding.ts";
import { shellQuoted } from "../../report/repeat.ts";
import { plain } from "./interfaces.ts";
import { unlessOlder } from "./lint.ts";

/** Older members may stay beside those of 1.0 as long as both agree (AMB-48). */

const extendedFlags = ["supportsAuthenticatedExtendedCard", "supportsExtendedAgentCard"];

export const extendedCardIsACapability = cardCheck("LEG-004", {
  judge(card) {
    const older = unlessOlder(card);
    if (older) return older;
    const flag = extendedFlags.find((name) => card.json[name] === true);
    if (card.facts.extendedAgentCard) return holds();
    if (flag === undefined) return notApplicable("the card declares no extended card");
    return broken(`${flag} is true at the top level of the card, but capabilities.extendedAgentCard is not`, {
      saw: `${flag}: true, capabilities: ${brief(card.json["capabilities"])}`,
      want: "capabilities.extendedAgentCard: true",
    });
  },
});

export const olderMembersAgree = cardCheck("LEG-005", {
  judge(card) {
    const older = unlessOlder(card);
    if (older) return older;
    const legacy = legacyAddresses(card.json);
    if (legacy.length === 0) return holds();
    const listed = new Set(
      normaliseCard(card.json)
        .interfaces.filter(({ path }) => path.startsWith("$.supportedInterfaces"))
        .map(({ url }) => plain(url)),
    );
    const stray = legacy.find(({ url }) => !listed.has(plain(url)));
    if (!stray) return holds("the card has members of an older protocol version, which agree with those of 1.0");
    return broken(`the older member ${stray.member} has an address that supportedInterfaces does not list`, {
      saw: brief(stray.url),
      want: "an address that supportedInterfaces lists too",
    });
  },
});

function legacyAddresses(card: JsonObject): readonly { readonly member: string; readonly url: string }[] {
  const main = asText(card["url"]);
  const more = asList(card["additionalInterfaces"]).flatMap((entry) => asText(asObject(entry)?.["url"]) ?? []);
  return [
    ...(main === undefined ? [] : [{ member: "url", url: main }]),
    ...more.map((url) => ({ member: "additionalInterfaces", url })),
  ];
}

/** Flags that authors misname: `supportsStreaming` means `streaming`. */
const flags = ["streaming", "pushNotifications", "stateTransitionHistory", "extensions"];
const bare = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z]/g, "")
    .replace(/^(supports|has|is|enable|enables)/, "")
    .replace(/s$/, "");

export const flagsAreSpelledRight = cardCheck("V03-CARD-015", {
  judge({ json }) {
    const capabilities = asObject(json["capabilities"]);
    if (!capabilities) return notApplicable("the card has no capabilities");
    const strange = Object.keys(capabilities).find(
      (name) => !flags.includes(name) && flags.some((flag) => bare(flag) === bare(name)),
    );
    if (strange === undefined) return holds();
    const meant = flags.find((flag) => bare(flag) === bare(strange))!;
    // A card with both names works for every reader.
    if (capabilities[meant] !== undefined) return holds(`capabilities has ${strange} besides ${meant}`);
    return breach("misspelt-flag", `capabilities has ${strange}, which no protocol version defines`, {
      saw: `${strange}: ${brief(capabilities[strange])}`,
      want: meant,
    });
  },
});

/**
 * An agent that speaks 0.3 without saying so may also be a 0.2 agent, where only late releases require a version. One
 * method that is new in 0.3 tells them apart.
 */
export const versionIsNamed = activeCheck("V03-CARD-002", {
  once: true,
  async judge(_seen, target) {
    const { card } = target.facts;
    if (card["url"] === undefined && asList(card["supportedInterfaces"]).length > 0)
      return notApplicable("the agent has no card for clients of this version");
    const value = card["protocolVersion"];
    const want = 'protocolVersion: "0.3.0"';
    const version = asText(value);
    if (version !== undefined && /^0\.3(\.|$)/.test(version)) return holds();
    // The calls below only tell 0.3 from 0.2; the fault is on the card.
    const repeat = `curl -s ${shellQuoted(target.facts.cardUrl)}`;
    const saw = value === undefined ? "no protocolVersion" : `protocolVersion: ${brief(value)}`;
    if (version !== undefined)
      return breach("other-version-named", "the agent speaks 0.3, but its card names another version", {
        saw,
        want,
        repeat,
      });
    const rpc = target.sameVersion.find(({ on }) => on.binding === "JSONRPC");
    const message = value === undefined ? "protocolVersion is missing" : "protocolVersion is not a string";
    if (!rpc) return breach("version-unknown", message, { saw, want, repeat });
    const call = await rpc.call("GetExtendedAgentCard", {});
    const code = errorOf(call)?.code;
    const isOf03 = call.reply.is === "result" || (code !== undefined && code !== -32601 && code !== -32600);
    return breach(isOf03 ? "broken" : "version-unknown", message, { saw, want, repeat, at: call });
  },
});
