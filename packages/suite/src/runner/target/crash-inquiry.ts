import { isStreaming, type Operation } from "@assay/protocol";
import { isSend } from "../../answers/operations-of.ts";
import { isAccepted, isBrokenOff } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import type { Target } from "../../define/target.ts";
import { paramsFor } from "../../observations/unknown-task.ts";
import type { RunContext } from "../run-context.ts";
import { type Control, controlMs } from "./crash-trials.ts";
import type { InterfaceClient, RequestSettings, Sending } from "./interface-client.ts";
import { isAnswered } from "./liveness.ts";
import type { AttemptMode, Inquiry } from "./retry.ts";

/** Number of unanswered attempts, while others are answered, that count as a hang. */
const enoughSilences = 2;

/** Finds out if an unresponsive agent crashed, hangs, or cannot be reached. */
export class CrashInquiry {
  readonly #context: RunContext;
  readonly #settings: RequestSettings;
  readonly #client: InterfaceClient;
  readonly #target: Target;

  constructor(context: RunContext, settings: RequestSettings, client: InterfaceClient, target: Target) {
    this.#context = context;
    this.#settings = settings;
    this.#client = client;
    this.#target = target;
  }

  /** Repeats the first call and returns true if this interface answers. */
  async answers(withinMs: number): Promise<boolean> {
    return isAnswered(await this.#client.ask(withinMs));
  }

  /** Returns true if a kept connection was open and gets a response. */
  async #keepsConnection(): Promise<boolean> {
    const call = await this.#client.ask(controlMs, {});
    return isAnswered(call) && call.exchange.transport.reused;
  }

  inquiry(operation: Operation, { isWork = false, mayHangUp = false } = {}): Inquiry {
    const { crashes, restarts, messageSilence } = this.#context;
    const { observation, check } = this.#settings;
    // The agent may be working on a message that it has read. And an agent that rejects requests by closing the connection
    // may answer some of them on a busy machine. Then only the exit of the process proves a crash.
    const mostCuts = isWork || mayHangUp ? 1 : Number.POSITIVE_INFINITY;
    let silences = 0;
    return {
      dropped: async (call, again) => {
        const size = call.exchange.http.request.body.length;
        const twin = () => this.#twin(operation, size);
        const control: Control = (ms) => this.answers(ms);
        const kept = () => this.#keepsConnection();
        const trial = await crashes.try({ call, observation, check, again, twin, control, kept, mostCuts });
        if (isBrokenOff(call) && trial.is !== "broken-off") this.#context.lost();
        return trial;
      },
      silent: async (call) => {
        if (isSend(operation) && messageSilence.isTotalOn(call.on)) return "not-alone";
        if (!(await this.answers(controlMs))) return "not-alone";
        silences += 1;
        if (silences < enoughSilences) return undefined;
        this.#context.judge(call);
        return "to-blame";
      },
      recover: async (call) => {
        if (isBrokenOff(call)) this.#context.lost();
        await restarts?.recover();
      },
      isCrash: ({ exchange }) => crashes.of(exchange.id) !== undefined,
    };
  }

  /** Notes an answered malformed request: the process may exit a moment later. */
  answered(operation: Operation, call: Call, again: () => Promise<Call>): Call {
    const { crashes, budget } = this.#context;
    if (call.fair || !isAnswered(call)) return call;
    const { observation, check } = this.#settings;
    const size = call.exchange.http.request.body.length;
    crashes.answered({
      call,
      observation,
      check,
      again: () => (isSend(operation) ? budget.attemptNow(this.#settings.on, again, isAccepted) : again()),
      twin: () => this.#twin(operation, size),
      control: (ms) => this.answers(ms),
    });
    return call;
  }

  /** Sends a well-formed request of the same operation and size, about nothing that exists, while all others wait. */
  async #twin(operation: Operation, size: number): Promise<Call | undefined> {
    const how = { refusable: true } as const;
    const sending = { ...patienceFor(this.#context, operation, "alone"), size };
    const send = async (): Promise<Call> => {
      const params = paramsFor(this.#target, operation);
      if (!isStreaming(operation)) return this.#client.call(operation, params, how, sending);
      const more = { within: this.#context.taskTimeout, change: undefined, sending };
      const { stream, refusal } = await this.#client.stream(operation, params, how, more);
      return refusal ?? stream.hangUp();
    };
    return isSend(operation) ? this.#context.budget.attemptNow(this.#settings.on, send, isAccepted) : send();
  }
}

/** A kept connection may be dead, so retries use a new one. */
export const sendingIn = (mode: AttemptMode): Sending => ({
  ...(mode !== "first" && { fresh: true }),
  ...(mode === "alone" && { alone: true }),
});

/** The response to a message may take as long as a task. */
export function patienceFor({ idleForTask }: RunContext, operation: Operation, mode: AttemptMode): Sending {
  const idleMs = isSend(operation) ? idleForTask : undefined;
  return { ...sendingIn(mode), ...(idleMs !== undefined && { idleMs }) };
}
