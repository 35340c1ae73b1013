import type { ClientAnswer, ClientAsked, ScenarioClient } from "@assay/scenarios";
import type { ClientDriver } from "../driver/client-driver.ts";
import type { DriverDescription } from "../driver/description.ts";
import { unsupportedBy } from "../driver/description.ts";
import { givenBy, opOf, writtenFor } from "../driver/translate.ts";
import type { Spoken } from "./narrowed-card.ts";
import type { ObservedAgent } from "./observed-agent.ts";

/** Time for exchanges to end once the client has its result. */
const settlingMs = 1_500;
/** The same if the program left a stream: the client need not close it at once, and the task continues meanwhile. */
const leavingMs = 150;
/** The same if the client fails while the server responds: only the whole response shows if the server was right. */
const failingMs = 10_000;
/** Time for a client to process a complete response. */
const afterwardsMs = 8_000;

/** A driver's client that calls an agent through the recording proxy, as scenarios use it. */
export class DrivenClient implements ScenarioClient {
  readonly #description: DriverDescription;
  readonly #driver: ClientDriver;
  readonly #agent: ObservedAgent;
  readonly #spoken: Spoken;

  constructor(description: DriverDescription, driver: ClientDriver, agent: ObservedAgent, spoken: Spoken) {
    this.#description = description;
    this.#driver = driver;
    this.#agent = agent;
    this.#spoken = spoken;
  }

  get givesCardAsWritten(): boolean {
    return this.#description.model === this.#spoken.version;
  }

  async ask({ operation: asked, request, headers, timeoutMs, leaveAfter }: ClientAsked): Promise<ClientAnswer> {
    const { op, operation } = opOf[asked];
    // A stream that cannot be left is unsupported: later steps would be about another task.
    const why = this.#unsupported(op) ?? (leaveAfter === undefined ? undefined : this.#unsupported("close"));
    if (why !== undefined)
      return { given: { error: { kind: "unsupported", message: why } }, exchanges: [], isPending: false };
    const { model } = this.#description;
    const { binding, version } = this.#spoken;
    const since = this.#agent.ids.length;
    const { value: answer, exchanges } = await this.#agent.watch(
      () =>
        this.#driver.ask({
          op,
          target: { card: this.#agent.url, binding, version, headers },
          params: writtenFor(model, operation, request),
          timeoutMs,
          ...(leaveAfter !== undefined && { leaveAfter }),
          over: (signal) => this.#agent.quiet(since, afterwardsMs, signal),
        }),
      ({ error, events }) => {
        if (events.length >= (leaveAfter ?? Number.POSITIVE_INFINITY)) return leavingMs;
        return error ? failingMs : settlingMs;
      },
    );
    const isStream = op === "stream" || op === "subscribe";
    const kind = op === "card" ? "card" : "call";
    const wire = exchanges.map((id) => this.#agent.wire(id)).findLast((each) => each?.is === kind);
    return {
      given: givenBy(model, operation, answer, isStream),
      exchanges,
      ...(wire && { wire }),
      isPending: exchanges.some((id) => !this.#agent.isOver(id)),
    };
  }

  #unsupported(op: string): string | undefined {
    return unsupportedBy(this.#description, this.#spoken, (row) => row.op === op);
  }
}
