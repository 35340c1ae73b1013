import { randomUUID } from "node:crypto";
import { listen, WireError, type WireRequest, whenAwakeFor } from "@assay/wire/server";

/** A notification as it arrived. */
export interface WebhookDelivery {
  /** milliseconds, on the run's clock */
  readonly at: number;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  /** empty where it was larger than we take, or where we keep too much already */
  readonly body: Uint8Array;
  /** the body is left out, so it says nothing about the agent */
  readonly cut: boolean;
  /** aborted when its sender hangs up before it is answered */
  readonly gone: AbortSignal;
}

/** One address of the receiver: what came to it, and what it answers. */
export interface Mailbox {
  readonly url: string;
  readonly deliveries: readonly WebhookDelivery[];
  /** Resolves once `enough` holds for the deliveries so far, or with what came when the time is over. */
  wait(
    enough: (deliveries: readonly WebhookDelivery[]) => boolean,
    withinMs: number,
  ): Promise<readonly WebhookDelivery[]>;
}

/** The status that a notification is answered with; a promise that never settles leaves its sender waiting. */
export type WebhookAnswer = (delivery: WebhookDelivery, nth: number) => number | Promise<number>;

export interface WebhookReceiver {
  /**
   * Whether the agent can reach us: because the operator says so, or because something has come. Where neither is the
   * case, silence proves nothing: agents are right to stay away from private addresses (AMB-19).
   */
  readonly reachable: boolean;
  /** so many requests came that no more are taken: from then on, silence proves nothing either */
  readonly isFlooded: boolean;
  /** what came and is not kept: whole notifications beyond the share of their address, and bodies that were too large */
  readonly dropped: { readonly notifications: number; readonly bodies: number };
  /** the operator named the address, so that it is one the agent is meant to call */
  readonly declared: boolean;
  /** A fresh address that cannot be guessed. */
  mailbox(answer?: WebhookAnswer): Mailbox;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  readonly host: string;
  readonly port: number;
  /** how the agent reaches us, when not by the address we listen on */
  readonly url?: string;
  /** the operator says that the agent can reach us */
  readonly declared?: boolean;
  readonly limits?: Partial<ReceiverLimits>;
}

/** What a hostile sender may cost us. */
export interface ReceiverLimits {
  readonly bodyBytes: number;
  readonly deliveriesPerMailbox: number;
  /** requests that no mailbox took, before we stop listening */
  readonly turnedAway: number;
  /** of all bodies together */
  readonly keptBytes: number;
}

const defaults: ReceiverLimits = {
  bodyBytes: 1024 * 1024,
  deliveriesPerMailbox: 500,
  turnedAway: 5_000,
  keptBytes: 32 * 1024 * 1024,
};

/** Listens for push notifications. What arrives at an address that was never given out is answered with 404. */
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
  /** A sender that does not stop would keep us from the agent's other answers. */
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
      // What is beyond the share of a mailbox is not even read.
      if (!box.hasRoom()) {
        dropped.notifications += 1;
        return reply.send(429, {}, "");
      }
      reply.send(await box.take(await received(request)), {}, "");
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
 * A sender may first ask whether the address is its owner's wish, by a token that is to be echoed (the samples of 0.1 and
 * the guides of 0.2 and 0.3). That is no notification. What could be more than a token is not given back.
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

  take(delivery: WebhookDelivery): number | Promise<number> {
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
