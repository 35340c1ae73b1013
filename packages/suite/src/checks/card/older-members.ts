import { type JsonObject, normaliseCard } from "@assay/protocol";
import { asList, asObject, asText, brief } from "../../answers/reading.ts";
import { cardCheck } from "../../define/check.ts";
import { broken, holds, notApplicable } from "../../define/finding.ts";
import { unlessOlder } from "./lint.ts";

/** Members of older versions may stay beside those of 1.0, as long as they tell the same story (AMB-48). */

const flags = ["supportsAuthenticatedExtendedCard", "supportsExtendedAgentCard"];

export const extendedCardIsACapability = cardCheck({
  id: "LEG-004",
  title: "the extended card is announced among the capabilities",
  remedy: "Set `capabilities.extendedAgentCard` to true; clients of 1.0 look only there.",
  judge(card) {
    const older = unlessOlder(card);
    if (older) return older;
    const flag = flags.find((name) => card.json[name] === true);
    if (card.facts.extendedAgentCard) return holds();
    if (flag === undefined) return notApplicable("the card announces no extended card");
    return broken(`${flag} is true at the top of the card while capabilities.extendedAgentCard is not`, {
      saw: `${flag}: true, capabilities: ${brief(card.json["capabilities"])}`,
      want: "capabilities.extendedAgentCard: true",
    });
  },
});

export const olderMembersAgree = cardCheck({
  id: "LEG-005",
  title: "members of older versions agree with the interfaces of the card",
  remedy: "Let `url` and `additionalInterfaces` repeat addresses of supportedInterfaces, or leave them out.",
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
    if (!stray) return holds("the card keeps members of an older protocol version, which agree with those of 1.0");
    return broken(`the older member ${stray.member} names an address that supportedInterfaces does not`, {
      saw: brief(stray.url),
      want: "an address that supportedInterfaces lists as well",
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

/** Addresses that lead to the same place are the same. */
const plain = (url: string): string => (URL.canParse(url) ? new URL(url).href : url).replace(/\/+$/, "");
