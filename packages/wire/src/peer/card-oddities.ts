import { normaliseCard, quote } from "@assay/protocol";
import { isUnspecified } from "../address-kind.ts";
import type { FoundCard } from "./discover.ts";

/** What is odd about how a card is served, and does no harm to us: other clients may stop there. */
export function cardOddities({ url, exchange, json }: FoundCard, address: string): string[] {
  const { response } = exchange.http;
  const label = response?.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const hasMark = Buffer.from(response?.body.slice(0, 3) ?? []).equals(byteOrderMark);
  const isOld = url.endsWith("/.well-known/agent.json") && !/\.json$/i.test(new URL(address).pathname);
  const { dialects, interfaces } = normaliseCard(json);
  const isNew = dialects.some(({ dialect }) => dialect === "1.0" || dialect === "0.3");
  const unspecified = interfaces.flatMap((each) => hostIn(each.url)).find(isUnspecified);
  const host = new URL(url).hostname;
  return [
    ...(hasMark ? ["Some clients cannot read it: the card begins with a byte order mark."] : []),
    ...(label !== "" && !/^application\/([\w.+-]+\+)?json\b/i.test(label)
      ? [`Some clients do not read it: the card is labelled ${quote(label)}, not application/json.`]
      : []),
    ...(isOld && isNew
      ? [
          "Clients of today do not find it: the card is served only at /.well-known/agent.json, where versions before 0.3 had it.",
        ]
      : []),
    ...(unspecified === undefined ? [] : [`${unspecified} is read as ${host}, where the card came from.`]),
  ];
}

const byteOrderMark = Buffer.from("\ufeff");

/** gRPC addresses need not be URLs. */
function hostIn(address: string): string[] {
  const text = address.includes("://") ? address : `http://${address}`;
  return URL.canParse(text) ? [new URL(text).hostname] : [];
}
