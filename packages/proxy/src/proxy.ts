import { isDeepStrictEqual } from "node:util";
import { defined, type JsonObject } from "@assay/protocol";
import {
  ExchangeLog,
  type JudgedTraffic,
  maskedEvent,
  PairJudge,
  type RuleSet,
  ruleSetFor,
  type ToldOfTraffic,
  WebhookRegistrations,
} from "@assay/suite";
import type { RunEvent } from "@assay/suite/report";
import {
  type BegunExchange,
  bindCredentials,
  cardTrouble,
  createHttpClient,
  discoverCard,
  type Exchange,
  type HeaderPairs,
  type HttpClientOptions,
  type Secret,
} from "@assay/wire";
import { FaultTally } from "./faults/fault-tally.ts";
import type { Faults } from "./faults/faults.ts";
import { GrowingMasker } from "./growing-masker.ts";
import { JudgingQueue } from "./judging-queue.ts";
import type { AddressMap } from "./passing/address-map.ts";
import type { Notice } from "./passing/notice.ts";
import { openPassing } from "./passing/open.ts";
import { callSeen, deliverySeen, type Sight } from "./sight.ts";

export interface JudgingProxyOptions {
  /** the agent, its card, or its host */
  readonly url: string;
  /** the address of the card, if it cannot be found from `url` */
  readonly card?: string;
  /** the client's webhook: clients register the proxy's callback address instead, and deliveries are judged */
  readonly callback?: string;
  readonly host: string;
  /** 0: any free port */
  readonly port: number;
  /** further host names that clients may use for the proxy */
  readonly allowHosts?: readonly string[];
  readonly keepCard?: boolean;
  /** selects the part of the card to offer to clients, apart from its addresses (default: all of it) */
  offer?(card: JsonObject): JsonObject;
  /** prefix of exchange ids, if the run has other exchanges */
  readonly idPrefix?: string;
  /** the id of the run */
  readonly run: string;
  /** the version of Assay */
  readonly version: string;
  /** how to reach the agent */
  readonly connection: Omit<HttpClientOptions, "recording" | "credentials">;
  /** sent only with our own request for the card */
  readonly headers?: HeaderPairs;
  /** masked wherever something is written, like clients' credentials */
  readonly secrets?: readonly Secret[];
  /** hosts that may receive clients' credentials, besides the named address */
  readonly trustHosts?: readonly string[];
  readonly strict?: boolean;
  readonly ruleSet?: RuleSet;
  /** faults to inject, as in `--fault` (default: none) */
  readonly faults?: Faults;
  /** receives the events of the run, masked */
  record(event: RunEvent): void;
  /** called for requests whose responses are not complete; the result is shown under the same id */
  begun?(begun: BegunExchange): void;
  /** called with everything worth showing as it happens; text from clients and agents is masked, but not escaped */
  show(sight: Sight): void;
  /** called when an exchange is complete and judged, if a card is known; nothing in it is masked */
  onJudged?(exchange: Exchange, judged: JudgedTraffic | undefined): void;
}

export interface OpenProxy {
  /** the address for clients: the path of the agent below our own address */
  readonly url: string;
  /** the address that clients register as their webhook */
  readonly callback?: string;
  /** Stops forwarding, judges the remaining exchanges, and ends the run. */
  close(): Promise<void>;
}

/** Opens a proxy in front of an agent. Rejects if it cannot listen. The agent may start later. */
export async function openProxy(options: JudgingProxyOptions): Promise<OpenProxy> {
  const run = new ProxyRun(options);
  return run.open();
}

/** Number of notifications that may wait for the call that registers their webhook. */
const mostEarly = 200;

class ProxyRun {
  readonly #options: JudgingProxyOptions;
  readonly #startedAt = performance.now();
  readonly #masker: GrowingMasker;
  readonly #log: ExchangeLog;
  readonly #queue = new JudgingQueue((exchange) => this.#judge(exchange));
  readonly #told: ToldOfTraffic = new Map();
  readonly #judges: PairJudge[] = [];
  readonly #hits: FaultTally;
  readonly #webhooks: WebhookRegistrations | undefined;
  /** notifications that arrived before the call that registered their webhook was complete */
  #early: { readonly exchange: Exchange; readonly place: string }[] = [];
  #map: AddressMap | undefined;
  #card: JsonObject | undefined;
  #learning: Promise<unknown> = Promise.resolve();

  constructor(options: JudgingProxyOptions) {
    this.#options = options;
    this.#masker = new GrowingMasker(options.secrets ?? []);
    this.#hits = new FaultTally(options.faults?.texts ?? []);
    this.#webhooks = options.callback === undefined ? undefined : new WebhookRegistrations();
    this.#log = new ExchangeLog(this.#masker, (event) => options.record(event));
  }

  async open(): Promise<OpenProxy> {
    const {
      url,
      host,
      port,
      allowHosts,
      keepCard,
      connection,
      trustHosts = [],
      card,
      idPrefix,
      faults,
    } = this.#options;
    const agent = new URL(url);
    const callback = this.#options.callback === undefined ? undefined : new URL(this.#options.callback);
    const named = [agent, ...[card, callback].flatMap((one) => (one === undefined ? [] : [new URL(one)]))];
    const { guard, tls, proxies, timeouts } = connection;
    const passing = await openPassing({
      agent,
      host,
      port,
      ...defined({ callback, allowHosts, keepCard, tls, proxies, connectMs: timeouts?.connect, idPrefix, faults }),
      offer: (offered) => this.#options.offer?.(offered) ?? offered,
      guard,
      credentials: bindCredentials({ named, trustHosts, fields: [] }),
      onPassing: () => this.#queue.passing(),
      onBegun: (begun) => this.#options.begun?.({ ...begun, url: this.#masker.text(begun.url) }),
      onExchange: (exchange) => this.#queue.add(exchange),
      onCard: ({ card: passed, url: cardUrl, changes }) => this.#learn(passed, cardUrl, changes),
      onNotice: (notice) => this.#notice(notice),
    });
    this.#map = passing.map;
    this.#started();
    await this.#discover();
    return {
      url: `${passing.url}${agent.pathname === "/" ? "" : agent.pathname}`,
      ...defined({ callback: passing.map.callback }),
      close: async () => {
        await passing.close();
        await this.#end();
      },
    };
  }

  get #now(): number {
    return performance.now() - this.#startedAt;
  }

  #emit(event: RunEvent): void {
    this.#options.record(maskedEvent(event, this.#masker));
  }

  #started(): void {
    const { run, version, url, strict = false, ruleSet } = this.#options;
    this.#emit({
      event: "run-started",
      run,
      at: new Date().toISOString(),
      tool: { name: "assay", version },
      ruleSet: ruleSetFor("1.0", ruleSet),
      agentUrl: url,
      subject: "pair",
      depth: "free",
      strict,
    });
  }

  /** Requests the card ourselves, to know the agent even if clients never request it. */
  async #discover(): Promise<void> {
    const { url, card, headers = [], connection, trustHosts = [] } = this.#options;
    const credentials = bindCredentials({
      named: [url, ...(card === undefined ? [] : [card])],
      trustHosts,
      fields: headers,
    });
    const http = createHttpClient({ ...connection, credentials });
    try {
      const search = await discoverCard(http, card ?? url, headers);
      if (search.found) this.#learn(search.found.json, search.found.url, []);
      else {
        const { message, hint } = cardTrouble(card ?? url, search);
        this.#notice({ side: "agent", code: "no-card", text: `${message} ${hint}` });
      }
    } finally {
      await http.close();
    }
    await this.#learning;
  }

  #learn(served: JsonObject, cardUrl: string, changes: readonly string[]): void {
    const { strict, ruleSet, show } = this.#options;
    // Clients are judged by what they were offered.
    const card = this.#options.offer?.(served) ?? served;
    this.#masker.learnCard(card);
    const text = (value: string): string => this.#masker.text(value);
    for (const change of changes) this.#emit({ event: "note", text: change });
    if (isDeepStrictEqual(card, this.#card)) return;
    const isFirst = this.#card === undefined;
    this.#card = card;
    const opened = PairJudge.open(card, cardUrl, {
      masker: this.#masker,
      ...defined({ strict, ruleSet }),
      told: this.#told,
      ...(this.#webhooks && { webhooks: this.#webhooks }),
      emit: (event) => this.#emit(event),
    });
    this.#learning = Promise.all([this.#learning, opened]).then(([, judge]) => {
      this.#judges.push(judge);
      if (isFirst) this.#emit(judge.found);
      const { name, version } = judge.found;
      show({ is: "card", at: this.#now, name: text(name), version: text(version), changes: changes.map(text) });
    });
  }

  #notice({ side, code, text }: Notice): void {
    const told = this.#masker.text(text);
    this.#emit({ event: "note", text: `${side}: ${told}` });
    this.#options.show({ is: "notice", at: this.#now, side, code, text: told });
  }

  async #judge(exchange: Exchange): Promise<void> {
    await this.#learning;
    this.#masker.learn(exchange.http.request);
    const place = this.#map?.calledBack(exchange.http.request.url);
    if (place !== undefined) return this.#judgeDelivery(exchange, place);
    const judge = this.#judges.at(-1);
    const judged = judge?.judge(exchange, clientOf(exchange));
    const call = judged?.request.is === "call" ? judged.request : undefined;
    this.#hits.add(exchange);
    this.#log.recording.finish(exchange);
    this.#log.write(exchange, defined({ operation: call?.operation, on: call?.on }));
    this.#options.onJudged?.(exchange, judged);
    const seen = callSeen(exchange, this.#now, judged);
    this.#options.show({
      ...seen,
      asked: this.#masker.text(seen.asked),
      answer: this.#masker.text(seen.answer),
      breaches: seen.breaches.map((each) => ({ ...each, message: this.#masker.text(each.message) })),
    });
    if (this.#early.length) this.#judgeEarly();
  }

  /** A notification may arrive before the call is complete that registers its webhook, so it can wait. */
  #judgeDelivery(exchange: Exchange, place: string, isLast = false): void {
    const judged = this.#judges.at(-1)?.judgeDelivery(exchange, place);
    if (!judged && !isLast && this.#early.length < mostEarly) return void this.#early.push({ exchange, place });
    this.#hits.add(exchange);
    this.#log.recording.finish(exchange);
    this.#log.write(exchange, defined({ on: judged?.on }));
    const seen = deliverySeen(exchange, this.#now, judged);
    const breaches = seen.breaches.map((each) => ({ ...each, message: this.#masker.text(each.message) }));
    this.#options.show({ ...seen, answer: this.#masker.text(seen.answer), breaches });
  }

  #judgeEarly(isLast = false): void {
    const early = this.#early;
    this.#early = [];
    for (const { exchange, place } of early) this.#judgeDelivery(exchange, place, isLast);
  }

  async #end(): Promise<void> {
    await this.#queue.drained();
    this.#judgeEarly(true);
    const { skipped, failed } = this.#queue;
    if (skipped) this.#emit({ event: "note", text: `${skipped} calls were not judged, because they arrived too fast` });
    if (failed) this.#emit({ event: "note", text: `not judged because of an internal error: ${failed} calls` });
    for (const text of this.#hits.lines()) this.#emit({ event: "note", text });
    for (const judge of this.#judges) judge.conclude();
    this.#log.writeRest();
    this.#emit({
      event: "run-finished",
      at: new Date().toISOString(),
      ending: "done",
      duration_ms: Math.round(this.#now),
      workingMessages: 0,
    });
  }
}

/** Identifies a client as far as possible: the same program with the same credentials. */
const clientOf = ({ http: { request } }: Exchange): string =>
  request.headers
    .filter(([name]) => /^(?:user-agent|authorization)$/i.test(name))
    .map(([, value]) => value)
    .join("\n");
