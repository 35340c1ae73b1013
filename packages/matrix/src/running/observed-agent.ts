import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject } from "@assay/protocol";
import { type OpenProxy, openProxy } from "@assay/proxy";
import type { WireAnswer } from "@assay/scenarios";
import type { ExchangeRecorded } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import type { ExchangeBreach, MatrixExchange } from "../document/evidence.ts";

export interface ObservedAgentOptions {
  /** the address of the agent */
  readonly agent: string;
  /** prefix of exchange ids */
  readonly idPrefix: string;
  /** of this tool */
  readonly version: string;
  /** changes the card for the client (default: unchanged) */
  offer?(card: JsonObject): JsonObject;
}

const pollMs = 250;

/** One exchange: as judged, and as recorded. */
interface Seen {
  wire?: WireAnswer;
  breaches: readonly ExchangeBreach[];
  unjudged?: string;
  recorded?: ExchangeRecorded;
}

/** An agent behind the recording proxy. */
export class ObservedAgent {
  /** the base address at which the client finds the card */
  readonly url: string;
  readonly #proxy: OpenProxy;
  readonly #log: ExchangesSeen;

  private constructor(proxy: OpenProxy, log: ExchangesSeen) {
    this.url = proxy.url;
    this.#proxy = proxy;
    this.#log = log;
  }

  static async open({ agent, idPrefix, version, offer }: ObservedAgentOptions): Promise<ObservedAgent> {
    const log = new ExchangesSeen();
    const proxy = await openProxy({
      url: agent,
      host: "127.0.0.1",
      port: 0,
      run: "matrix",
      version,
      idPrefix,
      connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"], allowLoopback: true }) },
      ...(offer && { offer }),
      record: (event) => {
        if (event.event === "exchange") log.of(event.id).recorded = event;
      },
      show: () => {},
      begun: ({ id }) => log.asked(id),
      onJudged: (exchange, judged) => {
        const request = judged?.request;
        const seen = log.of(exchange.id);
        if (request?.is === "call") seen.wire = { is: "call", exchange, reply: request.reply, on: request.on };
        else if (request?.is === "card") seen.wire = { is: "card", exchange };
        seen.breaches = (judged?.breaches ?? []).map(({ party, rule, severity, message }) => ({
          party: party === "agent" ? "server" : "client",
          rule,
          severity,
          message,
        }));
        if (judged?.unjudged !== undefined) seen.unjudged = judged.unjudged;
        log.over(exchange.id);
      },
    });
    return new ObservedAgent(proxy, log);
  }

  /**
   * Runs work with the client; returns its result and the ids of the exchanges that began meanwhile. Waits for their
   * end as long as `settlingMs` says.
   */
  async watch<T>(
    work: () => Promise<T>,
    settlingMs: (value: T) => number,
  ): Promise<{ readonly value: T; readonly exchanges: readonly string[] }> {
    const before = this.#log.ids.length;
    const value = await work();
    const exchanges = this.#log.ids.slice(before);
    await this.#log.settled(exchanges, settlingMs(value));
    return { value, exchanges };
  }

  /** ids of all exchanges so far */
  get ids(): readonly string[] {
    return [...this.#log.ids];
  }

  isOver(id: string): boolean {
    return this.#log.isOver(id);
  }

  /** Resolves when all exchanges since then have been over for a while; never if there were none. */
  async quiet(since: number, ms: number, signal: AbortSignal): Promise<void> {
    let quietFor = 0;
    while (!signal.aborted && quietFor < ms) {
      await delay(pollMs);
      const begun = this.#log.ids.slice(since);
      quietFor = begun.length && begun.every((id) => this.isOver(id)) ? quietFor + pollMs : 0;
    }
  }

  /** Returns the server's response in an exchange, read from the bytes. */
  wire(id: string): WireAnswer | undefined {
    return this.#log.of(id).wire;
  }

  /** Ends pending exchanges and returns all of them. */
  async close(): Promise<readonly MatrixExchange[]> {
    await this.#proxy.close();
    return this.#log.exchanges();
  }
}

class ExchangesSeen {
  readonly ids: string[] = [];
  readonly #seen = new Map<string, Seen>();
  readonly #open = new Set<string>();
  #listeners: (() => void)[] = [];

  of(id: string): Seen {
    const known = this.#seen.get(id) ?? { breaches: [] };
    this.#seen.set(id, known);
    return known;
  }

  asked(id: string): void {
    this.ids.push(id);
    this.#open.add(id);
  }

  over(id: string): void {
    this.#open.delete(id);
    for (const listener of this.#listeners) listener();
  }

  isOver(id: string): boolean {
    return !this.#open.has(id);
  }

  /** Resolves when all of them are over, or after a while. */
  async settled(ids: readonly string[], ms: number): Promise<void> {
    const isSettled = (): boolean => ids.every((id) => this.isOver(id));
    if (isSettled()) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#listeners = this.#listeners.filter((each) => each !== check);
        resolve();
      };
      const check = (): void => {
        if (isSettled()) end();
      };
      const timer = setTimeout(end, ms);
      this.#listeners.push(check);
    });
  }

  exchanges(): readonly MatrixExchange[] {
    return this.ids.flatMap((id) => {
      const { recorded, breaches, unjudged } = this.of(id);
      if (!recorded) return [];
      const { operation, interface: on, entry } = recorded;
      return [
        {
          id,
          ...(operation !== undefined && { operation }),
          ...(on && { interface: on }),
          entry,
          breaches,
          ...(unjudged !== undefined && { unjudged }),
        },
      ];
    });
  }
}
