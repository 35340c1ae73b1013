import { hostname } from "node:os";
import { type FleetQueue, type FleetVerdict, jobHandler, type QueuedJob } from "@assay/fleet";
import { readAllowedSecret } from "@assay/library/connection";
import type { WorkerFlags } from "../commands/worker.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { workerLogins } from "../fleet/agent-logins.ts";
import { examinerFor } from "../fleet/examiner.ts";
import { openStores } from "../fleet/open-stores.ts";
import { readWorkerSecrets } from "../fleet/worker-secrets.ts";
import { plural } from "../phrases.ts";
import { interruptible } from "../shutdown/interruption.ts";
import { brief, escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";

const healthMs = 60_000;
/** Shutdown timeout in seconds: the minimum, and the reserve for closing connections on top of --grace. */
const usualTimeout = 30;
const reserve = 10;

/** Examines the jobs of the queue until a signal arrives or the queue is empty. */
export async function work(flags: WorkerFlags, screen: Screen): Promise<ExitCode> {
  const allowed = (flags.allowSecrets ?? []).map((each) => readAllowedSecret(each));
  const secrets = flags.secrets === undefined ? () => undefined : readWorkerSecrets(flags.secrets);
  const stores = await openStores(flags, screen);
  const running = new Set<QueuedJob>();
  const { signal, release } = interruptible(screen, {
    timeout: flags.shutdownTimeout ?? Math.max(usualTimeout, flags.grace + reserve),
    onStop: () =>
      screen.complain(
        "Stopping. Running jobs are finished or returned to the queue. Press Ctrl-C again to stop at once.",
      ),
    unfinished: () => [
      `${plural(running.size, "running job")} (other workers take over after --lease)`,
      "connections to the queue and the database",
    ],
  });
  const name = flags.name ?? `${hostname()}:${process.pid}`;
  const { ledger, politeness } = stores;
  // --queue is required.
  const { queue, shown } = stores.shared!;
  const teller = tellerOf(flags, name, screen);
  teller.begins(shown);
  const handle = jobHandler({
    jobOf: ({ sweep, agent }) => ledger.job(sweep, agent),
    dropped: teller.dropped,
    ledger,
    politeness,
    ...examinerFor(flags, workerLogins(secrets, { allowed })),
    worker: name,
    settled: teller.settled,
  });
  const health = setInterval(() => void teller.health(queue), healthMs);
  try {
    const counted: typeof handle = (job, ...given) => {
      running.add(job);
      return handle(job, ...given).finally(() => running.delete(job));
    };
    await queue.work(counted, {
      concurrency: flags.concurrency,
      signal,
      grace: flags.grace * 1_000,
      untilEmpty: flags.untilEmpty === true,
    });
  } finally {
    clearInterval(health);
    await stores.close();
    release();
  }
  teller.ends();
  // A signal is the normal end of a worker.
  return exitCodes.fine;
}

interface Teller {
  begins(queue: string): void;
  settled(verdict: FleetVerdict): void;
  dropped(job: QueuedJob): void;
  health(queue: FleetQueue): Promise<void>;
  ends(): void;
}

/** Prints the log of a worker: lines for people, or one JSON object per line. */
function tellerOf(flags: WorkerFlags, worker: string, screen: Screen): Teller {
  const began = Date.now();
  let [settled, dropped] = [0, 0];
  const facts = () => ({ worker, settled, dropped, seconds: Math.round((Date.now() - began) / 1_000) });
  /** Logs only the first dropped job and the total, so that a bad queue cannot fill the log. */
  const drops =
    (tell: (sweep: string, agent: string) => void) =>
    (job: QueuedJob): void => {
      if (dropped++ === 0) tell(nameIn(job?.sweep), nameIn(job?.agent));
    };
  if (flags.json || !screen.isTerminal)
    return {
      begins: (queue) => screen.json({ event: "ready", worker, queue, concurrency: flags.concurrency }),
      settled: ({ sweep, agent, class: is, reason: { code }, attempts, duration_ms }) => {
        settled++;
        screen.json({ event: "verdict", sweep, agent, class: is, reason: code, attempts, duration_ms });
      },
      dropped: drops((sweep, agent) => screen.json({ event: "dropped", worker, sweep, agent })),
      async health(queue) {
        const { rss } = process.memoryUsage();
        screen.json({ event: "health", ...facts(), rss, queue: await queue.counts() });
      },
      ends: () => screen.json({ event: "end", ...facts() }),
    };
  return {
    begins: (queue) => screen.line(`${worker} takes jobs from ${escapeText(queue)}, ${flags.concurrency} at a time.`),
    settled({ agent, class: is, reason: { code }, duration_ms }) {
      settled++;
      const seconds = `${(duration_ms / 1_000).toFixed(1)} s`;
      screen.line(`${is.padEnd(20)} ${code.padEnd(24)} ${seconds.padStart(8)}  ${brief(agent, 80)}`);
    },
    dropped: drops((sweep, agent) =>
      screen.complain(`warning: dropped a job that is not in the ledger (sweep ${sweep}, agent ${agent}).`),
    ),
    async health(queue) {
      const { waiting, active, delayed } = await queue.counts();
      screen.line(`${settled} verdicts. Queue: ${waiting} waiting, ${active} running, ${delayed} postponed.`);
    },
    ends: () =>
      screen.line(`${settled} verdicts${dropped ? `; dropped ${dropped} jobs that are not in the ledger` : ""}.`),
  };
}

/** Returns a name of the queue, which may have any type, as text. */
const nameIn = (given: unknown): string => (typeof given === "string" ? brief(given, 80) : "without a name");
