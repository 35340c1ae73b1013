import { asObject } from "../../answers/loose-json.ts";
import { isEnded, type LooseEvent } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, holds, notExamined } from "../../define/finding.ts";
import { isBurst, slowTaskStreams, subscribedAgain } from "../../observations/several-subscribers.ts";

/** A task that is shorter, by the agent's own timestamps, does not show whether events were held back. */
const slowMs = 500;
/** Minimum duration without timestamps: a busy machine may take a second for a message that needs no work. */
const untimedMs = 2_000;

export const asItHappens = activeCheck("STREAM-020", {
  uses: { slowTaskStreams, subscribedAgain },
  judge({ slowTaskStreams: once, subscribedAgain: again }) {
    const { call, events, hungUp } = once;
    const last = events.at(-1);
    // Assay closed the connection during the work, so an event had arrived before the end.
    if (hungUp) return holds();
    if (!last || !isEnded(last.state) || !isSlow(events))
      return notExamined("prompt", "the slow task is not slow enough", "prompts.slow in assay.yaml");
    if (!isBurst(once)) return holds();
    // A single delay may be due to a busy machine or a slow network.
    if (!again || !isBurst(again))
      return notExamined("unstable", "the events of a stream came all at once, but only once of two tries");
    const seconds = (last.at / 1_000).toFixed(1);
    const details = {
      saw: `${events.length} events, all ${seconds} s after the message`,
      want: "the Task immediately, and each update when it happens",
      at: call,
    };
    if (events.length === 1)
      return breach("single-event", "the stream has only one event, the task after its end", details);
    return isBehindProxy(call)
      ? breach(
          "proxied-burst",
          "the stream delivers all events at once at the end, perhaps because a proxy buffers them",
          details,
        )
      : broken("the stream delivers all events at once at the end", details);
  },
});

/** Returns true if the agent itself took long, and not only the network. */
function isSlow(events: readonly LooseEvent[]): boolean {
  const times = events.flatMap(({ content }) => preciseTime(asObject(content["status"])?.["timestamp"]) ?? []);
  const took = times.length < 2 ? undefined : Math.max(...times) - Math.min(...times);
  return took === undefined ? (events.at(-1)?.at ?? 0) >= untimedMs : took >= slowMs;
}

/** Reads a timestamp; undefined for whole seconds, which are not precise enough. */
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
