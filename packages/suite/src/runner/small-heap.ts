import { setFlagsFromString } from "node:v8";
import type { RunEvent } from "../report/events.ts";

/** A response is long if this many of its bytes are recorded. */
const longBytes = 500_000;

/**
 * Returns a listener for the events of a run. After the first long response, V8 collects garbage when the heap has
 * grown by 30 %, and not only when it has grown to several times its size. Long lists leave much garbage behind. This
 * concerns the whole process, so only programs that do nothing else use it.
 */
export function smallHeap(setFlag: (flag: string) => void = setFlagsFromString): (event: RunEvent) => void {
  let isSmall = false;
  return (event) => {
    if (isSmall || event.event !== "exchange" || event.entry.response.content.size < longBytes) return;
    isSmall = true;
    setFlag("--heap-growing-percent=30");
  };
}
