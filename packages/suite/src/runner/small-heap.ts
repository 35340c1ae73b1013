import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { RunEvent } from "../report/events.ts";

/** A response is long if this many of its bytes are recorded. */
const longBytes = 500_000;
/** Maximum number of bytes by which memory grows before a long response leads to a collection. */
const mostGarbage = 64 * 2 ** 20;

/** The functions of V8 that keep memory small. */
interface Heap {
  setFlag(flag: string): void;
  collect(): void;
  /** Returns the bytes in use, inside the heap and outside, with garbage. */
  used(): number;
}

const ownHeap: Heap = {
  setFlag: setFlagsFromString,
  collect() {
    // Node has no function for it, except in a context made after this flag.
    setFlagsFromString("--expose-gc");
    const gc = runInNewContext("gc") as () => void;
    gc();
  },
  used() {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
};

/**
 * Returns a listener for the events of a run. Long lists and streams leave much garbage behind, in the heap and in
 * buffers outside it, which V8 collects late. After the first long response, V8 collects garbage when the heap has
 * grown by 30 %, and not only when it has grown to several times its size. After each one, garbage is collected if
 * memory has grown by 64 MB. This concerns the whole process, so only programs that do nothing else use it.
 */
export function smallHeap(heap: Partial<Heap> = {}): (event: RunEvent) => void {
  const { setFlag, collect, used } = { ...ownHeap, ...heap };
  let limit: number | undefined;
  return (event) => {
    if (event.event !== "exchange" || event.entry.response.content.size < longBytes) return;
    if (limit === undefined) setFlag("--heap-growing-percent=30");
    else if (used() < limit) return;
    collect();
    limit = used() + mostGarbage;
  };
}
