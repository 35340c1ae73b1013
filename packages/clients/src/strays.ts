import type { ClientRequest } from "@assay/suite";
import type { StrayBytes } from "@assay/wire/server";

/** What was sent and is no A2A, each in a line: so that whoever wrote the client sees where it went wrong. */
export function oddities(requests: readonly ClientRequest[], strays: readonly StrayBytes[]): readonly string[] {
  const lines = [
    ...requests.flatMap((request) => (request.is === "stray" ? [request.because] : [])),
    ...strays.map(({ bytes }) => describe(bytes)),
  ];
  return [...new Set(lines)];
}

function describe(bytes: Uint8Array): string {
  const count = bytes.length === 1 ? "1 byte" : `${bytes.length} bytes`;
  if (bytes[0] === 0x16 && bytes[1] === 0x03) return "the client began a TLS handshake where plain HTTP is spoken";
  const text = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  if (/^[A-Z]{3,10} \S+ HTTP\/1/.test(text)) return `the client sent ${count} of a request and left before its end`;
  return `the client sent ${count} that are no HTTP: ${JSON.stringify(text.slice(0, 60))}`;
}
