import { type ConformanceReport, Progress, reportOf } from "@assay/suite/report";
import { useEffect, useState } from "preact/hooks";
import { ApiFailure, follow, get } from "../../app/api.ts";
import { isStatic } from "../../app/embedded.ts";
import type { LiveEvent, NumberedEvent } from "../../documents/live-event.ts";
import type { LiveRunDocument } from "../../documents/runs.ts";
import { droppedRun } from "./dropped.ts";
import { heldRun, type RunSource, servedRun } from "./source.ts";

/** The current view of a run. */
export type RunSight =
  | { readonly is: "loading" }
  | { readonly is: "failed"; readonly error: Error }
  | { readonly is: "live"; readonly progress: Progress; readonly since: number }
  | { readonly is: "there"; readonly source: RunSource };

/** The delay before reconnecting to an interrupted stream. */
const againMs = 1_000;

/** Returns the current view of a run by its name: saved, in progress, from a dropped file or from an exported site. */
export function useRun(run: string): RunSight {
  const [sight, setSight] = useState<RunSight>({ is: "loading" });
  useEffect(() => {
    const gone = new AbortController();
    const show = (next: RunSight): void => {
      if (!gone.signal.aborted) setSight(next);
    };
    setSight({ is: "loading" });
    sightOf(run, show, gone.signal).catch((error: Error) => show({ is: "failed", error }));
    return () => gone.abort();
  }, [run]);
  return sight;
}

async function sightOf(run: string, show: (sight: RunSight) => void, gone: AbortSignal): Promise<void> {
  const dropped = droppedRun(run);
  if (dropped) return show({ is: "there", source: dropped });
  const answer = await get<ConformanceReport | LiveRunDocument>(`/api/runs/${encodeURIComponent(run)}`);
  if (!("isLive" in answer)) return show({ is: "there", source: isStatic ? heldRun([], answer) : servedRun(answer) });
  watchRun(run, show, gone);
}

function watchRun(run: string, show: (sight: RunSight) => void, gone: AbortSignal): void {
  const progress = new Progress();
  const since = Date.now();
  let next = 0;
  let broke: ApiFailure | undefined;
  const take = (events: readonly NumberedEvent[]): void => {
    for (const { n, event } of events) {
      // After a reconnect the server sends all events again from the beginning.
      if (n < next) continue;
      next = n + 1;
      if (event.event === "run-broke") broke = new ApiFailure(500, event.message, event.hint);
      else takeInto(progress, event);
    }
    show({ is: "live", progress, since });
  };
  const ended = (): void => {
    if (gone.aborted) return;
    if (broke) show({ is: "failed", error: broke });
    else if (progress.run.finished) finish(run, progress).then(show, (error) => show({ is: "failed", error }));
    else if (next > 0) setTimeout(again, againMs);
    else {
      const error = new ApiFailure(404, `The run ${run} was deleted.`, "History lists the saved runs.");
      show({ is: "failed", error });
    }
  };
  /**
   * Finds out why the stream broke off, which the browser does not tell: another request shows if the server still
   * runs.
   */
  const again = (): void => {
    get("/api/session").then(open, (error: Error) => show({ is: "failed", error }));
  };
  const open = (): void => {
    if (gone.aborted) return;
    const stop = follow<NumberedEvent>(`/api/runs/${encodeURIComponent(run)}/events`, take, ended);
    gone.addEventListener("abort", stop, { once: true });
  };
  open();
}

function takeInto(progress: Progress, event: Exclude<LiveEvent, { event: "run-broke" }>): void {
  if (event.event !== "exchange-line") progress.take(event);
  else if (event.line.working) progress.run.workingMessages += 1;
}

/**
 * Returns a finished run. A run with results is saved by now; the events of a run without results contain everything.
 */
async function finish(run: string, { run: state }: Progress): Promise<RunSight> {
  const held = (): RunSight => ({ is: "there", source: heldRun([], reportOf(state)) });
  if (state.results.length === 0) return held();
  const answer = await get<ConformanceReport | LiveRunDocument>(`/api/runs/${encodeURIComponent(run)}`);
  // The run could not be saved, so its events are all there is.
  return "isLive" in answer ? held() : { is: "there", source: servedRun(answer) };
}
