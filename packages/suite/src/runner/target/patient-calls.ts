import type { JsonObject, Operation, StreamingOperation, UnaryOperation } from "@assay/protocol";
import { asObject } from "../../answers/loose-json.ts";
import { isSend } from "../../answers/operations-of.ts";
import { isAtTheDoor, promptRefused } from "../../answers/prompt-refusal.ts";
import { describeReply, isAccepted, isLogin, looseEvent, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import type { LiveStream } from "../../define/live-stream.ts";
import { skipped } from "../../define/obstacle.ts";
import type { How, HttpChange, Target } from "../../define/target.ts";
import { showsCredentials } from "../credentials.ts";
import type { Budget } from "../plan/budget.ts";
import type { RunContext } from "../run-context.ts";
import { CrashInquiry, patienceFor, sendingIn } from "./crash-inquiry.ts";
import { controlMs } from "./crash-trials.ts";
import { type InterfaceClient, isFair, type RequestSettings } from "./interface-client.ts";
import { waitOn } from "./lane.ts";
import {
  type AttemptMode,
  type AttemptResult,
  type CallEnding,
  endingOf,
  type Inquiry,
  type Purpose,
  type RetryOptions,
  withRetries,
} from "./retry.ts";
import type { StreamAttempt } from "./stream-fallback.ts";
import type { WorkTurn } from "./work-turn.ts";

/** Principals that the agent must know, and where their credentials are configured. */
const placesOfLogins = {
  user: "principals.default",
  second: "principals.second",
  restricted: "principals.restricted",
} as const;

/** Calls operations, with retries and within the budget of the run. */
export class PatientCalls {
  readonly crashes: CrashInquiry;
  readonly #context: RunContext;
  readonly #settings: RequestSettings;
  readonly #client: InterfaceClient;
  readonly #target: Target;

  constructor(context: RunContext, settings: RequestSettings, client: InterfaceClient, target: Target) {
    this.crashes = new CrashInquiry(context, settings, client, target);
    this.#context = context;
    this.#settings = settings;
    this.#client = client;
    this.#target = target;
  }

  async call(operation: UnaryOperation, params: JsonObject, how: How = {}): Promise<Call> {
    this.#assertSendable(how.fair ?? isFair(operation, params));
    if (isMessage(operation, how))
      return this.message("message", operation, params, how, this.crashes.inquiry(operation, { isWork: true }));
    const ask = (mode: AttemptMode): Promise<Call> => this.#client.call(operation, params, how, sendingIn(mode));
    const counted = (send: () => Promise<Call>): Promise<Call> => (isSend(operation) ? this.#attempt(send) : send());
    const again = (): Promise<Call> => ask("alone");
    if (how.unrepeated) return this.crashes.answered(operation, await counted(() => ask("first")), again);
    const purpose = how.contact ? "contact" : "free-call";
    const { mayHangUp = false } = how;
    const retried = (): Promise<Call> =>
      counted(() => this.retried(purpose, ask, this.crashes.inquiry(operation, { mayHangUp }), { mayHangUp }));
    return this.crashes.answered(
      operation,
      await this.#settled(operation, params, how, retried, async (answer) => answer),
      again,
    );
  }

  async http(operation: Operation, params: JsonObject, change: HttpChange, how: How = {}): Promise<Call> {
    this.#assertSendable(how.fair ?? false);
    const ask = (mode: AttemptMode): Promise<Call> =>
      this.#client.http(operation, params, change, how, sendingIn(mode));
    const again = (): Promise<Call> => ask("alone");
    if (how.unrepeated) return this.crashes.answered(operation, await ask("first"), again);
    const retried = (): Promise<Call> => this.retried("free-call", ask, this.crashes.inquiry(operation));
    const counted = (): Promise<Call> => (isSend(operation) || how.refusable ? this.#attempt(retried) : retried());
    return this.crashes.answered(
      operation,
      await this.#settled(operation, params, { fair: false, ...how }, counted, async (answer) => answer),
      again,
    );
  }

  async open(operation: StreamingOperation, params: JsonObject, how: How = {}): Promise<LiveStream> {
    this.#assertSendable(how.fair ?? isFair(operation, params));
    const purpose = isMessage(operation, how) ? "message" : "free-call";
    return this.openFor(
      purpose,
      operation,
      params,
      how,
      this.crashes.inquiry(operation, { isWork: isMessage(operation, how) }),
    );
  }

  openFor(
    purpose: Purpose,
    operation: StreamingOperation,
    params: JsonObject,
    how: How,
    inquiry: Inquiry,
  ): Promise<LiveStream> {
    const { budget, streamFallback, workload } = this.#context;
    const within = this.#context.taskTimeout;
    const open = (mode: AttemptMode): Promise<StreamAttempt> => {
      const sending = patienceFor(this.#context, operation, mode);
      return streamFallback.open(this.#settings.on, operation, (change) =>
        this.#client.stream(operation, params, how, { within, change, sending }),
      );
    };
    const counted = async (mode: AttemptMode): Promise<StreamAttempt> => {
      const takeBack = await budget.take(this.#settings.paidBy, mode === "alone");
      const startedAt = performance.now();
      const opened = await open(mode);
      if (!opened.refusal) workload.answered(kindOf(operation, params), performance.now() - startedAt);
      else if (this.#isUncounted(params, opened.refusal)) takeBack();
      return opened;
    };
    let isTaken = false;
    const attempt = async (mode: AttemptMode): Promise<AttemptResult<LiveStream>> => {
      const { stream, refusal } = await (isMessage(operation, how) ? counted(mode) : open(mode));
      isTaken = !refusal || isAccepted(refusal);
      if (refusal) await this.#assertLoggedIn(refusal);
      if (refusal && !isMessage(operation, how) && mode !== "alone")
        this.crashes.answered(operation, refusal, async () => {
          const again = await open("alone");
          return again.refusal ?? again.stream.hangUp();
        });
      return { value: stream, call: refusal };
    };
    const opened = (): Promise<LiveStream> => withRetries(purpose, attempt, this.retryOptions(inquiry));
    const begun = (): Promise<LiveStream> => {
      if (isMessage(operation, how)) return this.#begun(opened);
      return isSend(operation) ? budget.attempt(this.#payer, opened, () => isTaken) : opened();
    };
    return this.#settled(operation, params, how, begun, async (stream) => {
      const first = await stream.peek(0);
      return first && first.is !== "result" ? stream.hangUp() : undefined;
    });
  }

  /** Sends a message, counted and timed unless the agent did not read it. */
  async message(
    purpose: Purpose,
    operation: UnaryOperation,
    params: JsonObject,
    how: How,
    inquiry: Inquiry,
  ): Promise<Call> {
    const { budget, onWorked, workload } = this.#context;
    const send = async (mode: AttemptMode): Promise<Call> => {
      const takeBack = await budget.take(this.#settings.paidBy, mode === "alone");
      const startedAt = performance.now();
      const call = await this.#client.call(operation, params, how, patienceFor(this.#context, operation, mode));
      const ending = endingOf(call);
      if (this.#isUncounted(params, call)) takeBack();
      else if (ending === "answered") {
        const took = performance.now() - startedAt;
        onWorked(took);
        workload.answered(kindOf(operation, params), took);
      }
      return call;
    };
    const answered = await this.#begin();
    try {
      const retried = (): Promise<Call> => this.retried(purpose, send, inquiry);
      const call = await this.#settled(operation, params, how, retried, async (answer) => answer);
      answered(taskIn(call));
      return call;
    } finally {
      answered();
    }
  }

  /** Retries while a replica may not know a task yet. Stops if the agent has purged it. */
  #settled<T>(
    operation: Operation,
    params: JsonObject,
    how: How,
    ask: () => Promise<T>,
    callIn: (answer: T) => Promise<Call | undefined>,
  ): Promise<T> {
    const read = (id: string): Promise<Call> => this.call("GetTask", { id }, { mayBeGone: true });
    return this.#context.knownTasks.settled({ operation, params, how, ask, callIn, read }, this.#target);
  }

  /** The agent has not read the message, or does not know its task yet. */
  #isUncounted(params: JsonObject, call: Call): boolean {
    return isUnread(endingOf(call)) || this.#context.knownTasks.isUnfound(params, call, this.#target);
  }

  /** Counts a stream as work until it names its task or ends. */
  async #begun(open: () => Promise<LiveStream>): Promise<LiveStream> {
    const answered = await this.#begin();
    try {
      const stream = await open();
      const first = await stream.peek(0);
      const { taskId, state } = (first && looseEvent(first)) ?? {};
      if (taskId !== undefined) answered({ id: taskId, state });
      else if (first) answered();
      else void stream.over.then(() => answered());
      return stream;
    } catch (error) {
      answered();
      throw error;
    }
  }

  /** Waits for the place of the current observation, if it has one. */
  #begin(): ReturnType<WorkTurn["begin"]> {
    const { turn, lane, paidBy } = this.#settings;
    if (!turn) return Promise.resolve(() => {});
    return waitOn(lane, "turn", () => this.#context.budget.standBy(paidBy, () => turn.begin()));
  }

  /** Sends a message that the agent should reject. It counts if accepted. */
  #attempt(send: () => Promise<Call>): Promise<Call> {
    return this.#context.budget.attempt(this.#payer, send, isAccepted);
  }

  get #payer(): Parameters<Budget["attempt"]>[0] {
    const { on, paidBy } = this.#settings;
    return { on, by: paidBy };
  }

  retried(
    purpose: Purpose,
    make: (mode: AttemptMode) => Promise<Call>,
    inquiry: Inquiry,
    { ending = endingOf, mayHangUp }: { ending?: (call: Call) => CallEnding; mayHangUp?: boolean | undefined } = {},
  ): Promise<Call> {
    const attempt = async (mode: AttemptMode): Promise<AttemptResult<Call>> => {
      const call = await make(mode);
      // The first contact decides itself what a rejection means.
      if (purpose !== "contact" && isAtTheDoor(call)) throw promptRefused(call);
      if (purpose !== "contact") await this.#assertLoggedIn(call);
      return { value: call, call, ending: ending(call) };
    };
    return withRetries(purpose, attempt, { ...this.retryOptions(inquiry), mayHangUp });
  }

  /**
   * If the agent rejects a principal's credentials, a rejected call proves nothing about permissions. A control call
   * that any principal may make shows if the credentials are the cause.
   */
  async #assertLoggedIn(call: Call): Promise<void> {
    const place = placesOfLogins[this.#settings.principal as keyof typeof placesOfLogins];
    const isRefused = (each: Call): boolean => isLogin(each) || each.shutOut === true;
    // Without credentials, there are none to blame.
    if (this.#settings.principal === "user" && !showsCredentials(this.#context.options)) return;
    if (place === undefined || !isRefused(call) || !isRefused(await this.#client.ask(controlMs))) return;
    throw skipped(
      "credentials",
      `the agent rejects the credentials of ${place}, perhaps because they expired: ${describeReply(call)}`,
      place,
    );
  }

  retryOptions(inquiry: Inquiry): RetryOptions {
    const { patience, goneAfter } = this.#context;
    const sleep = (ms: number): Promise<void> => waitOn(this.#settings.lane, "retry", () => patience.sleep(ms));
    return { ...patience, sleep, inquiry, contactWithin: goneAfter };
  }

  /** Throws if a check should not send requests for its rule (see `RunContext.assertWorthwhile`). */
  assertWorthwhile(): void {
    const { check, on } = this.#settings;
    if (check !== undefined) this.#context.assertWorthwhile(check, on);
  }

  /** After several crashes on malformed requests, Assay sends no more of them. Behind a rate limit it sends fewer. */
  #assertSendable(isFair: boolean): void {
    this.assertWorthwhile();
    if (isFair || !this.#context.crashes.isEnough) return;
    throw skipped(
      "unstable",
      "the agent crashed on several malformed requests, so Assay sends it no more of them in this run",
    );
  }
}

/** Messages with equal content and settings take an agent about equally long. */
const kindOf = (operation: Operation, { message, configuration }: JsonObject): string =>
  JSON.stringify([operation, asObject(message)?.["parts"], asObject(configuration)?.["returnImmediately"]]);

const isMessage = (operation: Operation, { refusable }: How): boolean => isSend(operation) && !refusable;

/** Returns true if the agent has not seen the message. */
const isUnread = (ending: CallEnding): boolean =>
  ending === "pressed" || ending === "unconnected" || ending === "out-of-reach";
