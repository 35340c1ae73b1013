import type { ExchangeRecorded, RunEvent } from "@assay/suite/report";
import { z } from "zod";
import { untrusted, untrustedText } from "../untrusted.ts";

/** A request and its response as text. The request may repeat ids and addresses of the agent, so it is marked, too. */
export const shownExchange = z.strictObject({ id: z.string(), request: untrustedText, response: untrustedText });

/** Returns the exchanges with these ids, in the order of the ids. */
export function exchangesOf(
  events: readonly RunEvent[],
  ids: readonly string[],
  most: number,
): z.infer<typeof shownExchange>[] {
  const byId = new Map(events.flatMap((event) => (event.event === "exchange" ? [[event.id, event] as const] : [])));
  return ids.flatMap((id) => {
    const exchange = byId.get(id);
    return exchange ? [{ id, ...textsOf(exchange, most) }] : [];
  });
}

function textsOf({ entry: { request, response } }: ExchangeRecorded, most: number) {
  const { content } = response;
  const body = content.encoding ? `(${content.size} bytes, Base64) ${content.text}` : content.text;
  const head = response._error ?? `${response.httpVersion} ${response.status} ${response.statusText}`;
  return {
    request: untrusted(
      message(`${request.method} ${request.url}`, request.headers, request.postData?.text ?? ""),
      most,
    ),
    response: untrusted(message(head.trimEnd(), response.headers, body), most),
  };
}

const message = (
  start: string,
  headers: readonly { readonly name: string; readonly value: string }[],
  body: string,
): string => [start, ...headers.map(({ name, value }) => `${name}: ${value}`), "", body].join("\n").trimEnd();
