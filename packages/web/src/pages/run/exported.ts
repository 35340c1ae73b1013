import { ApiFailure } from "../../app/api.ts";
import { readEvents } from "./dropped.ts";
import { heldRun, type RunSource } from "./source.ts";

/** A run of an exported site: its file lies beside the page. */
export async function exportedRun(run: string): Promise<RunSource> {
  const answer = await fetch(`./data/runs/${encodeURIComponent(run)}.ndjson`);
  if (!answer.ok)
    throw new ApiFailure(answer.status, `The run ${run} is not part of this site.`, "History lists those that are.");
  return heldRun(readEvents(await answer.text()));
}
