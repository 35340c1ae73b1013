import { expect, test } from "vitest";
import type { LooseEvent } from "../../answers/reading.ts";
import type { Target } from "../../define/target.ts";
import type { SeveralSubscribers } from "../../observations/several-subscribers.ts";
import { asItHappens } from "./as-it-happens.ts";

const event = (state: string, at: number, timestamp?: string): LooseEvent =>
  ({
    is: "status",
    at,
    state,
    content: { status: { state, ...(timestamp && { timestamp }) } },
  }) as unknown as LooseEvent;

/** A stream whose events all arrive this many milliseconds after the message. */
function burst(at: number, ...times: (string | undefined)[]): SeveralSubscribers {
  const [begun, ended] = times;
  const events = [event("TASK_STATE_SUBMITTED", at, begun), event("TASK_STATE_COMPLETED", at, ended)];
  return { call: { exchange: { http: {} } }, events, hungUp: false } as unknown as SeveralSubscribers;
}

const judged = async (once: SeveralSubscribers) => {
  const finding = await asItHappens.judge({ slowTaskStreams: once, subscribedAgain: once }, {} as Target);
  return [finding].flat()[0]?.is;
};

test.each<[string, SeveralSubscribers, string]>([
  [
    "the task took a while, by the agent's own times, is a breach",
    burst(900, "2026-11-17T09:15:31.100Z", "2026-11-17T09:15:31.900Z"),
    "breach",
  ],
  [
    "the task took no time, and only the way was long, shows nothing",
    burst(700, "2026-11-17T09:15:31.159Z", "2026-11-17T09:15:31.201Z"),
    "not-examined",
  ],
  [
    "times are whole seconds and little time passed, shows nothing",
    burst(700, "2026-11-17T09:15:31Z", "2026-11-17T09:15:32Z"),
    "not-examined",
  ],
  ["there are no times and little time passed, shows nothing", burst(700), "not-examined"],
  ["there are no times and much time passed, is a breach", burst(2_500), "breach"],
])("all events at once where %s", async (_, once, is) => expect(await judged(once)).toBe(is));
