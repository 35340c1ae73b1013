import { draftFieldsOf, extensionsHeader, fieldsOf, olderExtensionsHeader, readExtensions } from "@assay/protocol";
import type { HeaderPairs } from "@assay/wire";
import { asList, asObject, asText } from "../answers/loose-json.ts";
import type { Call } from "../define/call.ts";
import { shapesOf } from "./of-call.ts";

/** Returns the extensions that a response lists as active, in a header or gRPC metadata; undefined if it lists none. */
export function echoedIn({ exchange, on }: Call): readonly string[] | undefined {
  const { headers = [], trailers = [] } = exchange.http.response ?? {};
  const names = on.dialect === "1.0" ? [extensionsHeader] : [extensionsHeader, olderExtensionsHeader];
  const lines = [...headers, ...trailers].filter(([name]) =>
    names.some((known) => known.toLowerCase() === name.toLowerCase()),
  );
  return lines.length ? lines.flatMap(([, value]) => readExtensions(value)) : undefined;
}

/** Returns the extensions visible in a response: listed as active, named by the agent, or in its metadata. */
export function shownIn(call: Call): ReadonlySet<string> {
  const said = shapesOf(call).objects.flatMap(({ message, path, value }) => {
    // The history also contains messages of clients.
    if (message === "Message" && (value["role"] === "ROLE_USER" || path.includes(".history["))) return [];
    const named = message === "Message" || message === "Artifact" ? asList(value["extensions"]) : [];
    return [...named.flatMap((uri) => asText(uri) ?? []), ...Object.keys(asObject(value["metadata"]) ?? {})];
  });
  return new Set([...(echoedIn(call) ?? []), ...said]);
}

/** Returns members and enum names that no text of the protocol defines, by message and name. */
export function strangeIn(call: Call): ReadonlySet<string> {
  const { objects, deviations } = shapesOf(call);
  const members = objects.flatMap(({ message, value }) => {
    const fields = [...fieldsOf(message), ...draftFieldsOf(message)];
    const names = new Set(fields.flatMap(({ json, proto }) => [json, proto]));
    return Object.keys(value).flatMap((name) => (names.has(name) ? [] : [`${message}.${name}`]));
  });
  const values = deviations.flatMap(({ kind, message, member, value }) =>
    kind === "enum" ? [`${message}.${member} ${JSON.stringify(value)}`] : [],
  );
  return new Set([...members, ...values]);
}

/** Requests exactly these extensions, in one header. */
export const asking =
  (...uris: readonly string[]) =>
  (headers: HeaderPairs): HeaderPairs => [
    ...headers.filter(([name]) => !isExtensionsHeader(name)),
    ...(uris.length ? [[extensionsHeader, uris.join(", ")] as const] : []),
  ];

const isExtensionsHeader = (name: string): boolean => name.toLowerCase() === extensionsHeader.toLowerCase();

/** Returns the URI of the same extension in an unknown version; undefined if the URI has no version. */
export function otherVersionOf(uri: string): string | undefined {
  const match = /^(.*[/:.\-_]v?)\d+((?:\.\d+)*)(\/?)$/.exec(uri);
  return match ? `${match[1]}99${match[2]}${match[3]}` : undefined;
}
