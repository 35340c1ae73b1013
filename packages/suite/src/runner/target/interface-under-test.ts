import { randomUUID } from "node:crypto";
import {
  isStreaming,
  type JsonObject,
  type Message,
  type Operation,
  type Part,
  type StreamingOperation,
  type UnaryOperation,
} from "@assay/protocol";
import type { Exchange, Handshake, PeerInterface, RawStep, RequestSpec, TlsVersion } from "@assay/wire";
import { isSend } from "../../answers/operations-of.ts";
import { isAtTheDoor, isCallerRefused, isPromptRefused, promptRefused } from "../../answers/prompt-refusal.ts";
import {
  asObject,
  describeReply,
  isAccepted,
  isBrokenOff,
  isLogin,
  type LooseTask,
  looseEvent,
  taskIn,
} from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import type { LiveStream } from "../../define/live-stream.ts";
import type { Observation } from "../../define/observation.ts";
import { skipped } from "../../define/obstacle.ts";
import type { PrincipalName } from "../../define/principal.ts";
import type { PromptKind } from "../../define/prompt-kind.ts";
import type { Due, How, HttpChange, SendMore, Target } from "../../define/target.ts";
import { paramsFor } from "../../observations/unknown-task.ts";
import type { ObservationWait } from "../../report/events.ts";
import { partsWithMore, readsText, saysText } from "../../stimuli/parts.ts";
import { certificateOf, isGiven, showsCredentials } from "../credentials.ts";
import { interrupted } from "../interrupted.ts";
import { observationKey } from "../plan/grant.ts";
import type { PreparedVersion, RunContext } from "../run-context.ts";
import { type Control, controlMs } from "./crash-trials.ts";
import { InterfaceClient, isFair, type RequestSettings, type Sending } from "./interface-client.ts";
import type { Lane } from "./lane.ts";
import { isAnswered } from "./liveness.ts";
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

const quietMs = 1_000;
/** How often a request alone has to go unanswered, while others are answered, to count as a hang. */
const enoughSilences = 2;

/** Principals that the agent has to know, and where their login is written. */
const placesOfLogins = {
  user: "principals.default",
  second: "principals.second",
  restricted: "principals.restricted",
} as const;

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

  get production(): boolean {
    return this.#context.options.production ?? false;
  }

  get strict(): boolean {
    return this.#context.options.strict ?? false;
  }

  get expectations(): Target["expectations"] {
    return this.#context.options.expectations ?? {};
  }

  get grace(): number {
    return this.#context.punctuality.grace;
  }

  get quiet(): number {
    return Math.min(this.grace, quietMs);
  }

  get lag(): number {
    return this.#context.knownTasks.lag;
  }

  get taskTimeout(): number {
    return this.#context.taskTimeout;
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
  forObservation(
    one: Observation<unknown>,
    more: Pick<RequestSettings, "turn" | "lane" | "needs"> = {},
  ): InterfaceUnderTest {
    const paidBy = observationKey(one, this.on);
    return this.#with({ observation: one.name, urgent: one.messages > 0, paidBy, ...more });
  }

  /** What the observation under way rests on. */
  get needs(): RequestSettings["needs"] {
    return this.#settings.needs;
  }

  /** The same target for the requests of a check itself, with its waits on this lane. */
  timedBy(lane: Lane, check: string): InterfaceUnderTest {
    return this.#with({ lane, check });
  }

  get invalidCallers(): Target["invalidCallers"] {
    const flaws = Object.keys(this.#context.options.principals?.invalid ?? {});
    return flaws.map((flaw) => ({
      flaw,
      caller: this.#with({ principal: `invalid:${flaw}` }),
      besides: this.#with({ principal: `besides:${flaw}` }),
    }));
  }

  get showsCredentials(): boolean {
    return showsCredentials(this.#context.options);
  }

  get showsCertificate(): boolean {
    return this.on.url.startsWith("https:") && certificateOf(this.principal, this.#context.options) !== undefined;
  }

  as(principal: PrincipalName): InterfaceUnderTest | undefined {
    const { options } = this.#context;
    if (!isGiven(principal, options)) return undefined;
    return principal === this.principal ? this : this.#with({ principal });
  }

  under(tenant: string | undefined): InterfaceUnderTest {
    const { tenant: _, ...bare } = this.on;
    return this.#with({ on: tenant === undefined ? bare : { ...bare, tenant } });
  }

  #with(change: Partial<RequestSettings>): InterfaceUnderTest {
    return new InterfaceUnderTest(this.#context, this.#version, { ...this.#settings, ...change });
  }

  async call(operation: UnaryOperation, params: JsonObject, how: How = {}): Promise<Call> {
    this.#assertSafe(how.fair ?? isFair(operation, params));
    if (isMessage(operation, how))
      return this.#message("message", operation, params, how, this.#inquiry(operation, true));
    const ask = (mode: AttemptMode): Promise<Call> => this.#client.call(operation, params, how, sendingIn(mode));
    const counted = (send: () => Promise<Call>): Promise<Call> => (isSend(operation) ? this.#attempt(send) : send());
    const again = (): Promise<Call> => ask("alone");
    if (how.unrepeated) return this.#answered(operation, await counted(() => ask("first")), again);
    const purpose = how.contact ? "contact" : "free-call";
    const retried = (): Promise<Call> =>
      counted(() => this.#retried(purpose, ask, this.#inquiry(operation, false), { mayHangUp: how.mayHangUp }));
    return this.#answered(
      operation,
      await this.#settled(operation, params, how, retried, async (answer) => answer),
      again,
    );
  }

  /** Whether the first call on this interface is answered, made again now. */
  async answers(withinMs: number): Promise<boolean> {
    return isAnswered(await this.#client.ask(withinMs));
  }

  /** Asks over a connection that was kept, where there is one; whether there was, and it is answered. */
  async #keepsConnection(): Promise<boolean> {
    const call = await this.#client.ask(controlMs, {});
    return isAnswered(call) && call.exchange.transport.reused;
  }

  async http(operation: Operation, params: JsonObject, change: HttpChange, how: How = {}): Promise<Call> {
    this.#assertSafe(how.fair ?? false);
    const ask = (mode: AttemptMode): Promise<Call> =>
      this.#client.http(operation, params, change, how, sendingIn(mode));
    const again = (): Promise<Call> => ask("alone");
    if (how.unrepeated) return this.#answered(operation, await ask("first"), again);
    const retried = (): Promise<Call> => this.#retried("free-call", ask, this.#inquiry(operation, false));
    const counted = (): Promise<Call> => (isSend(operation) || how.refusable ? this.#attempt(retried) : retried());
    return this.#answered(
      operation,
      await this.#settled(operation, params, { fair: false, ...how }, counted, async (answer) => answer),
      again,
    );
  }

  async open(operation: StreamingOperation, params: JsonObject, how: How = {}): Promise<LiveStream> {
    this.#assertSafe(how.fair ?? isFair(operation, params));
    const purpose = isMessage(operation, how) ? "message" : "free-call";
    return this.#open(purpose, operation, params, how, this.#inquiry(operation, isMessage(operation, how)));
  }

  #open(
    purpose: Purpose,
    operation: StreamingOperation,
    params: JsonObject,
    how: How,
    inquiry: Inquiry,
  ): Promise<LiveStream> {
    const { budget, streamFallback, workload } = this.#context;
    const within = this.taskTimeout;
    const open = (mode: AttemptMode): Promise<StreamAttempt> => {
      const sending = this.#patience(operation, mode);
      return streamFallback.open(this.on, operation, (change) =>
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
        this.#answered(operation, refusal, async () => {
          const again = await open("alone");
          return again.refusal ?? again.stream.hangUp();
        });
      return { value: stream, call: refusal };
    };
    const opened = (): Promise<LiveStream> => withRetries(purpose, attempt, this.#retryOptions(inquiry));
    const begun = (): Promise<LiveStream> => {
      if (isMessage(operation, how)) return this.#begun(opened);
      return isSend(operation) ? budget.attempt(this.on, opened, () => isTaken) : opened();
    };
    return this.#settled(operation, params, how, begun, async (stream) => {
      const first = await stream.peek(0);
      return first && first.is !== "result" ? stream.hangUp() : undefined;
    });
  }

  /** Asks again where a replica may not have heard of a task yet; ends where the agent has purged it. */
  #settled<T>(
    operation: Operation,
    params: JsonObject,
    how: How,
    ask: () => Promise<T>,
    callIn: (answer: T) => Promise<Call | undefined>,
  ): Promise<T> {
    const read = (id: string): Promise<Call> => this.call("GetTask", { id }, { mayBeGone: true });
    return this.#context.knownTasks.settled({ operation, params, how, ask, callIn, read }, this);
  }

  /** The agent has not read the message, or does not know its task yet. */
  #isUncounted(params: JsonObject, call: Call): boolean {
    return isUnread(endingOf(call)) || this.#context.knownTasks.isUnfound(params, call, this);
  }

  /** A stream that makes the agent work: until it says with what, or is over, that is as long as we know. */
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

  say(text: string, behind: readonly Part[] = []): Part[] {
    const { task } = this.#version.preconditions.stimuli;
    const isRead = readsText(this.facts, this.#context.options.skills) || (task !== undefined && saysText(task));
    return partsWithMore(behind, text, isRead);
  }

  message(kind: PromptKind, more: Partial<Message> = {}): Message {
    const stimulus = this.#version.preconditions.stimuli[kind];
    if (!stimulus) {
      throw skipped("prompt", `no message is known that makes this agent show it`, `prompts.${kind} in assay.yaml`);
    }
    const { parts, idPrefix } = stimulus;
    const messageId = idPrefix === undefined ? randomUUID() : `${idPrefix}-${randomUUID()}`;
    return { messageId, role: "ROLE_USER", parts: [...parts], ...more };
  }

  async send(kind: PromptKind, more: SendMore = {}): Promise<Call> {
    // A task that has failed takes no further message: what was said to an older one cannot be said again.
    const isNew = more.message?.taskId === undefined;
    const endingOfSend = (call: Call): CallEnding =>
      taskIn(call)?.state === "TASK_STATE_FAILED" && kind !== "failure" && isNew ? "failed-task" : endingOf(call);
    const inquiry = this.#inquiry("SendMessage", true);
    const send = (): Promise<Call> =>
      this.#message("first-message", "SendMessage", this.#sendParams(kind, more), more, inquiry);
    const call = await this.#retried("fresh-message", send, inquiry, { ending: endingOfSend });
    if (endingOf(call) === "aborted") throw interrupted(this.#context.signal);
    if (this.#isRefused(call, more)) throw promptRefused(call, kind);
    return call;
  }

  stream(kind: PromptKind, more: SendMore = {}): Promise<LiveStream> {
    const inquiry = this.#inquiry("SendStreamingMessage", true);
    const attempt = async (): Promise<AttemptResult<LiveStream>> => {
      const params = this.#sendParams(kind, more);
      const stream = await this.#open("first-message", "SendStreamingMessage", params, more, inquiry);
      const first = await stream.peek(0);
      const isOver = first !== undefined && first.is !== "result";
      const call = isOver ? await stream.hangUp() : undefined;
      if (call && this.#isRefused(call, more)) throw promptRefused(call, kind);
      return { value: stream, call };
    };
    return withRetries("fresh-message", attempt, this.#retryOptions(inquiry));
  }

  /** The message itself is refused; one with other parts than the prompt's may well be there for that. */
  #isRefused(call: Call, { message, parts }: SendMore): boolean {
    if (this.principal !== "user" || message?.taskId !== undefined) return false;
    return parts === undefined ? isPromptRefused(call) : isCallerRefused(call);
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

  messagesLeft(): number {
    return this.#context.budget.keptFor(this.#settings.paidBy);
  }

  knownTask(isMeant: (task: LooseTask) => boolean): LooseTask | undefined {
    return this.#context.knownTasks.recall(this, isMeant);
  }

  configsOf(taskId: string): ReturnType<Target["configsOf"]> {
    return this.#context.knownTasks.configsOf(taskId, this);
  }

  observe<T>(one: Observation<T>): Promise<T> {
    return this.#context.observe(one, this);
  }

  unknownId(): string {
    return this.#context.unknownIds.next();
  }

  due<T>(what: Due, wait: (withinMs: number) => Promise<T>, hasCome: (seen: T) => boolean): Promise<T> {
    // Streams are each interface's own; what lies behind them is the agent's.
    const place = what === "close" ? JSON.stringify([this.on.url, this.on.binding, this.on.dialect]) : "";
    return this.#waiting("due", () => this.#context.punctuality.wait(what, place, wait, hasCome));
  }

  sleep(ms: number): Promise<void> {
    const what = this.#settings.turn?.isAtWork ? "work" : "pause";
    return this.#waiting(what, () => this.#context.sleep(ms));
  }

  #waiting<T>(what: ObservationWait["for"], wait: () => Promise<T>): Promise<T> {
    return this.#settings.lane?.during(what, wait) ?? wait();
  }

  now(): number {
    return performance.now();
  }

  #retried(
    purpose: Purpose,
    make: (mode: AttemptMode) => Promise<Call>,
    inquiry: Inquiry,
    { ending = endingOf, mayHangUp }: { ending?: (call: Call) => CallEnding; mayHangUp?: boolean | undefined } = {},
  ): Promise<Call> {
    const attempt = async (mode: AttemptMode): Promise<AttemptResult<Call>> => {
      const call = await make(mode);
      // The first contact says itself what a refusal there means.
      if (purpose !== "contact" && isAtTheDoor(call)) throw promptRefused(call);
      if (purpose !== "contact") await this.#assertLoggedIn(call);
      return { value: call, call, ending: ending(call) };
    };
    return withRetries(purpose, attempt, { ...this.#retryOptions(inquiry), mayHangUp });
  }

  /**
   * What a principal is refused whose login is not good, or no longer, shows nothing: neither of what it may not do, nor of
   * what is kept from it. Whether it is the login shows in a call that any principal may make.
   */
  async #assertLoggedIn(call: Call): Promise<void> {
    const place = placesOfLogins[this.principal as keyof typeof placesOfLogins];
    const isRefused = (each: Call): boolean => isLogin(each) || each.shutOut === true;
    // Where none was given there is none that could be wrong.
    if (this.principal === "user" && !this.showsCredentials) return;
    if (place === undefined || !isRefused(call) || !isRefused(await this.#client.ask(controlMs))) return;
    throw skipped(
      "credentials",
      `the agent does not take the login of ${place}, or no longer: ${describeReply(call)}`,
      place,
    );
  }

  #retryOptions(inquiry: Inquiry): RetryOptions {
    const { patience, goneAfter } = this.#context;
    const sleep = (ms: number): Promise<void> => this.#waiting("retry", () => patience.sleep(ms));
    return { ...patience, sleep, inquiry, contactWithin: goneAfter };
  }

  /** After several crashes that malformed requests brought about, no more of them are sent. */
  #assertSafe(isFair: boolean): void {
    if (isFair || !this.#context.crashes.isEnough) return;
    throw skipped(
      "unstable",
      "the agent crashed on several malformed requests, so Assay sends it no more of them in this run",
    );
  }

  #inquiry(operation: Operation, isWork: boolean): Inquiry {
    const { crashes, restarts } = this.#context;
    const { observation, check } = this.#settings;
    // The agent may be at work on a message that it has read.
    const mostCuts = isWork ? 1 : Number.POSITIVE_INFINITY;
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

  /** Notes a malformed request that was answered: the process of the agent may exit a moment later. */
  #answered(operation: Operation, call: Call, again: () => Promise<Call>): Call {
    const { crashes, budget } = this.#context;
    if (call.fair || !isAnswered(call)) return call;
    const { observation, check } = this.#settings;
    const size = call.exchange.http.request.body.length;
    crashes.answered({
      call,
      observation,
      check,
      again: () => (isSend(operation) ? budget.attemptNow(this.on, again, isAccepted) : again()),
      twin: () => this.#twin(operation, size),
      control: (ms) => this.answers(ms),
    });
    return call;
  }

  /** A well-formed request of the same operation and size, about nothing that exists, sent while all others wait. */
  async #twin(operation: Operation, size: number): Promise<Call | undefined> {
    const how = { refusable: true } as const;
    const sending = { ...this.#patience(operation, "alone"), size };
    const send = async (): Promise<Call> => {
      const params = paramsFor(this, operation);
      if (!isStreaming(operation)) return this.#client.call(operation, params, how, sending);
      const more = { within: this.taskTimeout, change: undefined, sending };
      const { stream, refusal } = await this.#client.stream(operation, params, how, more);
      return refusal ?? stream.hangUp();
    };
    return isSend(operation) ? this.#context.budget.attemptNow(this.on, send, isAccepted) : send();
  }

  /** A message: counted and timed, unless it was not read. */
  async #message(
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
      const call = await this.#client.call(operation, params, how, this.#patience(operation, mode));
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
      const retried = (): Promise<Call> => this.#retried(purpose, send, inquiry);
      const call = await this.#settled(operation, params, how, retried, async (answer) => answer);
      answered(taskIn(call));
      return call;
    } finally {
      answered();
    }
  }

  /** Takes the place of the observation under way, where there is one. */
  #begin(): ReturnType<WorkTurn["begin"]> {
    const { turn } = this.#settings;
    return turn ? this.#waiting("turn", () => turn.begin()) : Promise.resolve(() => {});
  }

  /** A send that the agent should refuse: counted where it does not. */
  #attempt(send: () => Promise<Call>): Promise<Call> {
    return this.#context.budget.attempt(this.on, send, isAccepted);
  }

  /** The answer to a message may be as late as its task is allowed to be. */
  #patience(operation: Operation, mode: AttemptMode): Sending {
    const idleMs = isSend(operation) ? this.#context.idleForTask : undefined;
    return { ...sendingIn(mode), ...(idleMs !== undefined && { idleMs }) };
  }
}

/** Messages that say the same in the same way take an agent about as long. */
const kindOf = (operation: Operation, { message, configuration }: JsonObject): string =>
  JSON.stringify([operation, asObject(message)?.["parts"], asObject(configuration)?.["returnImmediately"]]);

const isMessage = (operation: Operation, { refusable }: How): boolean => isSend(operation) && !refusable;

/** A connection that was kept may be dead: what is repeated gets a new one. */
const sendingIn = (mode: AttemptMode): Sending => ({
  ...(mode !== "first" && { fresh: true }),
  ...(mode === "alone" && { alone: true }),
});

/** The agent has not seen it. */
const isUnread = (ending: CallEnding): boolean =>
  ending === "pressed" || ending === "unconnected" || ending === "out-of-reach";
