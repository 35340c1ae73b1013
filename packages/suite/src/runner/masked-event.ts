import type { Masker } from "@assay/wire";
import type { RunEvent } from "../report/events.ts";
import type { ConformanceResult, InterfaceName } from "../report/result.ts";

/** The members of a result that may quote the agent or the operator. The others contain only words of Assay. */
const spoken = ["message", "warning", "info", "sent", "saw", "want", "remedy", "enable", "expected", "repeat"] as const;

/**
 * Masks the secrets in an event: all texts of an agent, and addresses. Screens, reports and recordings use only
 * events, so secrets stop here. Traffic is masked when it is recorded.
 */
export function maskedEvent(event: RunEvent, masker: Masker): RunEvent {
  const text = (value: string): string => masker.text(value);
  const named = ({ url, dialect, binding }: InterfaceName): InterfaceName => ({
    url: text(url),
    dialect: text(dialect),
    binding: text(binding),
  });
  const place = (on: InterfaceName | undefined) => on && { interface: named(on) };
  switch (event.event) {
    case "run-started":
      return { ...event, agentUrl: text(event.agentUrl) };
    case "agent-found":
      return {
        ...event,
        cardUrl: text(event.cardUrl),
        name: text(event.name),
        version: text(event.version),
        dialects: event.dialects.map((each) => ({
          ...each,
          because: text(each.because),
          ...(each.cardUrl !== undefined && { cardUrl: text(each.cardUrl) }),
        })),
        interfaces: event.interfaces.map(named),
        leftOut: event.leftOut.map((each) => ({
          ...each,
          interface: named(each.interface),
          because: text(each.because),
        })),
      };
    case "situation-finished":
      return {
        ...event,
        ...place(event.interface),
        ...(event.because !== undefined && { because: text(event.because) }),
        runs: event.runs.map((run) => ({ ...run, output: text(run.output), errors: text(run.errors) })),
      };
    case "situation-started":
    case "observing":
    case "observed":
    case "lifecycle-seen":
    case "skill-tried":
    case "check-started":
    case "exchange":
      return { ...event, ...place(event.interface) };
    case "check-finished":
      return { ...event, result: { ...maskedResult(event.result, text), ...place(event.result.interface) } };
    case "learned":
      return { ...event, prompts: masker.value(event.prompts) as typeof event.prompts };
    case "note":
      return { ...event, text: text(event.text) };
    case "run-finished":
      return {
        ...event,
        ...(event.message !== undefined && { message: text(event.message) }),
        ...(event.hint !== undefined && { hint: text(event.hint) }),
      };
    case "peer-tried":
      return { ...event, ...(event.message !== undefined && { message: text(event.message) }) };
    case "versions-compared":
      return {
        ...event,
        older: named(event.older),
        newer: named(event.newer),
        comparisons: event.comparisons.map((each) => ({
          ...each,
          ...(each.message !== undefined && { message: text(each.message) }),
        })),
      };
    case "planned":
    case "estimated":
    case "sdk-recognised":
      return event;
  }
}

function maskedResult(result: ConformanceResult, text: (value: string) => string): ConformanceResult {
  const masked = spoken.flatMap((member) => {
    const value = result[member];
    return value === undefined ? [] : [[member, text(value)] as const];
  });
  const { compared } = result;
  const ends = compared?.ends.map((end) => (end.shows === undefined ? end : { ...end, shows: text(end.shows) }));
  return {
    ...result,
    ...Object.fromEntries(masked),
    ...(compared && { compared: { ...compared, ends: ends as unknown as typeof compared.ends } }),
  };
}
