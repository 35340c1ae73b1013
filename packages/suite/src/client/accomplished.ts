import type { SituationSeen } from "./situation-check.ts";

/** Whether a client did what a situation asks for; where it did not, what was seen instead. */
export type Accomplished =
  | { readonly is: true }
  | { readonly is: false; readonly because: string; readonly saw: string };

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1)?.trim().slice(0, 200) ?? "";

/**
 * By how its command ended and by what it printed. What it should have printed counts only where the client is known to
 * print at all; how a client ended that no command of ours ran is not known.
 */
export function accomplished({ situation, runs, ended, prints }: SituationSeen): Accomplished {
  if (ended === "time-over")
    return { is: false, because: "did not come to an end", saw: "the command was ended after its time" };
  for (const { exit, signal, output, errors } of runs) {
    if (signal !== undefined) return { is: false, because: `was ended by ${signal}`, saw: lastLine(errors) || signal };
    if (exit !== 0)
      return {
        is: false,
        because: `ended with exit code ${exit}`,
        saw: lastLine(errors) || lastLine(output) || `exit code ${exit}`,
      };
  }
  if (!prints || !runs.length) return { is: true };
  const printed = runs.map(({ output }) => output).join("\n");
  const missing = situation.answer?.find((text) => !printed.includes(text));
  return missing === undefined
    ? { is: true }
    : { is: false, because: `did not print "${missing}"`, saw: lastLine(printed) || "no output" };
}
