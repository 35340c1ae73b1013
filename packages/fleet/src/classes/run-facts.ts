import type { JsonObject } from "@assay/protocol";
import {
  type ConformanceReport,
  type ConformanceResult,
  type ExchangeRecorded,
  type InterfaceName,
  interfaceKey,
  type RunEvent,
  RunState,
  reportOf,
  resultsOf,
} from "@assay/suite/report";
import { answerIn, type SeenAnswer } from "./seen-answer.ts";

type Exchange = NonNullable<ConformanceReport["exchanges"]>[number];

/** Limits on the exchanges that prove failures: enough to read, and small enough for a page. */
const mostExchanges = 40;
const mostText = 4_000;

/** The facts of a run that decide its class and evidence. Collected during the run, and never large. */
export class RunFacts {
  readonly #state = new RunState();
  readonly #answers = new Map<string, SeenAnswer[]>();
  readonly #exchanges = new Map<string, Exchange>();

  take(event: RunEvent): void {
    this.#state.take(event);
    if (event.event === "exchange") this.#keep(event);
  }

  /** Returns the report so far, without the exchanges. */
  get report(): ConformanceReport {
    return reportOf(this.#state);
  }

  /** Returns the results of plain messages on all interfaces. */
  get lifecycle() {
    return this.#state.lifecycle.map(({ answer }) => answer);
  }

  /** Returns the responses of an interface, in the order in which they ended. */
  answersAt(on: InterfaceName): readonly SeenAnswer[] {
    return this.#answers.get(interfaceKey(on)) ?? [];
  }

  /** Returns the response that shows a result. */
  shownBy({ evidence: [id] }: ConformanceResult): SeenAnswer | undefined {
    const exchange = id === undefined ? undefined : this.#exchanges.get(id);
    return exchange && answerIn(exchange);
  }

  /** Returns the report with the exchanges that prove its failures. */
  reportWithEvidence(): ConformanceReport {
    const { report } = this;
    const failed = resultsOf(report).filter(({ verdict }) => verdict === "fail");
    const proof = [...new Set(failed.flatMap(({ evidence }) => evidence))].slice(0, mostExchanges);
    const exchanges = proof.flatMap((id) => this.#exchanges.get(id) ?? []);
    return { ...report, exchanges };
  }

  #keep({ event: _, ...exchange }: ExchangeRecorded): void {
    const kept = { ...exchange, entry: cut(exchange.entry) };
    this.#exchanges.set(exchange.id, kept);
    if (!exchange.interface) return;
    const key = interfaceKey(exchange.interface);
    const answers = this.#answers.get(key) ?? [];
    answers.push(answerIn(kept));
    this.#answers.set(key, answers);
  }
}

function cut(entry: Exchange["entry"]): Exchange["entry"] {
  const { request, response } = entry;
  const { postData } = request;
  return {
    ...entry,
    request: { ...request, ...(postData && { postData: { ...postData, text: postData.text.slice(0, mostText) } }) },
    response: { ...response, content: { ...response.content, text: response.content.text.slice(0, mostText) } },
  };
}

/** Facts outside the run that decide the class. */
export interface ListedFacts {
  readonly card: JsonObject;
  /** the list names credentials */
  readonly hasLogin: boolean;
}
