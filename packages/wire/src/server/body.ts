import type { IncomingMessage } from "node:http";
import { largeBytes } from "./large-turns.ts";
import type { Transit } from "./transit.ts";
import { WireError } from "./wire-error.ts";

const empty = Buffer.alloc(0);

/** The body of one request: read at most once, within its limit. */
export class Body {
  readonly #message: IncomingMessage;
  readonly #limit: number;
  readonly #transit: Pick<Transit, "receive" | "enter" | "small">;
  /** The announced length; infinite for a chunked body. */
  readonly #announced: number;
  #invite: (() => void) | undefined;
  #reading: Promise<Buffer> | undefined;
  #reject: ((error: WireError) => void) | undefined;
  #failure: WireError | undefined;
  #stopWaiting: (() => void) | undefined;

  /** `invite` tells a client that sent `Expect: 100-continue` to go ahead. */
  constructor(
    message: IncomingMessage,
    limit: number,
    transit: Pick<Transit, "receive" | "enter" | "small">,
    invite?: () => void,
  ) {
    this.#message = message;
    this.#limit = limit;
    this.#transit = transit;
    this.#invite = invite;
    this.#announced = announcedBy(message);
    if (this.#announced <= largeBytes) transit.small();
  }

  /** Why the body is unavailable, if known. */
  get failure(): WireError | undefined {
    return this.#failure;
  }

  /** Maximum number of bytes still to come. A client that waits for the invitation sends none. */
  get outstanding(): number {
    return this.#message.complete || this.#invite ? 0 : this.#announced;
  }

  read(): Promise<Buffer> {
    this.#reading ??= this.#announced === 0 ? Promise.resolve(empty) : this.#collect();
    return this.#reading;
  }

  /** Called when the request is over, so the body is no longer needed. */
  settle(): void {
    if (!this.#stopWaiting) return;
    this.#stopWaiting();
    if (this.#reject)
      this.#reject(new WireError("disconnected", "the client disconnected before its request was processed"));
  }

  fail(failure: WireError): void {
    this.#failure ??= failure;
    this.#message.pause();
    this.#reject?.(this.#failure);
  }

  #collect(): Promise<Buffer> {
    if (this.#announced > this.#limit && this.#announced !== Number.POSITIVE_INFINITY) this.#refuse();
    if (this.#failure) return Promise.reject(this.#failure);
    this.#invite?.();
    this.#invite = undefined;
    const message = this.#message;
    if (message.complete && this.#announced <= largeBytes) return this.#arrived();
    const chunks: Buffer[] = [];
    let size = 0;
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      message.on("data", (chunk: Buffer) => {
        // Data after a rejection is discarded.
        if (this.#failure) return;
        size += chunk.length;
        if (size <= this.#limit) this.#admit(chunk.length);
        else this.#refuse();
        if (this.#failure) chunks.length = 0;
        else chunks.push(chunk);
        if (size > largeBytes) this.#breathe();
      });
      message.on("end", () => {
        if (this.#failure) return;
        const whole = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
        this.#stopWaiting = this.#transit.enter(whole.length, () => {
          // Nothing is left to stop; an error for it would cost a tenth of a small request.
          this.#reject = undefined;
          resolve(whole);
        });
      });
      // Also follows every "end", hence the check.
      message.on("close", () => {
        if (!message.complete)
          this.fail(new WireError("disconnected", "the client disconnected before its body was complete"));
      });
    });
  }

  /** Takes a small body that came with its head, without waiting for events. */
  #arrived(): Promise<Buffer> {
    const whole = (this.#message.read() as Buffer | null) ?? empty;
    this.#admit(whole.length);
    return this.#failure ? Promise.reject(this.#failure) : Promise.resolve(whole);
  }

  /**
   * Node reads megabytes from a fast client before it serves the next. Pausing after each chunk of a large body lets
   * others through.
   */
  #breathe(): void {
    this.#message.pause();
    setImmediate(() => {
      if (!this.#failure) this.#message.resume();
    });
  }

  #admit(bytes: number): void {
    try {
      this.#transit.receive(bytes);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.fail(error);
    }
  }

  #refuse(): void {
    this.fail(new WireError("body-too-large", `the body exceeds ${this.#limit} bytes, the limit of this server`));
  }
}

/** HTTP/2 marks the end of a body, and needs neither header. */
function announcedBy({ headers, httpVersionMajor, complete }: IncomingMessage): number {
  const length = headers["content-length"];
  const isOpen = httpVersionMajor === 1 ? headers["transfer-encoding"] !== undefined : length === undefined;
  if (isOpen) return complete ? 0 : Number.POSITIVE_INFINITY;
  return Number(length ?? 0);
}
