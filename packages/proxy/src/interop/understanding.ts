import type { ConformanceReport, ConformanceResult } from "@assay/suite/report";
import type { PassedCall } from "../sight.ts";
import type { CommonGround } from "./common-ground.ts";
import type { InteropDirection, Understanding } from "./interop.ts";

/**
 * Decides by the traffic, or by the cards if there was none. A client that stands in for an agent shows nothing about
 * it, so the cards count, too, and the client's own faults decide nothing.
 */
export function understanding(way: InteropDirection, { obstacles }: CommonGround): Understanding {
  const { direction, untried, standIn, exchanged, calls, report, from, to } = way;
  const onCards = obstacles[direction];
  const who = { direction, ...(standIn !== undefined && { standIn }) };
  if (untried !== undefined) return { ...who, is: onCards.length ? "no" : "unknown", because: [...onCards, untried] };
  const client = standIn ?? (from || "the agent");
  const failed = failedIn(report);
  const ofClient = failed.filter(({ party }) => party === "client").map((each) => brokenBy(client, each));
  const ofAgent = failed.filter(({ party }) => party !== "client").map((each) => brokenBy(to || "the agent", each));
  const silent = exchanged.filter(({ sent, answered }) => answered < sent);
  const lost = silent.flatMap(
    ({ how, sent, answered, because }) => `${how}: ${answered} of ${sent} were answered (${because.join("; ")})`,
  );
  const because = [...ofClient, ...ofAgent, ...lost, ...mixedIn(calls)];
  const obstructions = standIn === undefined ? [] : onCards;
  if (because.length + obstructions.length === 0) return { ...who, is: "yes", because: [overWhat(calls)] };
  const isUnclear = standIn !== undefined && ofClient.length > 0 && ofAgent.length === 0;
  return { ...who, is: isUnclear && !onCards.length ? "unknown" : "no", because: [...obstructions, ...because] };
}

/** Returns the failures of both parties in the traffic. */
const failedIn = (report: ConformanceReport | undefined): ConformanceResult[] =>
  Object.values(report?.categories ?? {})
    .flat()
    .filter(({ verdict, disputed }) => verdict === "fail" && !disputed);

const brokenBy = (who: string, { test, message, title }: ConformanceResult): string =>
  `${who}: ${message ?? title} (${test})`;

/** Finds messages that each started something new but were answered with the same task. */
export function mixedIn(calls: readonly PassedCall[]): string[] {
  const begun = calls.flatMap(({ begins }) => begins ?? []);
  const twice = begun.filter((task, index) => begun.indexOf(task) !== index);
  return twice.length ? [`two messages were answered with the same task (${[...new Set(twice)].join(", ")})`] : [];
}

function overWhat(calls: readonly PassedCall[]): string {
  const places = calls.flatMap(({ over }) => (over ? [`${over.dialect} over ${over.binding}`] : []));
  return `they spoke ${[...new Set(places)].join(" and ")}`;
}
