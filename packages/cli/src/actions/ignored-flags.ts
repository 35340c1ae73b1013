import { flagOf } from "@assay/suite/options";
import type { ClientFlags } from "../commands/client.ts";
import { UsageError } from "../exit.ts";

/** Returns a flag of the command line that is not one of these, or undefined. */
function otherThan(own: readonly (keyof ClientFlags)[], flags: ClientFlags): string | undefined {
  // `record` is true unless --no-record is given.
  const [name] =
    Object.entries(flags).find(
      ([each, value]) => !own.some((known) => known === each) && value !== (each === "record") && value !== undefined,
    ) ?? [];
  return name === undefined ? undefined : flagOf(name);
}

/** Rejects flags that a mode of `assay client` would ignore. */
export function rejectIgnored(mode: string, own: readonly (keyof ClientFlags)[], flags: ClientFlags): void {
  const other = otherThan(own, flags);
  if (other !== undefined) throw new UsageError(`${mode} cannot be combined with ${other}`, "Omit one of them.");
}

/** The flags of a run that waits for any client. The others say how to run a command. */
const ofWaiting: readonly (keyof ClientFlags)[] = [
  "port",
  "bindings",
  "only",
  "skip",
  "shutdownTimeout",
  "strict",
  "ruleSet",
  "baseline",
  "baselineUpdate",
  "failOn",
  "requireLevel",
  "minExamined",
  "record",
  "keep",
  "json",
  "report",
];

/** Rejects flags that need the command of the client. */
export function rejectWithoutCommand(flags: ClientFlags): void {
  const other = otherThan(ofWaiting, flags);
  if (other !== undefined)
    throw new UsageError(`${other} needs the command of the client`, "Example: assay client -- node my-client.js");
}
