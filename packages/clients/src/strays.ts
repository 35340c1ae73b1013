import type { ClientRequest } from "@assay/suite";
import type { StrayBytes } from "@assay/wire/server";

/** Describes everything the client sent that is not A2A, one line each, so that its author sees what went wrong. */
export function oddities(requests: readonly ClientRequest[], strays: readonly StrayBytes[]): readonly string[] {
  const lines = [
    ...requests.flatMap((request) => (request.is === "stray" ? [request.because] : [])),
    ...strays.map(({ bytes }) => describe(bytes)),
  ];
  return [...new Set(lines)];
}

function describe(bytes: Uint8Array): string {
  const count = bytes.length === 1 ? "1 byte" : `${bytes.length} bytes`;
  if (bytes[0] === 0x16 && bytes[1] === 0x03) return "the client started a TLS handshake on a plain HTTP port";
  const text = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  if (/^[A-Z]{3,10} \S+ HTTP\/1/.test(text))
    return `the client sent ${count} of a request and disconnected before it was complete`;
  return `the client sent ${count} that are not HTTP: ${JSON.stringify(text.slice(0, 60))}`;
}
