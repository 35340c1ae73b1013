import { isLoopback } from "@assay/protocol";
import type { PeerClients, PeerInterface } from "@assay/wire";
import type { Call } from "../call.ts";
import type { Observation } from "../observation.ts";
import { stimuliFor } from "../stimuli/prompts.ts";
import { startReceiver, type WebhookReceiver } from "../webhook/receiver.ts";
import type { Situation } from "./applicability.ts";
import { InterfaceUnderTest } from "./bench.ts";
import { Budget } from "./budget.ts";
import { Debts } from "./debts.ts";
import type { Diary } from "./diary.ts";
import type { TestOptions } from "./options.ts";
import type { Session } from "./session.ts";
import { Pace, Slots } from "./slots.ts";
import { tidy } from "./tidy.ts";
import type { Visit } from "./visits.ts";

/** How much is asked at a time. The skills of the test bed cost nobody anything, so there is no need to be sparing. */
const atATime = { calls: 4, work: 2, testbed: { calls: 8, work: 12 } };

export interface SittingPlan {
  readonly options: TestOptions & { readonly signal: AbortSignal };
  readonly visits: readonly Visit[];
  readonly clients: PeerClients;
  readonly diary: Diary;
  /** an agent of our test bed, on this machine */
  readonly isOurs: boolean;
  /** notifications are waited for */
  readonly receives: boolean;
  readonly observe: <T>(one: Observation<T>, target: InterfaceUnderTest, session: Session) => Promise<T>;
  readonly onWorked?: (ms: number) => void;
}

/** One version of the protocol at the table: what we know of the agent in it, and what to say to it. */
export interface SittingPlace {
  readonly visit: Visit;
  readonly situation: Situation;
}

/** An agent and everything it takes to talk to it, in each version that it speaks. */
export class Sitting {
  readonly places: readonly SittingPlace[];
  /** one for each interface */
  readonly targets: readonly InterfaceUnderTest[];
  readonly #debts = new Debts();
  readonly #sessions: Session[];
  readonly #webhook: WebhookReceiver | undefined;
  #heard: (call: Call) => void = () => {};

  static async open(plan: SittingPlan): Promise<Sitting> {
    const notifies = plan.visits.some(({ facts }) => facts.pushNotifications);
    return new Sitting(plan, plan.receives && notifies ? await openWebhook(plan.options) : undefined);
  }

  private constructor(
    { options, visits, clients, diary, isOurs, observe, onWorked = () => {} }: SittingPlan,
    webhook: WebhookReceiver | undefined,
  ) {
    this.#webhook = webhook;
    this.places = visits.map((visit) => ({
      visit,
      situation: {
        facts: visit.facts,
        stimuli: stimuliFor(visit.facts, options),
        options,
        hasWebhook: webhook !== undefined,
      },
    }));
    const { calls, work } = isOurs ? atATime.testbed : atATime;
    const shared = {
      options,
      clients,
      diary,
      budget: new Budget(0),
      callSlots: new Slots(options.concurrency ?? calls),
      workSlots: new Slots(work),
      pace: new Pace(options.rate),
      webhook,
      debts: this.#debts,
      subscribesByGet: new Set<string>(),
      streamsBelow: new Set<string>(),
      signal: options.signal,
      onCall: (call: Call) => this.#heard(call),
      onWorked,
      afterwards: false,
    };
    this.#sessions = this.places.map(({ situation: { facts, stimuli } }) => {
      const session: Session = { ...shared, facts, stimuli, observe: (one, target) => observe(one, target, session) };
      return session;
    });
    const labsFor = (principal: InterfaceUnderTest["principal"]): InterfaceUnderTest[] =>
      visits.flatMap(({ interfaces }, index) =>
        interfaces.map(
          (on) =>
            new InterfaceUnderTest(this.#sessions[index]!, { on, principal }, (target) => labsFor(target.principal)),
        ),
      );
    this.targets = labsFor("user");
  }

  placeOf(on: PeerInterface): SittingPlace {
    return this.places.find(({ visit }) => visit.interfaces.includes(on))!;
  }

  /** Hands on every conversation with the agent. */
  listen(hear: (call: Call) => void): void {
    this.#heard = hear;
  }

  /** How many messages may make the agent work; before, none may. */
  allow(budget: Budget): void {
    for (const session of this.#sessions) session.budget = budget;
  }

  get webhook(): WebhookReceiver | undefined {
    return this.#webhook;
  }

  /** Puts back what was set in motion, also when the run was interrupted; says what could not be. */
  async tidy(): Promise<string[]> {
    for (const session of this.#sessions) session.afterwards = true;
    return tidy(this.#debts);
  }

  async close(): Promise<void> {
    await this.#webhook?.close();
  }
}

export const isOnThisMachine = ({ url, card }: TestOptions): boolean => isLoopback(new URL(card ?? url).hostname);

/** A receiver for notifications, where the agent could reach it. */
async function openWebhook(options: TestOptions): Promise<WebhookReceiver | undefined> {
  const { webhook } = options;
  if (!webhook && !isOnThisMachine(options)) return undefined;
  const { host, port } = webhook?.listen ?? { host: "127.0.0.1", port: 0 };
  // Who says where we listen, or how we are reached, says that the agent reaches us there.
  const declared = webhook !== undefined;
  return startReceiver({ host, port, declared, ...(webhook?.url !== undefined && { url: webhook.url }) });
}
