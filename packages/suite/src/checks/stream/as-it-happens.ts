import type { Call } from "../../call.ts";
import { activeCheck } from "../../check.ts";
import { breach, broken, holds, notExamined } from "../../finding.ts";
import { isBurst, slowTaskStreams, subscribedAgain } from "../../observations/several-subscribers.ts";
import { isEnded } from "../../reading.ts";

/** A task that takes less is too short to tell what was held back. */
const slowMs = 500;

export const asItHappens = activeCheck({
  id: "STREAM-020",
  title: "progress is told as it happens",
  remedy: "Write and flush each event when it occurs; switch off response buffering, in proxies too.",
  uses: { slowTaskStreams, subscribedAgain },
  judge({ slowTaskStreams: once, subscribedAgain: again }) {
    const { call, events, hungUp } = once;
    const last = events.at(-1);
    // We hung up in the middle of the work: so something had come before its end.
    if (hungUp) return holds();
    if (!last || !isEnded(last.state) || last.at < slowMs)
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

const isBehindProxy = ({ exchange }: Call): boolean =>
  (exchange.http.response?.headers ?? []).some(
    ([name, value]) =>
      /^(via|x-cache|cf-ray|x-served-by|x-amz-cf-id)$/i.test(name) ||
      (/^server$/i.test(name) && /nginx|cloudflare|envoy|caddy|apache/i.test(value)),
  );
