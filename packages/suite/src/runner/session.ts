import { randomUUID } from "node:crypto";
import type { Operation } from "@assay/protocol";
import type { PeerClients } from "@assay/wire";
import type { AgentFacts } from "../agent-facts.ts";
import type { Call } from "../call.ts";
import type { Observation } from "../observation.ts";
import type { Stimuli } from "../stimuli/prompts.ts";
import type { WebhookReceiver } from "../webhook/receiver.ts";
import type { Debts } from "./execute/clean-up.ts";
import type { Diary } from "./execute/exchange-log.ts";
import type { TestOptions } from "./options.ts";
import type { Budget } from "./plan/budget.ts";
import type { InterfaceUnderTest } from "./target/interface-under-test.ts";
import type { Pace, Slots } from "./target/slots.ts";

/** What all labs of a run share. */
export interface Session {
  readonly options: TestOptions;
  readonly facts: AgentFacts;
  readonly stimuli: Stimuli;
  readonly clients: PeerClients;
  readonly diary: Diary;
  /** set when the plan is made */
  budget: Budget;
  /** calls that make no work, at a time */
  readonly callSlots: Slots;
  /** observations that make the agent work, at a time */
  readonly workSlots: Slots;
  readonly pace: Pace;
  readonly webhook: WebhookReceiver | undefined;
  readonly debts: Debts;
  /** addresses of HTTP+JSON where one subscribes by GET alone */
  readonly subscribesByGet: Set<string>;
  /** operations of 0.1, with their address, whose streams are served below it alone */
  readonly streamsBelow: Set<string>;
  readonly signal: AbortSignal;
  /** the checks are over and we put things back: also when the run was interrupted */
  afterwards: boolean;
  /** hears every conversation with the agent */
  readonly onCall: (call: Call) => void;
  /** makes an observation, or hands out what it saw when it was made */
  readonly observe: <T>(one: Observation<T>, target: InterfaceUnderTest) => Promise<T>;
  /** how long the agent took for a working message, the first time */
  readonly onWorked: (ms: number) => void;
}

export const isSend = (operation: Operation | undefined): boolean =>
  operation === "SendMessage" || operation === "SendStreamingMessage";

/** An id in the shape of one we have seen: same length, same alphabet; a UUID before we have seen any. */
export function idLike(sample: string | undefined): string {
  if (sample === undefined || sample.length < 12) return randomUUID();
  const pool = randomUUID().replaceAll("-", "") + randomUUID().replaceAll("-", "");
  let used = 0;
  return [...sample]
    .map((character) => {
      const fresh = pool[used++ % pool.length]!;
      if (/\d/.test(character)) return String(Number.parseInt(fresh, 16) % 10);
      if (/[a-f]/.test(character)) return "abcdef"[Number.parseInt(fresh, 16) % 6]!;
      if (/[g-z]/.test(character)) return "ghijklmnopqrstuvwxyz"[Number.parseInt(fresh, 16)]!;
      if (/[A-F]/.test(character)) return "ABCDEF"[Number.parseInt(fresh, 16) % 6]!;
      if (/[G-Z]/.test(character)) return "GHIJKLMNOPQRSTUVWXYZ"[Number.parseInt(fresh, 16)]!;
      return character;
    })
    .join("");
}
