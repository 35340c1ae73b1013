import { asObject } from "../../answers/loose-json.ts";
import { isEnded, type LooseEvent } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, holds, notExamined } from "../../define/finding.ts";
import { isBurst, slowTaskStreams, subscribedAgain } from "../../observations/several-subscribers.ts";

/** A task that takes less, by the times that the agent gives itself, is too short to tell what was held back. */
const slowMs = 500;
/** The same where the agent gives no times: a busy machine may take a second for a message that needs no work. */
const untimedMs = 2_000;

export const asItHappens = activeCheck({
  id: "STREAM-020",
  uses: { slowTaskStreams, subscribedAgain },
  judge({ slowTaskStreams: once, subscribedAgain: again }) {
    const { call, events, hungUp } = once;
    const last = events.at(-1);
    // We hung up in the middle of the work: so something had come before its end.
    if (hungUp) return holds();
    if (!last || !isEnded(last.state) || !isSlow(events))
      return notExamined("prompt", "the slow task is not slow enough to tell", "prompts.slow in assay.yaml");
    if (!isBurst(once)) return holds();
    // What comes late once may have waited for us: for a busy machine, or a slow network.
    if (!again || !isBurst(again)) return notExamined("unstable", "the events of a stream came at once, but not again");
    const seconds = (last.at / 1_000).toFixed(1);
    const details = {
      saw: `${events.length} events, all of them ${seconds} s after the message`,
      want: "the Task at once, and each update when it occurs",
      at: call,
    };
    if (events.length === 1)
      return breach("single-event", "the only event of a stream is the task when it has ended", details);
    return isBehindProxy(call)
      ? breach("proxied-burst", "all events of a stream come at once at the end, perhaps held back by a proxy", details)
      : broken("all events of a stream come at once at the end", details);
  },
});

/** Whether the agent was at work for a while, and not only the way there and back took long. */
function isSlow(events: readonly LooseEvent[]): boolean {
  const times = events.flatMap(({ content }) => preciseTime(asObject(content["status"])?.["timestamp"]) ?? []);
  const took = times.length < 2 ? undefined : Math.max(...times) - Math.min(...times);
  return took === undefined ? (events.at(-1)?.at ?? 0) >= untimedMs : took >= slowMs;
}

/** Whole seconds are too coarse to measure with. */
function preciseTime(text: unknown): number | undefined {
  const time = typeof text === "string" && text.includes(".") ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

const isBehindProxy = ({ exchange }: Call): boolean =>
  (exchange.http.response?.headers ?? []).some(
    ([name, value]) =>
      /^(via|x-cache|cf-ray|x-served-by|x-amz-cf-id)$/i.test(name) ||
      (/^server$/i.test(name) && /nginx|cloudflare|envoy|caddy|apache/i.test(value)),
  );
