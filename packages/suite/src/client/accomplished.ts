import { errorLine } from "../report/error-line.ts";
import type { SituationSeen } from "./situation-check.ts";

/** The result of a situation: the client did what it asks for, or what Assay saw instead. */
export type Accomplished =
  | { readonly is: true }
  | { readonly is: false; readonly because: string; readonly saw: string };

const shortened = (line: string): string => line.slice(0, 200);
const lastLine = (text: string): string => shortened(text.trimEnd().split("\n").at(-1)?.trim() ?? "");

/**
 * Judges by how the command ended and what it printed. Missing output counts only if the client is known to print at
 * all. Without a command of Assay, the end of the client is unknown.
 */
export function accomplished({ situation, runs, ended, prints }: SituationSeen): Accomplished {
  if (ended === "time-over")
    return { is: false, because: "did not finish", saw: "Assay stopped the command at its time limit" };
  for (const { exit, signal, output, errors } of runs) {
    if (signal !== undefined)
      return { is: false, because: `was ended by ${signal}`, saw: shortened(errorLine(errors)) || signal };
    if (exit !== 0)
      return {
        is: false,
        because: `ended with exit code ${exit}`,
        saw: shortened(errorLine(errors)) || lastLine(output) || `exit code ${exit}`,
      };
  }
  if (!prints || !runs.length) return { is: true };
  const printed = runs.map(({ output }) => output).join("\n");
  const missing = situation.answer?.find((text) => !printed.includes(text));
  return missing === undefined
    ? { is: true }
    : { is: false, because: `did not print "${missing}"`, saw: lastLine(printed) || "no output" };
}
