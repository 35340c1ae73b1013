import type { CommandOptions, CommandRun } from "./command.ts";
import type { Drive } from "./options.ts";

/** Has a client within this process do what a situation asks for; it has the same time as a command would. */
export async function driveClient(
  drive: Drive,
  told: Readonly<Record<string, string>>,
  { timeoutMs, signal }: Pick<CommandOptions, "timeoutMs" | "signal">,
): Promise<CommandRun> {
  const began = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const stop = AbortSignal.any([signal, timeout]);
  const stopped = new Promise<undefined>((resolve) => {
    stop.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const outcome = await Promise.race([
    drive(told, stop).catch((error: unknown) => ({ exit: 1, output: "", errors: String(error) })),
    stopped,
  ]);
  const { exit, output = "", errors = "" } = outcome ?? {};
  return {
    ended: outcome ? "exit" : timeout.aborted ? "time-over" : "interrupted",
    ...(exit !== undefined && { exit }),
    output,
    errors,
    dropped: 0,
    leftBehind: false,
    duration_ms: Math.round((performance.now() - began) * 10) / 10,
  };
}
