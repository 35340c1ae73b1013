import { gunzipSync } from "node:zlib";

/** gRPC puts each message behind five bytes: a flag that says "compressed", and the length. */
export function frame(message: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(5 + message.length);
  bytes[0] = 0;
  bytes.writeUInt32BE(message.length, 1);
  bytes.set(message, 5);
  return bytes;
}

/** What arrived is no gRPC, or more of it than we take. */
export class FrameError extends Error {
  override readonly name = "FrameError";
  readonly kind: "too-large" | "malformed";

  constructor(kind: "too-large" | "malformed", message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Cuts a byte stream into messages, wherever the chunks happen to break. */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #coding: string;
  #rest: Buffer = Buffer.alloc(0);

  constructor(maxBytes: number, coding = "identity") {
    this.#maxBytes = maxBytes;
    this.#coding = coding;
  }

  /** The messages that are complete with this chunk. */
  push(chunk: Buffer): Buffer[] {
    this.#rest = this.#rest.length ? Buffer.concat([this.#rest, chunk]) : chunk;
    const messages: Buffer[] = [];
    while (this.#rest.length >= 5) {
      const length = this.#rest.readUInt32BE(1);
      if (length > this.#maxBytes)
        throw new FrameError("too-large", `a message of ${length} bytes; at most ${this.#maxBytes} are read`);
      if (this.#rest.length < 5 + length) break;
      messages.push(this.#decoded(this.#rest[0]!, this.#rest.subarray(5, 5 + length)));
      this.#rest = this.#rest.subarray(5 + length);
    }
    return messages;
  }

  /** Whether the stream may end here. */
  get isBetweenMessages(): boolean {
    return this.#rest.length === 0;
  }

  #decoded(flag: number, message: Buffer): Buffer {
    if (flag === 0) return message;
    if (flag !== 1 || this.#coding !== "gzip") {
      throw new FrameError("malformed", `a message flagged ${flag} under the encoding "${this.#coding}"`);
    }
    try {
      return gunzipSync(message, { maxOutputLength: this.#maxBytes });
    } catch (error) {
      const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
      throw new FrameError(isTooLarge ? "too-large" : "malformed", "a compressed message that cannot be unpacked");
    }
  }
}
