import { setTimeout as delay } from "node:timers/promises";
import { jsonObjectIn, randomFrom } from "@assay/protocol";
import { operationAsked } from "@assay/suite";
import type { HeaderPairs } from "@assay/wire";
import { BrokenOff, type PassedAnswer } from "./answer.ts";
import type { FaultedCall } from "./effect.ts";
import { type Fault, type FaultTarget, parseFault } from "./parse-fault.ts";

/** A request that was read completely before it is passed on. */
export interface ReadRequest {
  readonly method: string;
  /** the URL of the agent */
  readonly url: string;
  readonly headers: HeaderPairs;
  readonly body: Buffer;
}

interface Selector {
  readonly fault: Fault;
  readonly random: () => number;
  seen: number;
}

/** The faults of `--fault`. They decide for each call which of them affect it. */
export class Faults {
  readonly #selectors: readonly Selector[];
  readonly #open = new Set<CallFaults>();
  /** Closes the port for a time. The server sets it. */
  refuse: (ms: number) => void = () => {};

  /** Throws a UsageError that names the mistake. Each fault has its own random numbers, by the seed. */
  constructor(texts: readonly string[], seed = 1) {
    this.#selectors = texts.map((text, index) => ({
      fault: parseFault(text),
      random: randomFrom(seed * 1_000 + index),
      seen: 0,
    }));
  }

  /** the faults, as given */
  get texts(): readonly string[] {
    return this.#selectors.map(({ fault }) => fault.text);
  }

  /** Selects the faults of a call. It must be closed when the call is over. */
  begin(request: ReadRequest): CallFaults {
    const target = targetOf(request);
    const chosen = target === undefined ? [] : this.#selectors.flatMap((each) => chosenFor(each, target));
    const call: CallFaults = new CallFaults(request, chosen, {
      closed: () => this.#open.delete(call),
      refused: (ms, text) => {
        this.refuse(ms);
        // The connections of all other calls end, too.
        for (const each of this.#open) each.brokenBy(text);
      },
    });
    this.#open.add(call);
    return call;
  }
}

/** A fault that may affect a call, with its random number. */
interface Chosen {
  readonly fault: Fault;
  readonly chance: number;
}

function chosenFor(selector: Selector, target: FaultTarget): readonly Chosen[] {
  const { fault, random } = selector;
  if (!fault.targets.has(target)) return [];
  // Every call takes its numbers, so that the same seed selects the same calls.
  const [selected, chance] = [random() < fault.share, random()];
  if (!selected || selector.seen >= fault.times) return [];
  selector.seen += 1;
  return [{ fault, chance }];
}

function targetOf(request: ReadRequest): FaultTarget | undefined {
  const isCard = /\/\.well-known\/agent(-card)?\.json$/.test(new URL(request.url).pathname);
  return isCard ? "card" : operationAsked(request)?.operation;
}

/** The faults of one call. */
export class CallFaults {
  /** the faults that have changed the call, as given */
  readonly hits: string[] = [];
  readonly #request: ReadRequest;
  readonly #chosen: readonly Chosen[];
  readonly #events: { closed(): void; refused(ms: number, text: string): void };
  readonly #over = new AbortController();
  #isBroken = false;

  constructor(
    request: ReadRequest,
    chosen: readonly Chosen[],
    events: { closed(): void; refused(ms: number, text: string): void },
  ) {
    this.#request = request;
    this.#chosen = chosen;
    this.#events = events;
  }

  /** any fault may affect it */
  get isChosen(): boolean {
    return this.#chosen.length > 0;
  }

  /** Returns true if the agent gets the request twice, and notes it. */
  repeats(): boolean {
    const repeating = this.#chosen.filter(({ fault }) => fault.effect.repeats);
    for (const { fault } of repeating) this.#hit(fault.text);
    return repeating.length > 0;
  }

  request(headers: HeaderPairs): HeaderPairs {
    return this.#chosen.reduce((kept, each) => each.fault.effect.request?.(kept, this.#callFor(each)) ?? kept, headers);
  }

  /** Returns the response of the first fault that answers instead of the agent. */
  instead(): PassedAnswer | undefined {
    for (const each of this.#chosen) {
      const answer = each.fault.effect.instead?.(this.#callFor(each));
      if (answer) return answer;
    }
    return undefined;
  }

  async answer(answer: PassedAnswer): Promise<PassedAnswer> {
    let changed = answer;
    for (const each of this.#chosen)
      changed = (await each.fault.effect.answer?.(changed, this.#callFor(each))) ?? changed;
    return changed;
  }

  /** A fault has ended the connection. */
  brokenBy(text: string): void {
    this.#hit(text);
    this.#isBroken = true;
  }

  /** A fault has ended the connection: neither side did. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Ends every wait. */
  close(): void {
    this.#over.abort();
    this.#events.closed();
  }

  #hit(text: string): void {
    if (!this.hits.includes(text)) this.hits.push(text);
  }

  #callFor({ fault, chance }: Chosen): FaultedCall {
    const { signal } = this.#over;
    return {
      ...questionIn(this.#request),
      chance,
      wait: (ms) => delay(ms, undefined, { signal }),
      hit: () => this.#hit(fault.text),
      breakOff: (how) => {
        this.brokenBy(fault.text);
        return new BrokenOff(how);
      },
      refuse: (ms) => this.#events.refused(ms, fault.text),
    };
  }
}

function questionIn({ method, url, headers, body }: ReadRequest): Pick<FaultedCall, "question" | "rpcId"> {
  const rpc = jsonObjectIn(body);
  const { id: rpcId, ...asked } = rpc ?? {};
  const question = JSON.stringify([method, url, headers.filter(isSteady), rpc ? asked : body.toString("latin1")]);
  return { question, rpcId };
}

/** Headers that differ in every request. */
const isSteady = ([name]: readonly [string, string]): boolean =>
  !/^(content-length|date|traceparent|tracestate|x-request-id|grpc-timeout)$/i.test(name);
