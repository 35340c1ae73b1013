/** Protocol versions as written on the wire. */
export const dialects = ["0.1", "0.2", "0.3", "1.0"] as const;
export type DialectVersion = (typeof dialects)[number];

/** The same, newest first. */
export const newestFirst = ["1.0", "0.3", "0.2", "0.1"] as const satisfies readonly DialectVersion[];

/** Protocol bindings, by the names used in cards. */
export const bindings = ["JSONRPC", "HTTP+JSON", "GRPC"] as const;
export type Binding = (typeof bindings)[number];

/** Service parameters (§3.2.6), as HTTP headers; gRPC metadata uses them in lower case. */
export const versionHeader = "A2A-Version";
export const extensionsHeader = "A2A-Extensions";

/** The name of the same header in 0.2 and 0.3. */
export const olderExtensionsHeader = `X-${extensionsHeader}`;

/**
 * Returns the version that a request asks for as `Major.Minor`, ignoring the patch number (§3.6). A missing or empty
 * value means 0.3 (§3.6.2). Returns undefined for an invalid version.
 */
export function requestedVersion(value: string | undefined): string | undefined {
  // Almost every request asks for this one.
  if (value === "1.0") return value;
  const text = value?.trim() ?? "";
  if (text === "") return "0.3";
  return /^(\d{1,4}\.\d{1,4})(?:\.\d{1,6})?$/.exec(text)?.[1];
}

/** Reads the URIs of an `A2A-Extensions` value: a comma-separated list that may contain blanks and duplicates. */
export const readExtensions = (value: string | undefined): string[] =>
  value ? [...new Set(value.split(",").map((uri) => uri.trim()))].filter((uri) => uri !== "") : [];
