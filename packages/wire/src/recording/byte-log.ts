import type { TransportLayer } from "./exchange.ts";

/** Keeps the first `cap` bytes of a stream and remembers whether there were more. */
export interface ByteLog {
  append(chunk: Uint8Array): void;
  readonly bytes: Uint8Array;
  readonly truncated: boolean;
  /** Number of all bytes, kept or not. */
  readonly seen: number;
}

export function createByteLog(cap: number): ByteLog {
  let chunks: Uint8Array[] = [];
  let kept = 0;
  let seen = 0;

  return {
    append(chunk) {
      seen += chunk.length;
      if (kept === cap) return;
      const part = chunk.subarray(0, cap - kept);
      chunks.push(part);
      kept += part.length;
    },
    get bytes() {
      if (chunks.length !== 1) chunks = [Buffer.concat(chunks)];
      return chunks[0]!;
    },
    get truncated() {
      return seen > kept;
    },
    get seen() {
      return seen;
    },
  };
}

/** Returns the bytes of both directions, as an exchange records them. */
export const bytesOfBoth = (
  sent: ByteLog,
  received: ByteLog,
): Pick<TransportLayer, "sent" | "sentTruncated" | "received" | "receivedTruncated"> => ({
  sent: sent.bytes,
  sentTruncated: sent.truncated,
  received: received.bytes,
  receivedTruncated: received.truncated,
});
