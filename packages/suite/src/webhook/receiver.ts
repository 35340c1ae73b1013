import { randomUUID } from "node:crypto";
import { listen, WireError, type WireRequest, whenAwakeFor } from "@assay/wire/server";

/** A received notification. */
export interface WebhookDelivery {
  /** milliseconds, by the run's clock */
  readonly at: number;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  /** empty if it exceeded the size limit or the total limit */
  readonly body: Uint8Array;
  /** the body was dropped, so it says nothing about the agent */
  readonly cut: boolean;
  /** aborted when the sender disconnects before the response */
  readonly gone: AbortSignal;
}

/** One address of the receiver: its notifications and its responses. */
export interface Mailbox {
  readonly url: string;
  readonly deliveries: readonly WebhookDelivery[];
  /** Resolves once `enough` holds for the deliveries so far, or at the time limit with what arrived. */
  wait(
    enough: (deliveries: readonly WebhookDelivery[]) => boolean,
    withinMs: number,
  ): Promise<readonly WebhookDelivery[]>;
}

/**
 * Returns the HTTP status for a notification, or "close" to close the connection without a response. A promise that
 * never settles leaves the sender waiting.
 */
export type WebhookAnswer = (delivery: WebhookDelivery, nth: number) => WebhookResponse | Promise<WebhookResponse>;
type WebhookResponse = number | "close";

export interface WebhookReceiver {
  /**
   * The agent can reach the receiver: the operator declares it, or something has arrived. Otherwise silence proves
   * nothing, because agents may rightly avoid private addresses (AMB-19).
   */
  readonly reachable: boolean;
  /** too many requests arrived, so the receiver closed: from then on silence proves nothing */
  readonly isFlooded: boolean;
  /** dropped notifications beyond the limit of their address, and bodies beyond the size limit */
  readonly dropped: { readonly notifications: number; readonly bodies: number };
  /** the operator named the address, so the agent is meant to call it */
  readonly declared: boolean;
  /** Returns a new address that cannot be guessed. */
  mailbox(answer?: WebhookAnswer): Mailbox;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  readonly host: string;
  readonly port: number;
  /** the public address of the receiver, if it differs from the listening address */
  readonly url?: string;
  /** the operator declares that the agent can reach it */
  readonly declared?: boolean;
  readonly limits?: Partial<ReceiverLimits>;
}

/** Limits against a hostile sender. */
export interface ReceiverLimits {
  readonly bodyBytes: number;
  readonly deliveriesPerMailbox: number;
  /** rejected requests before the receiver closes */
  readonly turnedAway: number;
  /** for all bodies together */
  readonly keptBytes: number;
}

const defaults: ReceiverLimits = {
  bodyBytes: 1024 * 1024,
  deliveriesPerMailbox: 500,
  turnedAway: 5_000,
  keptBytes: 32 * 1024 * 1024,
};

/** Listens for push notifications. Unknown addresses get a 404. */
export async function startReceiver({
  host,
  port,
  url,
  declared = false,
  limits: given,
}: ReceiverOptions): Promise<WebhookReceiver> {
  const limits = { ...defaults, ...given };
  const boxes = new Map<string, Box>();
  let kept = 0;
  let reached = false;
  let turnedAway = 0;
  let isFlooded = false;
  const dropped = { notifications: 0, bodies: 0 };
  /** A sender that does not stop would block the other responses of the agent. */
  const turnAway = (): void => {
    turnedAway += 1;
    if (turnedAway <= limits.turnedAway || isFlooded) return;
    isFlooded = true;
    void server.close(0);
  };

  const received = async (request: WireRequest): Promise<WebhookDelivery> => {
    const at = performance.now();
    const whole = await request.body().catch((error: unknown) => {
      if (error instanceof WireError && error.code === "body-too-large") return undefined;
      throw error;
    });
    const fits = whole !== undefined && kept + whole.length <= limits.keptBytes;
    if (fits) kept += whole.length;
    else dropped.bodies += 1;
    return {
      at,
      method: request.method,
      headers: inPairs(request.rawHeaders),
      body: fits ? whole : new Uint8Array(),
      cut: !fits,
      gone: request.signal,
    };
  };

  const server = await listen({
    host,
    port,
    limits: { bodyBytes: limits.bodyBytes, connections: 200 },
    handler: async (request, reply) => {
      const box = boxes.get(request.path.split("/").at(-1) ?? "");
      if (!box?.hasRoom()) turnAway();
      if (!box) return reply.send(404, { "Content-Type": "text/plain" }, "not a mailbox of this run\n");
      reached = true;
      const challenge = request.method === "GET" ? challengeIn(request.query) : undefined;
      if (challenge !== undefined) return reply.send(200, { "Content-Type": "text/plain" }, challenge);
      // Requests beyond the limit of a mailbox are not read.
      if (!box.hasRoom()) {
        dropped.notifications += 1;
        return reply.send(429, {}, "");
      }
      const response = await box.take(await received(request));
      if (response === "close") reply.raw.destroy();
      else reply.send(response, {}, "");
    },
  });
  const base = (url ?? server.url).replace(/\/+$/, "");
  return {
    get reachable() {
      return !isFlooded && (declared || reached);
    },
    get isFlooded() {
      return isFlooded;
    },
    dropped,
    declared,
    mailbox(answer = () => 200) {
      const id = randomUUID();
      const box = new Box(`${base}/${id}`, limits.deliveriesPerMailbox, answer);
      boxes.set(id, box);
      return box;
    },
    close: () => server.close(0),
  };
}

/**
 * A sender may first verify the address with a token that the receiver echoes (samples of 0.1, guides of 0.2 and 0.3).
 * That is not a notification. Only values that look like a token are echoed.
 */
function challengeIn(query: string): string | undefined {
  const token = new URLSearchParams(query).get("validationToken");
  return token !== null && /^[\w.~+/=-]{1,1024}$/.test(token) ? token : undefined;
}

class Box implements Mailbox {
  readonly url: string;
  readonly deliveries: WebhookDelivery[] = [];
  readonly #room: number;
  readonly #answer: WebhookAnswer;
  readonly #waiting = new Set<() => void>();

  constructor(url: string, room: number, answer: WebhookAnswer) {
    this.url = url;
    this.#room = room;
    this.#answer = answer;
  }

  hasRoom(): boolean {
    return this.deliveries.length < this.#room;
  }

  take(delivery: WebhookDelivery): ReturnType<WebhookAnswer> {
    this.deliveries.push(delivery);
    for (const wake of this.#waiting) wake();
    return this.#answer(delivery, this.deliveries.length);
  }

  wait(
    enough: (deliveries: readonly WebhookDelivery[]) => boolean,
    withinMs: number,
  ): Promise<readonly WebhookDelivery[]> {
    return new Promise((resolve) => {
      const done = (): void => {
        callOff();
        this.#waiting.delete(look);
        resolve([...this.deliveries]);
      };
      const look = (): void => {
        if (enough(this.deliveries)) done();
      };
      const callOff = whenAwakeFor(withinMs, done);
      this.#waiting.add(look);
      look();
    });
  }
}

const inPairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1]!] as [string, string]] : []));
