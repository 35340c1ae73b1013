import type { BlameFinding, BlameRule } from "./finding.ts";
import type { SeenCell } from "./seen.ts";

/** A crashed driver fails its cells. */
export const programEnded: BlameRule = ({ cell: { stderr }, failure }) => {
  const side = stderr?.server === undefined ? "client" : "server";
  const said = stderr?.[side];
  if (said === undefined) return undefined;
  return {
    code: `${side}-ended`,
    about: "ended",
    title: `the ${side} program exits during the scenario`,
    explanation: `The program of the ${side} exited during the scenario: ${failure.message}`,
    reasons: [
      { says: said.trim() === "" ? "it wrote nothing to stderr" : `the last lines of its stderr: ${lastLines(said)}` },
    ],
  };
};

export const driverRefused: BlameRule = ({ step }) => {
  const error = step?.answer?.error;
  if (error?.kind !== "driver") return undefined;
  return {
    code: "driver-refused",
    about: `driver/${step?.op}`,
    title: `the driver does not accept ${step?.op}`,
    explanation: `The client's driver did not accept the request, so the SDK was not tested: ${error.message}`,
    reasons: [{ says: `the driver says: ${error.message}` }],
  };
};

const lastLines = (text: string): string => text.trim().split("\n").slice(-3).join(" / ").slice(-400);

/** The blame for a failure that the recording does not explain. */
export const notShown = ({ cell, failure, judged }: SeenCell): BlameFinding => ({
  code: "not-shown",
  about: `${cell.server}/${cell.scenario}/${failure.step}`,
  title: failure.message,
  explanation: `The recording does not show which side is at fault: ${failure.message}.`,
  reasons: judged ? [{ says: failure.message, exchange: judged.id }] : [],
});
