import { type ExitCode, exitCodes } from "../exit.ts";
import { interruptible } from "./interruption.ts";
import { nextOccasion, type Occasion } from "./occasions.ts";
import { type Outcome, testOnce } from "./one-run.ts";
import type { Session } from "./session.ts";

/** Tests again and again, until somebody ends it. */
export async function watch(session: Session): Promise<ExitCode> {
  const { settings, flags, people } = session;
  let last: Outcome | undefined;
  for (;;) {
    const run = await watchedRun(session, last);
    last = { ...run.outcome, report: run.outcome.report ?? last?.report };
    if (run.next === "stop") return last.code;
    const why: Record<Exclude<Occasion, "stop">, string> = {
      asked: "You asked for it",
      agent: "The agent has changed",
      files: "A file was saved",
    };
    people.line();
    people.line(`${why[run.next]}: testing ${settings.shownUrl} again${flags.start ? " with a new agent" : ""}.`);
  }
}

async function watchedRun(session: Session, last: Outcome | undefined): Promise<{ outcome: Outcome; next: Occasion }> {
  const { settings, flags, people } = session;
  const outcome = await testOnce(session, last?.report);
  if (outcome.code === exitCodes.interrupted) return { outcome, next: "stop" };
  people.line();
  const waitsFor = flags.start === undefined ? "the agent to change" : "a file to be saved";
  people.line(`Waiting for ${waitsFor}. Enter tests again, Ctrl-C ends.`);
  const interruption = interruptible(
    () => {},
    () => {},
  );
  try {
    const next = await nextOccasion({
      url: outcome.cardUrl ?? last?.cardUrl ?? settings.url,
      connection: settings.options.connection,
      headers: settings.options.headers ?? [],
      ...(flags.start !== undefined && { folder: process.cwd() }),
      signal: interruption.signal,
    });
    return { outcome, next };
  } finally {
    interruption.release();
  }
}
