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
import { AddressMap } from "./address-map.ts";
import type { Passing } from "./client-connection.ts";
import { withoutCredentials } from "./headers.ts";
import type { Notice } from "./notice.ts";
import { servePassing } from "./server.ts";
import { ExchangeWitness } from "./witness.ts";

export interface PassingOptions {
  /** the agent, as the operator named it */
  readonly agent: URL;
  readonly host: string;
  /** 0: any free one */
  readonly port: number;
  /** further names by which clients may call us */
  readonly allowHosts?: readonly string[];
  /** the card goes through as it is: its addresses lead past us, and its signatures hold */
  readonly keepCard?: boolean;
  /** what of the card clients are offered: all of it unless given */
  offer?(card: JsonObject): JsonObject;
  readonly guard: EgressGuard;
  /** who may see what clients show: the address that the operator named, and those that he trusts */
  readonly credentials: BoundCredentials;
  readonly tls?: TlsMaterial;
  readonly proxies?: ProxySettings;
  readonly connectMs?: number;
  /** goes before the ids of exchanges */
  readonly idPrefix?: string;
  /** something passes at this moment */
  onPassing?(): void;
  /** a request has come, and its answer is not over */
  onBegun?(begun: BegunExchange): void;
  onExchange(exchange: Exchange): void;
  /** the card as the agent wrote it, and what was changed in it on the way */
  onCard: Passing["cardPassed"];
  onNotice(notice: Notice): void;
}

/** So long, at most, is waited for what was cut off by the end. */
const lastWordsMs = 1_000;

/** What passes between clients and an agent. */
export interface OpenPassing {
  /** `http://127.0.0.1:4050` */
  readonly url: string;
  readonly map: AddressMap;
  close(): Promise<void>;
}

/** Stands between clients and an agent: everything is passed on, and looked at on the way. */
export async function openPassing(options: PassingOptions): Promise<OpenPassing> {
  const { agent, guard, credentials, tls = {}, proxies = {}, connectMs = 10_000 } = options;
  const map = new AddressMap(agent);
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
  /** told once for each host: the next request would say the same */
  const keptFrom = new Set<string>();
  const proxy: Passing = {
    map,
    keepCard: options.keepCard ?? false,
    offered: (card) => options.offer?.(card) ?? card,
    permitted(origin, fields) {
      if (credentials.mayGoTo(origin)) return fields;
      const { kept, withheld } = withoutCredentials(fields);
      if (withheld.length && !keptFrom.has(origin.host)) {
        keptFrom.add(origin.host);
        const text = `${withheld.join(", ")} kept from ${origin.host}, which only the card names; --trust-host ${origin.host} lets them through`;
        options.onNotice({ side: "proxy", code: "credentials-withheld", text });
      }
      return kept;
    },
    witness: (request) => {
      issued += 1;
      const id = `${options.idPrefix ?? ""}x${issued}`;
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
      // What was cut off by that is written down, too, as soon as its connections are gone.
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
      });
      if (underWay) await Promise.race([idle, wait(lastWordsMs, undefined, { ref: false })]);
    },
  };
}
