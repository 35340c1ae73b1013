import { gunzipSync } from "node:zlib";

const headLength = 5;

/** gRPC puts each message behind five bytes: a flag that says "compressed", and the length. */
export function frame(message: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(headLength + message.length);
  bytes[0] = 0;
  bytes.writeUInt32BE(message.length, 1);
  bytes.set(message, headLength);
  return bytes;
}

/** `unknown-coding`: compressed in a way that we do not read. */
type FrameFault = "too-large" | "malformed" | "unknown-coding";

/** What arrived is no gRPC, or more of it than we take. */
export class FrameError extends Error {
  override readonly name = "FrameError";
  readonly kind: FrameFault;

  constructor(kind: FrameFault, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Cuts a byte stream into messages, wherever the chunks happen to break. */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #coding: string;
  readonly #unpacked: (bytes: number) => void;
  /** The beginning of a message whose end has not arrived; the first `#held` bytes of it count. */
  #partial: Buffer = Buffer.alloc(0);
  #held = 0;

  /** `unpacked` is told how much a message has become that was compressed, and throws where there is no room for it. */
  constructor(maxBytes: number, coding = "identity", unpacked: (bytes: number) => void = () => {}) {
    this.#maxBytes = maxBytes;
    this.#coding = coding;
    this.#unpacked = unpacked;
  }

  /** The messages that are complete with this chunk. Take them all: what is not taken is not read. */
  *push(chunk: Buffer): Generator<Buffer, void, undefined> {
    let rest = chunk;
    while (rest.length > 0) {
      // A frame that lies within one chunk is not copied.
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
      this.#partial = Buffer.alloc(0);
      this.#held = 0;
      yield this.#decoded(complete);
    }
  }

  /** Whether the stream may end here. */
  get isBetweenMessages(): boolean {
    return this.#held === 0;
  }

  /** How long the frame is that begins here, once enough of it is known. */
  #lengthOf(bytes: Buffer, known: number): number | undefined {
    if (known < headLength) return undefined;
    const length = bytes.readUInt32BE(1);
    if (length > this.#maxBytes)
      throw new FrameError("too-large", `a message of ${length} bytes; at most ${this.#maxBytes} are read`);
    return headLength + length;
  }

  /** Doubles its room as it fills: a peer that announces megabytes, or sends them byte by byte, costs what it sent. */
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
      throw new FrameError("unknown-coding", `a message under the encoding "${this.#coding}"`);
    }
    if (flag !== 1 || this.#coding !== "gzip") {
      throw new FrameError("malformed", `a message flagged ${flag} under the encoding "${this.#coding}"`);
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
    throw new FrameError(isTooLarge ? "too-large" : "malformed", "a compressed message that cannot be unpacked");
  }
}
