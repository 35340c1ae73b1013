import { randomUUID } from "node:crypto";
import { listen } from "@assay/wire/server";

/** A notification as it arrived. */
export interface Delivery {
  /** milliseconds, on the run's clock */
  readonly at: number;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

/** One address of the receiver: what came to it, and what it answers. */
export interface Mailbox {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** Resolves once `enough` holds for the deliveries so far, or with what came when the time is over. */
  wait(enough: (deliveries: readonly Delivery[]) => boolean, withinMs: number): Promise<readonly Delivery[]>;
}

export interface WebhookReceiver {
  /** A fresh address that nobody can guess; answers with this status. */
  mailbox(answer?: (delivery: Delivery) => number): Mailbox;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  readonly host: string;
  readonly port: number;
  /** how the agent reaches us, when not by the address we listen on */
  readonly url?: string;
}

/** Listens for push notifications. What arrives at an address that was never given out is answered with 404. */
export async function startReceiver({ host, port, url }: ReceiverOptions): Promise<WebhookReceiver> {
  const boxes = new Map<string, { take: (delivery: Delivery) => number }>();
  const server = await listen({
    host,
    port,
    handler: async (request, reply) => {
      const box = boxes.get(request.path.split("/").at(-1) ?? "");
      if (!box) return reply.send(404, { "Content-Type": "text/plain" }, "not a mailbox of this run\n");
      const body = await request.body();
      const headers = inPairs(request.rawHeaders);
      reply.send(box.take({ at: performance.now(), method: request.method, headers, body }), {}, "");
    },
  });
  const base = (url ?? server.url).replace(/\/+$/, "");
  return {
    mailbox(answer = () => 200) {
      const id = randomUUID();
      const deliveries: Delivery[] = [];
      const watchers = new Set<() => void>();
      boxes.set(id, {
        take(delivery) {
          deliveries.push(delivery);
          for (const watcher of watchers) watcher();
          return answer(delivery);
        },
      });
      return {
        url: `${base}/${id}`,
        deliveries,
        wait: (enough, withinMs) =>
          new Promise((resolve) => {
            const done = (): void => {
              clearTimeout(timer);
              watchers.delete(look);
              resolve([...deliveries]);
            };
            const look = (): void => {
              if (enough(deliveries)) done();
            };
            const timer = setTimeout(done, withinMs);
            watchers.add(look);
            look();
          }),
      };
    },
    close: () => server.close(0),
  };
}

const inPairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1]!] as [string, string]] : []));
