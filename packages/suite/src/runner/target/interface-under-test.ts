import { randomUUID } from "node:crypto";
import type { JsonObject, Message, Operation, StreamingOperation, UnaryOperation } from "@assay/protocol";
import type { Exchange, Handshake, PeerInterface, RawStep, RequestSpec, TlsVersion } from "@assay/wire";
import type { Call } from "../../call.ts";
import type { LiveStream } from "../../live-stream.ts";
import type { Observation } from "../../observation.ts";
import { skipped } from "../../obstacle.ts";
import { isSend } from "../../operations-of.ts";
import type { PrincipalName } from "../../principal.ts";
import type { PromptKind } from "../../prompt-kind.ts";
import { isAccepted, taskIn } from "../../reading.ts";
import type { How, HttpChange, SendMore, Target } from "../../target.ts";
import { isGiven } from "../credentials.ts";
import { interrupted } from "../interrupted.ts";
import { observationKey } from "../plan/grant.ts";
import type { PreparedVersion, RunContext } from "../run-context.ts";
import { InterfaceClient, type RequestSettings } from "./interface-client.ts";
import { type AttemptResult, type CallEnding, endingOf, type Purpose, withRetries } from "./retry.ts";
import type { StreamAttempt } from "./stream-fallback.ts";

const quietMs = 1_000;
const graceDefault = 30_000;
const taskTimeoutDefault = 300_000;

/** The target of the checks: a real interface, asked with patience and within the budget of the run. */
export class InterfaceUnderTest implements Target {
  readonly on: PeerInterface;
  readonly principal: PrincipalName;
  readonly #context: RunContext;
  readonly #version: PreparedVersion;
  readonly #settings: RequestSettings;
  readonly #client: InterfaceClient;

  constructor(context: RunContext, version: PreparedVersion, settings: RequestSettings) {
    this.on = settings.on;
    this.principal = settings.principal;
    this.#context = context;
    this.#version = version;
    this.#settings = settings;
    this.#client = new InterfaceClient(context, version.facts, settings, (call) => context.received(call, this));
  }

  get facts(): Target["facts"] {
    return this.#version.facts;
  }

  get strict(): boolean {
    return this.#context.options.strict ?? false;
  }

  get expectations(): Target["expectations"] {
    return this.#context.options.expectations ?? {};
  }

  get grace(): number {
    return this.#context.options.grace ?? graceDefault;
  }

  get quiet(): number {
    return Math.min(this.grace, quietMs);
  }

  get taskTimeout(): number {
    return this.#context.options.taskTimeout ?? taskTimeoutDefault;
  }

  get sameVersion(): readonly Target[] {
    return this.#context.targetsAs(this.principal).filter(({ on }) => on.dialect === this.on.dialect);
  }

  get otherVersions(): readonly Target[] {
    return this.#context.targetsAs(this.principal).filter(({ on }) => on.dialect !== this.on.dialect);
  }

  get webhook(): Target["webhook"] {
    return this.#context.webhook;
  }

  /** The same target for the requests of an observation. */
  forObservation(one: Observation<unknown>): InterfaceUnderTest {
    const paidBy = observationKey(one, this.on);
    return this.#with({ observation: one.name, urgent: one.messages > 0, paidBy });
  }

  as(principal: PrincipalName): InterfaceUnderTest | undefined {
    const { options } = this.#context;
    if (!isGiven(principal, options)) return undefined;
    return principal === "user" && options.headers === undefined ? this : this.#with({ principal });
  }

  under(tenant: string | undefined): InterfaceUnderTest {
    const { tenant: _, ...bare } = this.on;
    return this.#with({ on: tenant === undefined ? bare : { ...bare, tenant } });
  }

  #with(change: Partial<RequestSettings>): InterfaceUnderTest {
    return new InterfaceUnderTest(this.#context, this.#version, { ...this.#settings, ...change });
  }

  async call(operation: UnaryOperation, params: JsonObject, how: How = {}): Promise<Call> {
    const call = (): Promise<Call> => this.#client.call(operation, params, how);
    if (isMessage(operation, how)) return this.#retried("message", () => this.#counted(call));
    const ask = isSend(operation) ? () => this.#attempt(call) : call;
    return how.unrepeated ? ask() : this.#retried("free-call", ask);
  }

  http(operation: Operation, params: JsonObject, change: HttpChange, how: How = {}): Promise<Call> {
    const call = (): Promise<Call> => this.#client.http(operation, params, change, how);
    const mayBeAccepted = isSend(operation) || how.refusable;
    return this.#retried("free-call", mayBeAccepted ? () => this.#attempt(call) : call);
  }

  open(operation: StreamingOperation, params: JsonObject, how: How = {}): Promise<LiveStream> {
    const { budget, streamFallback } = this.#context;
    const within = this.taskTimeout;
    const open = (): Promise<StreamAttempt> =>
      streamFallback.open(this.on, operation, (change) =>
        this.#client.stream(operation, params, how, { within, change }),
      );
    const counted = async (): Promise<StreamAttempt> => {
      const takeBack = await budget.take(this.#settings.paidBy);
      const opened = await open();
      if (opened.refusal && endingOf(opened.refusal) === "turned-away") takeBack();
      return opened;
    };
    const attempted = (): Promise<StreamAttempt> => budget.attempt(this.on, open, ({ refusal }) => !refusal);
    const send = isMessage(operation, how) ? counted : isSend(operation) ? attempted : open;
    const attempt = async (): Promise<AttemptResult<LiveStream>> => {
      const { stream, refusal } = await send();
      return { value: stream, call: refusal };
    };
    return withRetries("stream", attempt, (ms) => this.sleep(ms));
  }

  raw(steps: readonly RawStep[]): Promise<Exchange> {
    return this.#client.raw(steps);
  }

  shakeHands(version: TlsVersion): Promise<Handshake> {
    return this.#client.shakeHands(version);
  }

  fetch(request: RequestSpec): Promise<Exchange> {
    return this.#client.fetch(request);
  }

  hasPrompt(kind: PromptKind): boolean {
    return this.#version.preconditions.stimuli[kind] !== undefined;
  }

  message(kind: PromptKind, more: Partial<Message> = {}): Message {
    const stimulus = this.#version.preconditions.stimuli[kind];
    if (!stimulus) {
      throw skipped("prompt", `no message is known that makes this agent show it`, `prompts.${kind} in assay.yaml`);
    }
    const { text, idPrefix } = stimulus;
    const messageId = idPrefix === undefined ? randomUUID() : `${idPrefix}-${randomUUID()}`;
    return { messageId, role: "ROLE_USER", parts: [{ text }], ...more };
  }

  async send(kind: PromptKind, more: SendMore = {}): Promise<Call> {
    // A task that has failed takes no further message: what was said to an older one cannot be said again.
    const isNew = more.message?.taskId === undefined;
    const endingOfSend = (call: Call): CallEnding =>
      taskIn(call)?.state === "TASK_STATE_FAILED" && kind !== "failure" && isNew ? "failed-task" : endingOf(call);
    const send = (): Promise<Call> => this.call("SendMessage", this.#sendParams(kind, more), more);
    return answeredInTime(await this.#retried("fresh-message", send, endingOfSend));
  }

  stream(kind: PromptKind, more: SendMore = {}): Promise<LiveStream> {
    const attempt = async (): Promise<AttemptResult<LiveStream>> => {
      const stream = await this.open("SendStreamingMessage", this.#sendParams(kind, more), more);
      const first = await stream.peek(0);
      return { value: stream, call: first?.is === "error" ? await stream.hangUp() : undefined };
    };
    return withRetries("fresh-message", attempt, (ms) => this.sleep(ms));
  }

  #sendParams(kind: PromptKind, { message, parts, configuration, metadata }: SendMore): JsonObject {
    const written = this.message(kind, { ...message, ...(parts && { parts: [...parts] }) });
    return {
      // A message of ours is JSON.
      message: written as unknown as JsonObject,
      ...(configuration && { configuration }),
      ...(metadata && { metadata }),
    };
  }

  observe<T>(one: Observation<T>): Promise<T> {
    return this.#context.observe(one, this);
  }

  unknownId(): string {
    return this.#context.unknownIds.next();
  }

  sleep(ms: number): Promise<void> {
    return this.#context.sleep(ms);
  }

  now(): number {
    return performance.now();
  }

  #retried(purpose: Purpose, make: () => Promise<Call>, ending = endingOf): Promise<Call> {
    const attempt = async (): Promise<AttemptResult<Call>> => {
      const call = await make();
      return { value: call, call, ending: ending(call) };
    };
    return withRetries(purpose, attempt, (ms) => this.sleep(ms));
  }

  /** A message: counted and timed, unless it was turned away unread. */
  async #counted(send: () => Promise<Call>): Promise<Call> {
    const { budget, workSlots, onWorked } = this.#context;
    const takeBack = await budget.take(this.#settings.paidBy);
    const startedAt = performance.now();
    const call = await send();
    if (endingOf(call) === "turned-away") {
      takeBack();
      // An agent that is pressed by two at a time gets one.
      workSlots.shrinkTo(1);
    } else onWorked(performance.now() - startedAt);
    return call;
  }

  /** A send that the agent should refuse: counted where it does not. */
  #attempt(send: () => Promise<Call>): Promise<Call> {
    return this.#context.budget.attempt(this.on, send, isAccepted);
  }
}

const isMessage = (operation: Operation, { refusable }: How): boolean => isSend(operation) && !refusable;

/** Slowness is no fault: what did not come in time was not examined. */
function answeredInTime(call: Call): Call {
  if (call.reply.is !== "failure") return call;
  const { code, message } = call.reply.failure;
  if (code.startsWith("timeout"))
    throw skipped("unstable", `the agent did not answer in time (${message})`, "--timeout <seconds>");
  if (code === "aborted") throw interrupted();
  return call;
}
