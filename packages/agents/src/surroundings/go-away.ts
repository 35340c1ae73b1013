import { Transform, type TransformCallback } from "node:stream";

const headBytes = 9;
const types = { data: 0x0, headers: 0x1, reset: 0x3, goAway: 0x7 };
const endStream = 0x1;

/**
 * Passes on the frames of an HTTP/2 server until a response pauses too long in the middle. It then sends
 * GOAWAY (NO_ERROR) at the next frame boundary and ends the connection, like a restarting or impatient
 * gateway.
 */
export class GoAwayOnPause extends Transform {
  readonly #pause: () => Promise<void>;
  /** streams with messages and no end yet */
  readonly #open = new Set<number>();
  #rest = Buffer.alloc(0);
  #frames = 0;

  /** `pause` resolves after the maximum pause; it rejects when the proxy closes. */
  constructor(pause: () => Promise<void>) {
    super();
    this.#pause = pause;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const size = this.#rest.length < headBytes ? Number.POSITIVE_INFINITY : headBytes + this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < size) break;
      this.#hand(this.#rest.subarray(0, size));
      this.#rest = this.#rest.subarray(size);
    }
    done();
  }

  #hand(frame: Buffer): void {
    const [type, flags, stream] = [frame[3], frame[4]!, frame.readUInt32BE(5)];
    const isLast =
      type === types.reset || ((type === types.data || type === types.headers) && (flags & endStream) !== 0);
    if (isLast) this.#open.delete(stream);
    else if (type === types.data) this.#open.add(stream);
    this.push(frame);
    if (this.#open.size > 0) void this.#watch(++this.#frames);
  }

  async #watch(frame: number): Promise<void> {
    try {
      await this.#pause();
    } catch {
      return;
    }
    if (frame !== this.#frames || this.#open.size === 0 || this.writableEnded || this.destroyed) return;
    const goAway = Buffer.alloc(headBytes + 8);
    goAway.writeUIntBE(8, 0, 3);
    goAway.writeUInt8(types.goAway, 3);
    goAway.writeUInt32BE(Math.max(...this.#open), headBytes);
    this.push(goAway);
    this.push(null);
    this.emit("gone");
  }
}
