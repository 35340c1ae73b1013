import type { IncomingMessage } from "node:http";
import type { Transit } from "./transit.ts";
import { WireError } from "./wire-error.ts";

const empty = Buffer.alloc(0);

/** The body of one request: read at most once, kept within its limit. */
export class Body {
  readonly #message: IncomingMessage;
  readonly #limit: number;
  readonly #transit: Pick<Transit, "receive">;
  /** What the client said it would send: infinite for a chunked body. */
  readonly #announced: number;
  #invite: (() => void) | undefined;
  #reading: Promise<Buffer> | undefined;
  #reject: ((error: WireError) => void) | undefined;
  #failure: WireError | undefined;

  /** `invite` tells a client that asked first (`Expect: 100-continue`) to go ahead. */
  constructor(message: IncomingMessage, limit: number, transit: Pick<Transit, "receive">, invite?: () => void) {
    this.#message = message;
    this.#limit = limit;
    this.#transit = transit;
    this.#invite = invite;
    const { headers } = message;
    this.#announced =
      headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Number.POSITIVE_INFINITY;
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
      });
      message.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
      // Follows every "end" too, hence the question.
      message.on("close", () => {
        if (!message.complete) this.fail(new WireError("disconnected", "the client left before its body was complete"));
      });
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
