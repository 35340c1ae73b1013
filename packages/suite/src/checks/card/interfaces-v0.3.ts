import type { JsonObject } from "@assay/protocol";
import { asObjects, asText, brief } from "../../answers/reading.ts";
import { cardCheck } from "../../define/check.ts";
import { breach, broken, holds, notApplicable } from "../../define/finding.ts";

/** The address at the top of the card and what is spoken there: JSON-RPC, where the card does not say. */
const mainPair = (card: JsonObject): { readonly url: string | undefined; readonly transport: string } => ({
  url: asText(card["url"]),
  transport: asText(card["preferredTransport"]) ?? "JSONRPC",
});

/** Addresses that lead to the same place are the same. */
const plain = (url: unknown): string => {
  const text = asText(url) ?? "";
  return (URL.canParse(text) ? new URL(text).href : text).replace(/\/+$/, "");
};

const listed = (card: JsonObject): readonly JsonObject[] => asObjects(card["additionalInterfaces"]);

export const preferredTransportIsNamed = cardCheck({
  id: "V03-CARD-003",
  title: "the card says what is spoken at its main address",
  remedy: 'Add `preferredTransport`, as in `"preferredTransport": "JSONRPC"`.',
  judge({ json }) {
    const value = json["preferredTransport"];
    const want = "preferredTransport: JSONRPC, GRPC or HTTP+JSON";
    if (value === undefined || value === null) {
      return breach(
        "transport-left-out",
        "preferredTransport is missing, so that clients have to take it for JSONRPC",
        {
          saw: "no preferredTransport",
          want,
        },
      );
    }
    if (typeof value === "string") return holds();
    return broken("preferredTransport is no string", { saw: `preferredTransport: ${brief(value)}`, want });
  },
});

export const mainPairIsRepeated = cardCheck({
  id: "V03-CARD-006",
  title: "the list of interfaces includes the main one",
  remedy: "Repeat `url` and `preferredTransport` as an entry of `additionalInterfaces`.",
  judge({ json }) {
    const { url, transport } = mainPair(json);
    if (url === undefined) return notApplicable("the card has no main address");
    if (listed(json).length === 0) return notApplicable("the card lists no additional interface");
    const isListed = listed(json).some(
      (entry) => plain(entry["url"]) === plain(url) && asText(entry["transport"]) === transport,
    );
    if (isListed) return holds();
    return broken("additionalInterfaces leaves out the main address and its transport", {
      saw: brief(listed(json)),
      want: `an entry ${JSON.stringify({ url, transport })}`,
    });
  },
});

export const addressesDoNotConflict = cardCheck({
  id: "V03-CARD-007",
  title: "no address is declared with transports that contradict each other",
  remedy: "Let `additionalInterfaces` name the transport of `preferredTransport` for the main `url` as well.",
  judge({ json }) {
    const { url, transport } = mainPair(json);
    if (url === undefined || listed(json).length === 0) return notApplicable("the card names no address twice");
    const same = listed(json).filter((entry) => plain(entry["url"]) === plain(url));
    const [other] = same;
    // One address may speak several: that one of them is wrong would show when it is spoken to (CARD-016).
    if (!other || same.some((entry) => asText(entry["transport"]) === transport)) return holds();
    return breach("other-transport", "the main address is listed with another transport than the preferred one", {
      saw: `preferredTransport: ${transport}; additionalInterfaces: ${brief(other)}`,
      want: "the same transport for the same address, or both of them listed",
    });
  },
});
