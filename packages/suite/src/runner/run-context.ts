import { setTimeout as delay } from "node:timers/promises";
import { isLoopback } from "@assay/protocol";
import type { PeerClients, PeerInterface } from "@assay/wire";
import type { Call } from "../call.ts";
import type { Observation } from "../observation.ts";
import type { PrincipalName } from "../principal.ts";
import { type RuleSet, ruleSetFor } from "../rules/catalogue.ts";
import { stimuliFor } from "../stimuli/prompts.ts";
import { startReceiver, type WebhookReceiver } from "../webhook/receiver.ts";
import type { VersionUnderTest } from "./discover/versions-under-test.ts";
import { CleanUp } from "./execute/clean-up.ts";
import type { ExchangeLog } from "./execute/exchange-log.ts";
import { interrupted } from "./interrupted.ts";
import type { TestOptions } from "./options.ts";
import type { Preconditions } from "./plan/applicability.ts";
import { Budget } from "./plan/budget.ts";
import { InterfaceUnderTest } from "./target/interface-under-test.ts";
import { Pace } from "./target/pace.ts";
import { Slots } from "./target/slots.ts";
import { StreamFallback } from "./target/stream-fallback.ts";
import { UnknownIds } from "./target/unknown-ids.ts";

/** How much is asked at a time. The skills of our own test bed cost nothing, so there is no need to be sparing. */
const atATime = { calls: 4, work: 2, testbed: { calls: 8, work: 12 } };

/** However long an agent takes to cancel, the user does not wait longer for it. */
const cleanUpMs = 5_000;

/** A version of the protocol with what the plan needs to know of it. */
export interface PreparedVersion extends VersionUnderTest {
  readonly ruleSet: RuleSet;
  readonly preconditions: Preconditions;
}

export interface RunSetup {
  readonly options: TestOptions & { readonly signal: AbortSignal };
  readonly versions: readonly VersionUnderTest[];
  readonly clients: PeerClients;
  readonly log: ExchangeLog;
  /** an agent of our own test bed, on this machine */
  readonly isTestbed: boolean;
  /** notifications are waited for */
  readonly receives: boolean;
  /** makes an observation, or hands out what it saw when it was made */
  readonly observe: <T>(one: Observation<T>, target: InterfaceUnderTest, context: RunContext) => Promise<T>;
  /** how long the agent took for a message */
  readonly onWorked?: (ms: number) => void;
}

/** What all requests of a run share, and the interfaces that they go to. */
export class RunContext {
  readonly options: TestOptions;
  readonly signal: AbortSignal;
  readonly clients: PeerClients;
  readonly log: ExchangeLog;
  readonly versions: readonly PreparedVersion[];
  /** one for each interface */
  readonly targets: readonly InterfaceUnderTest[];
  readonly webhook: WebhookReceiver | undefined;
  /** observations that take messages, at a time */
  readonly workSlots: Slots;
  readonly cleanUp = new CleanUp();
  readonly streamFallback = new StreamFallback();
  readonly unknownIds = new UnknownIds();
  readonly onWorked: (ms: number) => void;
  /** how many messages may be sent; before the plan is made, none */
  budget = new Budget({ messages: 0 });
  readonly #callSlots: Slots;
  readonly #pace: Pace;
  readonly #observe: RunSetup["observe"];
  #onCall: (call: Call) => void = () => {};
  #isCleaningUp = false;

  static async open(setup: RunSetup): Promise<RunContext> {
    const notifies = setup.versions.some(({ facts }) => facts.pushNotifications);
    return new RunContext(setup, setup.receives && notifies ? await openWebhook(setup.options) : undefined);
  }

  private constructor(setup: RunSetup, webhook: WebhookReceiver | undefined) {
    const { options, versions, isTestbed, onWorked = () => {} } = setup;
    const { calls, work } = isTestbed ? atATime.testbed : atATime;
    this.options = options;
    this.signal = options.signal;
    this.clients = setup.clients;
    this.log = setup.log;
    this.webhook = webhook;
    this.onWorked = onWorked;
    this.workSlots = new Slots(work);
    this.#callSlots = new Slots(options.concurrency ?? calls);
    this.#pace = new Pace(options.rate);
    this.#observe = setup.observe;
    this.versions = versions.map((version) => ({
      ...version,
      ruleSet: ruleSetFor(version.dialect, options.ruleSet),
      preconditions: {
        facts: version.facts,
        stimuli: stimuliFor(version.facts, options),
        options,
        hasWebhook: webhook !== undefined,
      },
    }));
    this.targets = this.targetsAs("user");
  }

  /** All tested interfaces, in every version, for a principal. */
  targetsAs(principal: PrincipalName): InterfaceUnderTest[] {
    return this.versions.flatMap((version) =>
      version.interfaces.map((on) => new InterfaceUnderTest(this, version, { on, principal })),
    );
  }

  versionOf(on: PeerInterface): PreparedVersion {
    return this.versions.find(({ interfaces }) => interfaces.includes(on))!;
  }

  /** Hands on every call to the agent, once it is over. */
  onCall(listener: (call: Call) => void): void {
    this.#onCall = listener;
  }

  received(call: Call, target: InterfaceUnderTest): void {
    this.unknownIds.learn(call);
    this.cleanUp.note(call, target);
    this.#onCall(call);
  }

  observe<T>(one: Observation<T>, target: InterfaceUnderTest): Promise<T> {
    return this.#observe(one, target, this);
  }

  /** Waits, or not any longer once the run is interrupted. */
  async sleep(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.signal }).catch(() => {});
  }

  /** Waits until the next request may be sent. */
  paced(): Promise<void> {
    return this.#pace.turn((ms) => this.sleep(ms));
  }

  /** Makes a request when there is a slot for it; what is urgent goes before all that is not. */
  inTurn<T>(ask: () => Promise<T>, urgent: boolean): Promise<T> {
    return this.#callSlots.run(async () => {
      await this.paced();
      if (this.signal.aborted && !this.#isCleaningUp) throw interrupted();
      return ask();
    }, urgent);
  }

  /** Ends a request that takes longer, or when the run is interrupted. */
  limit(timeoutMs: number | undefined): AbortSignal {
    if (this.#isCleaningUp) return AbortSignal.timeout(cleanUpMs);
    return timeoutMs === undefined ? this.signal : AbortSignal.any([this.signal, AbortSignal.timeout(timeoutMs)]);
  }

  /** Ends what was set in motion, also when the run was interrupted; says what could not be. */
  async end(): Promise<string[]> {
    this.#isCleaningUp = true;
    return this.cleanUp.run(cleanUpMs);
  }

  async close(): Promise<void> {
    await this.webhook?.close();
  }
}

/** A receiver for notifications, where the agent could reach it. */
async function openWebhook({ url, card, webhook }: TestOptions): Promise<WebhookReceiver | undefined> {
  if (!webhook && !isLoopback(new URL(card ?? url).hostname)) return undefined;
  const { host, port } = webhook?.listen ?? { host: "127.0.0.1", port: 0 };
  // An operator who says where we listen, or how we are reached, says that the agent reaches us there.
  const declared = webhook !== undefined;
  return startReceiver({ host, port, declared, ...(webhook?.url !== undefined && { url: webhook.url }) });
}
