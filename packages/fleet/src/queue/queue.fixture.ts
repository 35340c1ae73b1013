import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { FleetJob } from "../examining/examination.ts";
import type { FleetQueue, JobHandler, QueuedJob } from "./fleet-queue.ts";

/** Returns the planned job of an agent. */
export const plannedOf = ({ sweep, agent: name }: QueuedJob): FleetJob => ({
  sweep,
  agent: { name, url: `http://${name}.example`, labels: [], depth: "card", mayMessage: false },
});

export const jobOf = (agent: string, sweep = "sweep-1"): QueuedJob => ({ sweep, agent });

const never = new AbortController().signal;
const done = { done: true } as const;

/** Works until the queue is empty, and returns each handed-out agent with its attempt. */
async function handedOut(queue: FleetQueue, handle: JobHandler, concurrency = 2): Promise<string[]> {
  const seen: string[] = [];
  await queue.work(
    (job, attempt, signal) => {
      seen.push(`${job.agent} ${attempt}`);
      return handle(job, attempt, signal);
    },
    { concurrency, signal: never, untilEmpty: true },
  );
  return seen.sort();
}

/** Test cases for a queue on any engine. Each begins with an empty one. */
export const queueCases: readonly { readonly title: string; readonly run: (queue: FleetQueue) => Promise<void> }[] = [
  {
    title: "every job is handed out once, and adding one that is there does nothing",
    async run(queue) {
      await queue.add([jobOf("a"), jobOf("b")]);
      await queue.add([jobOf("b"), jobOf("c")]);
      expect(await queue.counts()).toEqual({ waiting: 3, active: 0, delayed: 0, failed: 0 });
      expect(await handedOut(queue, async () => done)).toEqual(["a 1", "b 1", "c 1"]);
      expect(await queue.counts()).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0 });
    },
  },
  {
    title: "no more jobs are under way than are allowed at a time",
    async run(queue) {
      await queue.add(["a", "b", "c", "d", "e"].map((name) => jobOf(name)));
      let [active, most] = [0, 0];
      const handle: JobHandler = async () => {
        most = Math.max(most, ++active);
        while (most < 2) await delay(1);
        await delay(10);
        active--;
        return done;
      };
      await handedOut(queue, handle, 2);
      expect(most).toBe(2);
    },
  },
  {
    title: "a job that was put off comes again; only a retry counts as another attempt",
    async run(queue) {
      await queue.add([jobOf("busy"), jobOf("flaky")]);
      let busy = 0;
      const handle: JobHandler = async ({ agent }, attempt) => {
        if (agent === "busy") return busy++ < 2 ? { again: 5, because: "busy" } : done;
        return attempt < 3 ? { again: 5, because: "retry" } : done;
      };
      expect(await handedOut(queue, handle)).toEqual(["busy 1", "busy 1", "busy 1", "flaky 1", "flaky 2", "flaky 3"]);
    },
  },
  {
    title: "work ends with the signal, when every handler has come back; what was not handed out stays",
    async run(queue) {
      await queue.add([jobOf("a"), jobOf("b"), jobOf("c")]);
      const stop = new AbortController();
      let cameBack = false;
      const handle: JobHandler = async () => {
        stop.abort();
        await delay(10);
        cameBack = true;
        return done;
      };
      await queue.work(handle, { concurrency: 1, signal: stop.signal });
      expect(cameBack).toBe(true);
      expect(await queue.counts()).toMatchObject({ waiting: 2, active: 0 });
    },
  },
  {
    title: "a handler that throws costs the others nothing, and its job is not lost at once",
    async run(queue) {
      await queue.add([jobOf("a"), jobOf("trouble"), jobOf("z")]);
      let troubles = 0;
      const seen = await handedOut(queue, async ({ agent }) => {
        if (agent === "trouble" && troubles++ === 0) throw new Error("the database is away");
        return done;
      });
      expect(new Set(seen.map((each) => each.split(" ")[0]))).toEqual(new Set(["a", "trouble", "z"]));
      expect(troubles).toBe(2);
    },
  },
];
