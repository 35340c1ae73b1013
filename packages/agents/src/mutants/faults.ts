import { A2AError, type Task } from "@assay/protocol";
import { type Divergence, full } from "../definition/divergence.ts";
import { changeAnswer, changeStream, intercept, together } from "../mutation/operations.ts";
import { RecentSet } from "../mutation/recent.ts";
import { taskIdIn } from "./push-delivery.ts";

/** Notes the tasks whose streaming client disconnected before the end. */
const notingVanished = (vanished: RecentSet) =>
  changeStream(["SendStreamingMessage"], async function* (events, { invocation }) {
    let id: string | undefined;
    let isOver = false;
    invocation.client.signal.addEventListener("abort", () => {
      if (id !== undefined && !isOver) vanished.add(id);
    });
    for await (const event of events) {
      id ??= event.task?.id ?? event.statusUpdate?.taskId;
      yield event;
    }
    isOver = true;
  });

const working = (task: Task): Task => ({ ...task, status: { ...task.status, state: "TASK_STATE_WORKING" } });
const failed = (task: Task): Task => ({ ...task, status: { ...task.status, state: "TASK_STATE_FAILED" } });

/** Agents that cope badly with faults, for the advice of `assay test --faults`. */
export const faultMutants: readonly Divergence[] = [
  full("FAULT-001.dead", "The agent stops answering after a fault on the side of its client.", () => {
    let isDead = false;
    return {
      http: (serve) => (request, reply) => {
        if (isDead) return void reply.raw.destroy();
        request.signal.addEventListener("abort", () => {
          isDead = true;
        });
        return serve(request, reply);
      },
    };
  }),

  full("FAULT-002.forgets", "GetTask does not find a task whose streaming client disconnected.", () => {
    const vanished = new RecentSet();
    const forgets = intercept(["GetTask"], ({ request, proceed }) => {
      if (vanished.has(request.id)) throw new A2AError("TaskNotFound", "There is no such task");
      return proceed();
    });
    return { operations: together(notingVanished(vanished), forgets) };
  }),

  full("FAULT-003.stuck", "A task stays in WORKING forever when its streaming client disconnects.", () => {
    const vanished = new RecentSet();
    const stuck = changeAnswer(["GetTask"], (task) => (vanished.has(task.id) ? working(task) : task));
    return { operations: together(notingVanished(vanished), stuck) };
  }),

  full("FAULT-004.gives-up", "A failing webhook stops the notifications to the other webhooks of its task.", () => {
    const given = new RecentSet();
    let last: Promise<unknown> = Promise.resolve();
    return {
      push: (post) => (url, headers, body, signal) => {
        const id = taskIdIn(body);
        const next = last.then(async () => {
          if (given.has(id)) return { status: 200 };
          const result = await post(url, headers, body, signal);
          if (!("status" in result) || result.status >= 300) given.add(id);
          return result;
        });
        last = next.catch(() => {});
        return next;
      },
    };
  }),

  full("FAULT-005.fails", "A task fails because its webhook fails.", () => {
    const unlucky = new RecentSet();
    return {
      push: (post) => async (url, headers, body, signal) => {
        const result = await post(url, headers, body, signal);
        if (!("status" in result) || result.status >= 300) unlucky.add(taskIdIn(body));
        return result;
      },
      operations: changeAnswer(["GetTask"], (task) => (unlucky.has(task.id) ? failed(task) : task)),
    };
  }),

  full("FAULT-006.waits", "A task waits for the response of a slow webhook.", () => {
    const pending = new Set<Promise<unknown>>();
    return {
      push: (post) => (url, headers, body, signal) => {
        const sent = post(url, headers, body, signal, "webhook for ever").finally(() => pending.delete(sent));
        pending.add(sent);
        return sent;
      },
      events: async function* (events) {
        for await (const event of events) {
          await Promise.allSettled(pending);
          yield event;
        }
      },
    };
  }),
];
