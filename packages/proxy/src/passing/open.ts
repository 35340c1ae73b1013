import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "@assay/protocol";
import type { BegunExchange, BoundCredentials, EgressGuard, Exchange } from "@assay/wire";
import {
  createTlsTrust,
  type ProxySettings,
  type TlsMaterial,
  tlsTrustFor,
  type WayOptions,
} from "@assay/wire/passing";
import type { Faults } from "../faults/faults.ts";
import { AddressMap } from "./address-map.ts";
import type { Passing } from "./client-connection.ts";
import { withoutCredentials } from "./headers.ts";
import type { Notice } from "./notice.ts";
import { servePassing } from "./server.ts";
import { ExchangeWitness } from "./witness.ts";

export interface PassingOptions {
  /** the agent's URL, as given by the operator */
  readonly agent: URL;
  /** the client's webhook: notifications to it pass through the proxy, too */
  readonly callback?: URL;
  readonly host: string;
  /** 0: any free port */
  readonly port: number;
  /** further host names that clients may use for the proxy */
  readonly allowHosts?: readonly string[];
  /** forward the card unchanged: its addresses bypass the proxy, and its signatures stay valid */
  readonly keepCard?: boolean;
  /** forward the Host header unchanged: the agent is to write our address in its card */
  readonly keepHost?: boolean;
  /** injected into the calls (default: none) */
  readonly faults?: Faults | undefined;
  /** selects the part of the card to offer to clients (default: all of it) */
  offer?(card: JsonObject): JsonObject;
  readonly guard: EgressGuard;
  /** hosts that may receive clients' credentials: the operator's address, and trusted ones */
  readonly credentials: BoundCredentials;
  readonly tls?: TlsMaterial;
  readonly proxies?: ProxySettings;
  readonly connectMs?: number;
  /** prefix of exchange ids */
  readonly idPrefix?: string;
  /** issues exchange ids (default: x1, x2, … with the prefix) */
  issueId?(): string;
  /** called when traffic passes */
  onPassing?(): void;
  /** called when a request has started and its response is not complete */
  onBegun?(begun: BegunExchange): void;
  onExchange(exchange: Exchange): void;
  /** called with the agent's original card and the changes made to it */
  onCard: Passing["cardPassed"];
  onNotice(notice: Notice): void;
}

/** Maximum wait for exchanges that were cut off by closing. */
const lastWordsMs = 1_000;

/** An open proxy between clients and an agent. */
export interface OpenPassing {
  /** `http://127.0.0.1:4050` */
  readonly url: string;
  readonly map: AddressMap;
  close(): Promise<void>;
}

/** Opens a proxy that forwards and observes everything between clients and an agent. */
export async function openPassing(options: PassingOptions): Promise<OpenPassing> {
  const { agent, guard, credentials, tls = {}, proxies = {}, connectMs = 10_000 } = options;
  const map = new AddressMap(agent, options.callback);
  const trust = createTlsTrust(tls);
  const ways: WayOptions = {
    guard,
    trust,
    trustFor: tlsTrustFor({ tls, credentials }, trust),
    proxies,
    timeoutMs: connectMs,
  };
  const onPassing = (): void => options.onPassing?.();
  let issued = 0;
  let underWay = 0;
  let onIdle = (): void => {};
  /** hosts that were already reported, to report each only once */
  const keptFrom = new Set<string>();
  const proxy: Passing = {
    map,
    keepCard: options.keepCard ?? false,
    keepHost: options.keepHost ?? false,
    faults: options.faults,
    offered: (card) => options.offer?.(card) ?? card,
    permitted(origin, fields) {
      if (credentials.mayGoTo(origin)) return fields;
      const { kept, withheld } = withoutCredentials(fields);
      if (withheld.length && !keptFrom.has(origin.host)) {
        keptFrom.add(origin.host);
        const text = `${withheld.join(", ")} not sent to ${origin.host}, which only the card names. To send them: --trust-host ${origin.host}`;
        options.onNotice({ side: "proxy", code: "credentials-withheld", text });
      }
      return kept;
    },
    witness: (request) => {
      issued += 1;
      const id = options.issueId?.() ?? `${options.idPrefix ?? ""}x${issued}`;
      options.onBegun?.({ id, method: request.method, url: request.url });
      underWay += 1;
      return new ExchangeWitness({
        ...request,
        id,
        onPassing,
        onExchange: (exchange) => {
          options.onExchange(exchange);
          underWay -= 1;
          if (underWay === 0) onIdle();
        },
      });
    },
    cardPassed: options.onCard,
    notice: (side, code, text) => options.onNotice({ side, code, text }),
  };
  const { host, port, allowHosts } = options;
  const server = await servePassing({ host, port, ways, proxy, ...(allowHosts && { allowHosts }) });
  map.host = server.authority;
  return {
    url: `http://${server.authority}`,
    map,
    async close() {
      await server.close();
      // Exchanges that were cut off by closing are recorded as soon as their connections are gone.
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
      });
      if (underWay) await Promise.race([idle, wait(lastWordsMs, undefined, { ref: false })]);
    },
  };
}
