import type { IncomingMessage } from "node:http";
import { largeBytes } from "./large-turns.ts";
import type { Transit } from "./transit.ts";
import { WireError } from "./wire-error.ts";

const empty = Buffer.alloc(0);

/** The body of one request: read at most once, kept within its limit. */
export class Body {
  readonly #message: IncomingMessage;
  readonly #limit: number;
  readonly #transit: Pick<Transit, "receive" | "enter" | "small">;
  /** What the client said it would send: infinite for a chunked body. */
  readonly #announced: number;
  #invite: (() => void) | undefined;
  #reading: Promise<Buffer> | undefined;
  #reject: ((error: WireError) => void) | undefined;
  #failure: WireError | undefined;
  #stopWaiting: (() => void) | undefined;

  /** `invite` tells a client that asked first (`Expect: 100-continue`) to go ahead. */
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

  /** Why the body cannot be had, once that is known. */
  get failure(): WireError | undefined {
    return this.#failure;
  }

  /** An upper bound of the bytes still to come; a client that waits for our invitation sends none. */
  get outstanding(): number {
    return this.#message.complete || this.#invite ? 0 : this.#announced;
  }

  read(): Promise<Buffer> {
    this.#reading ??= this.#announced === 0 ? Promise.resolve(empty) : this.#collect();
    return this.#reading;
  }

  /** The request is over: whoever waits for its body does so in vain. */
  settle(): void {
    if (!this.#stopWaiting) return;
    this.#stopWaiting();
    this.#reject?.(new WireError("disconnected", "the client left before its request had its turn"));
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
    const chunks: Buffer[] = [];
    let size = 0;
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      message.on("data", (chunk: Buffer) => {
        // What comes behind a refusal is thrown away.
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
        this.#stopWaiting = this.#transit.enter(whole.length, () => resolve(whole));
      });
      // Follows every "end" too, hence the question.
      message.on("close", () => {
        if (!message.complete) this.fail(new WireError("disconnected", "the client left before its body was complete"));
      });
    });
  }

  /** Node reads a fast client for megabytes before it turns to the next one: so much of a large body, and then the others. */
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
    this.fail(new WireError("body-too-large", `the body has more than the ${this.#limit} bytes this server reads`));
  }
}

/** HTTP/2 marks the end of a body, and needs neither header to announce one. */
function announcedBy({ headers, httpVersionMajor, complete }: IncomingMessage): number {
  const length = headers["content-length"];
  const isOpen = httpVersionMajor === 1 ? headers["transfer-encoding"] !== undefined : length === undefined;
  if (isOpen) return complete ? 0 : Number.POSITIVE_INFINITY;
  return Number(length ?? 0);
}
