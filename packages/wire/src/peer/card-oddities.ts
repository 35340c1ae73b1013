import { normaliseCard, quote } from "@assay/protocol";
import { isUnspecified } from "../address-kind.ts";
import type { FoundCard } from "./discover.ts";

/** Describes oddities in how a card is served. We can read it, but other clients may fail. */
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
    ...(hasMark ? ["The card starts with a byte order mark, which some clients cannot read."] : []),
    ...(label !== "" && !/^application\/([\w.+-]+\+)?json\b/i.test(label)
      ? [`Some clients reject it: the card is labelled ${quote(label)}, not application/json.`]
      : []),
    ...(isOld && isNew
      ? [
          "The card is served only at /.well-known/agent.json, the path of versions before 0.3. Current clients do not find it there.",
        ]
      : []),
    ...(unspecified === undefined ? [] : [`${unspecified} is read as ${host}, the host of the card.`]),
  ];
}

const byteOrderMark = Buffer.from("\ufeff");

/** gRPC addresses need not be URLs. */
function hostIn(address: string): string[] {
  const text = address.includes("://") ? address : `http://${address}`;
  return URL.canParse(text) ? [new URL(text).hostname] : [];
}
