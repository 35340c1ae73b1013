import type { Message, Part } from "@assay/protocol";
import type { Exchange, Handshake, PeerInterface, RawStep, RequestSpec, TlsVersion } from "@assay/wire";
import type { LooseTask } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import type { LiveStream } from "../../define/live-stream.ts";
import type { Observation } from "../../define/observation.ts";
import type { PrincipalName } from "../../define/principal.ts";
import type { PromptKind } from "../../define/prompt-kind.ts";
import type { Due, SendMore, Target } from "../../define/target.ts";
import { certificateOf, isGiven, showsCredentials } from "../credentials.ts";
import { observationKey } from "../plan/grant.ts";
import type { PreparedVersion, RunContext } from "../run-context.ts";
import { InterfaceClient, type RequestSettings } from "./interface-client.ts";
import { type Lane, waitOn } from "./lane.ts";
import { PatientCalls } from "./patient-calls.ts";
import { PromptedMessages } from "./prompted-messages.ts";

const quietMs = 1_000;

/** The target of the checks: the facts about an interface, and the parts that call it. */
export class InterfaceUnderTest implements Target {
  readonly on: PeerInterface;
  readonly principal: PrincipalName;
  readonly #context: RunContext;
  readonly #version: PreparedVersion;
  readonly #settings: RequestSettings;
  readonly #client: InterfaceClient;
  readonly #calls: PatientCalls;
  readonly #prompts: PromptedMessages;

  constructor(context: RunContext, version: PreparedVersion, settings: RequestSettings) {
    this.on = settings.on;
    this.principal = settings.principal;
    this.#context = context;
    this.#version = version;
    this.#settings = settings;
    this.#client = new InterfaceClient(context, version.facts, settings, (call) => context.received(call, this));
    this.#calls = new PatientCalls(context, settings, this.#client, this);
    this.#prompts = new PromptedMessages(context, version, settings.principal, this.#calls);
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

  /** Returns this target for the requests of an observation. */
  forObservation(
    one: Observation<unknown>,
    more: Pick<RequestSettings, "turn" | "lane" | "needs"> = {},
  ): InterfaceUnderTest {
    const paidBy = observationKey(one, this.on);
    return this.#with({ observation: one.name, urgent: one.messages > 0, paidBy, ...more });
  }

  /** Returns the dependencies of the current observation. */
  get needs(): RequestSettings["needs"] {
    return this.#settings.needs;
  }

  /** Returns this target for the requests of a check, with its waits on this lane. */
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

  async call(...asked: Parameters<Target["call"]>): Promise<Call> {
    const [operation, , { share } = {}] = asked;
    if (share === undefined) return this.#calls.call(...asked);
    const { on, principal } = this;
    const { sharedCalls, epoch } = this.#context;
    const key = JSON.stringify([epoch, on.url, on.binding, on.dialect, on.tenant, principal, operation, share]);
    // A check that may not send the request must not spoil it for others.
    if (!sharedCalls.has(key)) this.#calls.assertWorthwhile();
    return sharedCalls.once(key, () => this.#calls.call(...asked));
  }

  open(...asked: Parameters<Target["open"]>): Promise<LiveStream> {
    return this.#calls.open(...asked);
  }

  http(...asked: Parameters<Target["http"]>): Promise<Call> {
    return this.#calls.http(...asked);
  }

  /** Repeats the first call and returns true if this interface answers. */
  answers(withinMs: number): Promise<boolean> {
    return this.#calls.crashes.answers(withinMs);
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
    return this.#prompts.hasPrompt(kind);
  }

  say(text: string, behind?: readonly Part[]): Part[] {
    return this.#prompts.say(text, behind);
  }

  message(kind: PromptKind, more?: Partial<Message>): Message {
    return this.#prompts.message(kind, more);
  }

  send(kind: PromptKind, more?: SendMore): Promise<Call> {
    return this.#prompts.send(kind, more);
  }

  stream(kind: PromptKind, more?: SendMore): Promise<LiveStream> {
    return this.#prompts.stream(kind, more);
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
    // Streams belong to each interface, everything else to the agent.
    const place = what === "close" ? JSON.stringify([this.on.url, this.on.binding, this.on.dialect]) : "";
    return waitOn(this.#settings.lane, "due", () => this.#context.punctuality.wait(what, place, wait, hasCome));
  }

  sleep(ms: number): Promise<void> {
    const what = this.#settings.turn?.isAtWork ? "work" : "pause";
    return waitOn(this.#settings.lane, what, () => this.#context.sleep(ms));
  }

  now(): number {
    return performance.now();
  }
}
