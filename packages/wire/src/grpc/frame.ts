import { gunzipSync } from "node:zlib";

const headLength = 5;
const nothing: Buffer = Buffer.alloc(0);

/** Prefixes a message with the five bytes of gRPC: a compression flag and the length. */
export function frame(message: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(headLength + message.length);
  bytes[0] = 0;
  bytes.writeUInt32BE(message.length, 1);
  bytes.set(message, headLength);
  return bytes;
}

/** `unknown-coding`: an unsupported compression. */
type FrameFault = "too-large" | "malformed" | "unknown-coding";

/** Data that is not gRPC, or exceeds a limit. */
export class FrameError extends Error {
  override readonly name = "FrameError";
  readonly kind: FrameFault;

  constructor(kind: FrameFault, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Splits a byte stream into messages, wherever its chunks end. */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #coding: string;
  readonly #unpacked: (bytes: number) => void;
  /** The start of an incomplete message; only its first `#held` bytes are used. */
  #partial = nothing;
  #held = 0;

  /** `unpacked` is called with the size of each decompressed message, and throws if there is no room. */
  constructor(maxBytes: number, coding = "identity", unpacked: (bytes: number) => void = () => {}) {
    this.#maxBytes = maxBytes;
    this.#coding = coding;
    this.#unpacked = unpacked;
  }

  /** Yields the messages that this chunk completes. Consume all of them; the rest of the chunk is read only then. */
  *push(chunk: Buffer): Generator<Buffer, void, undefined> {
    let rest = chunk;
    while (rest.length > 0) {
      // A frame inside one chunk is not copied.
      const whole = this.#held === 0 ? this.#lengthOf(rest, rest.length) : undefined;
      if (whole !== undefined && whole <= rest.length) {
        yield this.#decoded(rest.subarray(0, whole));
        rest = rest.subarray(whole);
        continue;
      }
      const wanted = this.#lengthOf(this.#partial, this.#held) ?? headLength;
      const part = rest.subarray(0, wanted - this.#held);
      this.#hold(part);
      rest = rest.subarray(part.length);
      if (this.#lengthOf(this.#partial, this.#held) !== this.#held) continue;
      const complete = this.#partial.subarray(0, this.#held);
      this.#partial = nothing;
      this.#held = 0;
      yield this.#decoded(complete);
    }
  }

  /** Returns true if the stream may end here. */
  get isBetweenMessages(): boolean {
    return this.#held === 0;
  }

  /** Returns the length of the frame, once its head is known. */
  #lengthOf(bytes: Buffer, known: number): number | undefined {
    if (known < headLength) return undefined;
    const length = bytes.readUInt32BE(1);
    if (length > this.#maxBytes)
      throw new FrameError("too-large", `a message of ${length} bytes (maximum: ${this.#maxBytes})`);
    return headLength + length;
  }

  /** Doubles its buffer as needed, so a peer that announces megabytes costs only what it sends. */
  #hold(part: Buffer): void {
    const size = this.#held + part.length;
    if (size > this.#partial.length) {
      const roomier = Buffer.allocUnsafe(Math.max(size, 2 * this.#partial.length));
      this.#partial.copy(roomier, 0, 0, this.#held);
      this.#partial = roomier;
    }
    part.copy(this.#partial, this.#held);
    this.#held = size;
  }

  #decoded(bytes: Buffer): Buffer {
    const [flag] = bytes;
    const message = bytes.subarray(headLength);
    if (flag === 0) return message;
    if (flag === 1 && this.#coding !== "gzip" && this.#coding !== "identity") {
      throw new FrameError("unknown-coding", `a message with the encoding "${this.#coding}"`);
    }
    if (flag !== 1 || this.#coding !== "gzip") {
      throw new FrameError("malformed", `a message with flag ${flag} and the encoding "${this.#coding}"`);
    }
    const plain = gunzip(message, this.#maxBytes);
    this.#unpacked(plain.length);
    return plain;
  }
}

function gunzip(message: Buffer, maxBytes: number): Buffer {
  try {
    return gunzipSync(message, { maxOutputLength: maxBytes });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw new FrameError(isTooLarge ? "too-large" : "malformed", "a compressed message that cannot be decompressed");
  }
}
