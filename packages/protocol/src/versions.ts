/** The protocol as written on the wire. */
export const dialects = ["0.1", "0.2", "0.3", "1.0"] as const;
export type DialectVersion = (typeof dialects)[number];

/** The protocol bindings, by the names that cards use. */
export const bindings = ["JSONRPC", "HTTP+JSON", "GRPC"] as const;
export type Binding = (typeof bindings)[number];

/** Service parameters (§3.2.6), as HTTP headers; gRPC metadata uses them in lower case. */
export const versionHeader = "A2A-Version";
export const extensionsHeader = "A2A-Extensions";

/** The same in 0.2 and 0.3. */
export const olderExtensionsHeader = `X-${extensionsHeader}`;

/**
 * The version a request asks for: `Major.Minor`, whatever patch number it names (§3.6).
 * A missing or empty value means 0.3 (§3.6.2). `undefined` when it is no version at all.
 */
export function requestedVersion(value: string | undefined): string | undefined {
  const text = value?.trim() ?? "";
  if (text === "") return "0.3";
  return /^(\d{1,4}\.\d{1,4})(?:\.\d{1,6})?$/.exec(text)?.[1];
}

/** The URIs of an `A2A-Extensions` value: a comma-separated list, blanks and repetition allowed. */
export const readExtensions = (value: string | undefined): string[] =>
  value ? [...new Set(value.split(",").map((uri) => uri.trim()))].filter((uri) => uri !== "") : [];
