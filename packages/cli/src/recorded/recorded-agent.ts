import type { RecordedAgent } from "@assay/agents";
import { findRun, type RunFolder, readRun } from "@assay/library/runs";
import type { RunEvent } from "@assay/suite/report";
import { UsageError } from "../exit.ts";
import type { ServeSettings } from "../serving/settings.ts";

/** Returns the agent that --recorded selects. */
export function recordedFrom(
  { recorded = "last", mutant, profile, grpcPort }: ServeSettings,
  folder: RunFolder,
): RecordedAgent {
  if (mutant !== undefined || profile || grpcPort !== undefined)
    throw new UsageError(
      "--recorded serves a recorded agent, so it cannot be combined with --mutant, --profile or --grpc-port",
    );
  const file = findRun(recorded, folder);
  const events = readRun(file);
  if (events[0]?.event === "run-started" && events[0].redacted)
    throw new UsageError(`${file} was recorded with --redact, so it does not contain the responses of the agent`);
  return recordedAgentIn(events, file);
}

/** Returns the agent of a run, as far as the run recorded it. */
function recordedAgentIn(events: readonly RunEvent[], run: string): RecordedAgent {
  const exchanges = events.filter((event) => event.event === "exchange");
  if (!exchanges.length) throw new UsageError(`${run} contains no exchange, so there is nothing to serve`);
  const found = events.find((event) => event.event === "agent-found");
  const entries = exchanges
    .toSorted((a, b) => Date.parse(a.entry.startedDateTime) - Date.parse(b.entry.startedDateTime))
    .map(({ entry }) => entry);
  const cards = entries.filter(
    ({ request, response }) => /\/agent(-card)?\.json(\?|$)/.test(request.url) && response.status === 200,
  );
  const used = exchanges.flatMap(({ interface: on }) => on?.url ?? []);
  return {
    cardUrl: found?.cardUrl ?? cards[0]?.request.url ?? "",
    interfaces: [...new Set([...(found?.interfaces.map(({ url }) => url) ?? []), ...used])],
    entries,
  };
}
