import { resolve } from "node:path";
import { boundCredentials } from "@assay/suite";
import { type ExitCode, exitCodes } from "../exit.ts";
import { interruptible } from "../shutdown/interruption.ts";
import type { TestInvocation } from "./invocation.ts";
import { type RunOutcome, testOnce } from "./one-run.ts";
import { nextRetest, type RetestReason } from "./retest.ts";

/** Repeats the test until the user ends it. */
export async function watch(invocation: TestInvocation): Promise<ExitCode> {
  const { settings, people } = invocation;
  let last: RunOutcome | undefined;
  for (;;) {
    const run = await watchedRun(invocation, last);
    last = { ...run.outcome, report: run.outcome.report ?? last?.report };
    if (run.next === "stop") return last.code;
    const why: Record<Exclude<RetestReason, "stop">, string> = {
      asked: "Requested",
      agent: "The agent changed",
      files: "A file was saved",
    };
    people.line();
    people.line(`${why[run.next]}: testing ${settings.url} again${settings.start ? " with a new agent" : ""}.`);
  }
}

async function watchedRun(
  invocation: TestInvocation,
  last: RunOutcome | undefined,
): Promise<{ outcome: RunOutcome; next: RetestReason }> {
  const { settings, people } = invocation;
  const outcome = await testOnce(invocation, last?.report);
  if (outcome.code === exitCodes.interrupted) return { outcome, next: "stop" };
  people.line();
  const waitsFor = settings.start === undefined ? "the agent to change" : "a file to be saved";
  people.line(`Waiting for ${waitsFor}. Press Enter to test again, Ctrl-C to stop.`);
  const interruption = interruptible(people, { timeout: invocation.flags.shutdownTimeout });
  try {
    const next = await nextRetest({
      url: outcome.cardUrl ?? last?.cardUrl ?? settings.url,
      connection: { ...settings.options.connection, credentials: boundCredentials(settings.options) },
      headers: settings.options.headers ?? [],
      ...(settings.start && { folder: resolve(settings.start.folder) }),
      signal: interruption.signal,
    });
    return { outcome, next };
  } finally {
    interruption.release();
  }
}
