import { defined } from "@assay/protocol";
import { bindingName } from "@assay/suite/report";
import { plural } from "../phrases.ts";
import { brief, escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";
import type { AnswerDifference } from "./facts.ts";
import type { ReplayedRequest } from "./replay.ts";

/** Prints one line for an equal response, or both responses side by side. */
export function showOutcome({ recorded: { exchange }, ...outcome }: ReplayedRequest, { line, colors }: Screen): void {
  const { id, operation, interface: on, during, entry } = exchange;
  const what = operation ?? `${entry.request.method} ${entry.request.url}`;
  const place = on ? `  ${bindingName(on.binding)} ${on.dialect}` : "";
  const why = during === undefined ? "" : colors.dim(`  ${during}`);
  const head = `${id.padEnd(5)} ${brief(what, 60)}${escapeText(place)}${why}`;
  switch (outcome.is) {
    case "same":
      line(`same       ${head}`);
      break;
    case "not-sent":
      line(`not sent   ${head}: ${escapeText(outcome.because)}`);
      break;
    case "different":
      line(colors.red(`different  ${head}`));
      for (const row of sideBySide(outcome.differences)) line(`             ${row}`);
  }
}

/** The maximum number of differences to show of one response: another kind of response differs everywhere. */
const mostShown = 12;

function sideBySide(differences: readonly AnswerDifference[]): string[] {
  const shown = differences.slice(0, mostShown);
  const place = Math.max(...shown.map(({ at }) => Math.min(at.length, widest)));
  const before = Math.max("then".length, ...shown.map(({ recorded = absent }) => Math.min(recorded.length, widest)));
  const more = differences.length - shown.length;
  return [
    `${"".padEnd(place)}  ${"then".padEnd(before)}  now`,
    ...shown.map(
      ({ at, recorded = absent, now = absent }) =>
        `${brief(at, widest).padEnd(place)}  ${brief(recorded, widest).padEnd(before)}  ${brief(now, widest)}`,
    ),
    ...(more > 0 ? [`and ${more} more differences (--json shows all)`] : []),
  ];
}

const absent = "absent";
const widest = 50;

interface ReplaySummary {
  readonly same: number;
  readonly different: number;
  readonly notSent: number;
  readonly messages: number;
  /** the number of requests with any response */
  readonly answered: number;
}

export function summaryOf(outcomes: readonly ReplayedRequest[]): ReplaySummary {
  const count = (is: ReplayedRequest["is"]): number => outcomes.filter((each) => each.is === is).length;
  const sent = outcomes.flatMap((each) => (each.is === "not-sent" ? [] : [each]));
  return {
    same: count("same"),
    different: count("different"),
    notSent: count("not-sent"),
    messages: sent.filter(({ recorded }) => recorded.exchange.working).length,
    answered: sent.filter(({ now }) => now.response.status > 0).length,
  };
}

export const closingLine = ({ same, different, notSent, messages, answered }: ReplaySummary): string =>
  answered === 0
    ? `No response arrived, so there is nothing to compare (${plural(notSent, "request")} not sent).`
    : `${same} the same, ${different} different${notSent ? `, ${notSent} not sent` : ""}; ${plural(messages, "message")}.`;

/** Returns one exchange as JSON for programs. */
export const factsOf = (outcome: ReplayedRequest) => {
  const { id, operation, interface: on, during, working } = outcome.recorded.exchange;
  return {
    id,
    ...defined({ operation, interface: on, during, working }),
    outcome: outcome.is,
    ...(outcome.is === "different" && { differences: outcome.differences }),
    ...(outcome.is === "not-sent" && { because: outcome.because }),
  };
};
