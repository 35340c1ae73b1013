import type { Testbed } from "@assay/agents";
import { type AgentDefinition, artifact, intercept, type Skill, status } from "@assay/agents/making";
import { A2AError, type Task } from "@assay/protocol";
import type { Arranged, Stage } from "../stage.ts";
import { agentOf, doing, making } from "./agents.ts";
import { answerOf } from "./answer-of.ts";

/** A task that was begun before the client came. */
async function begin(bed: Testbed, path: string, returnImmediately = false): Promise<Task> {
  const { task } = await bed.perform(path, "SendMessage", {
    message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: "go" }] },
    configuration: { returnImmediately },
  });
  // Every skill of these agents makes a task.
  return task!;
}

const toldOf = ({ id, contextId }: Task): Arranged => ({
  env: { ASSAY_TASK: id },
  told: [id, ...(contextId ? [contextId] : [])],
});

/** Works until it is cancelled. */
const working = doing(async function* ({ clock, signal }) {
  yield status("working");
  try {
    await clock.sleep(600_000, signal);
  } catch {
    yield status("canceled");
  }
});

/** Takes a moment, so that a client can ask meanwhile. */
const slow = (text: string) =>
  doing(async function* ({ clock, signal }) {
    yield status("working");
    await clock.sleep(4_000, signal);
    yield artifact("word", text, { last: true });
    yield status("completed");
  });

/** A task that goes on when a client watches it: a program may take seconds to start. One that is never watched ends as well. */
function onceWatched(text: string): [Skill, Partial<AgentDefinition>] {
  let goOn = (): void => {};
  const watched = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const waiting = doing(async function* ({ clock, signal }) {
    yield status("working");
    await Promise.race([watched, clock.sleep(60_000, signal)]);
    await clock.sleep(1_000, signal);
    yield artifact("word", text, { last: true });
    yield status("completed");
  });
  const operations = intercept(["SubscribeToTask"], async ({ proceed }) => {
    const outcome = await proceed();
    goOn();
    return outcome;
  });
  return [waiting, { layers: { operations } }];
}

/** Page tokens with every character that a query has a meaning of its own for. */
const odd = "+/=& %?#";

export const taskStages = {
  get: {
    agent: (offered) => agentOf(offered, making(answerOf("get"))),
    arrange: async (bed, path) => toldOf(await begin(bed, path)),
  },
  list: {
    agent: (offered) =>
      agentOf(offered, making("listed"), {
        layers: {
          operations: intercept(["ListTasks"], async ({ request, proceed }) => {
            const token = request.pageToken ?? "";
            if (token && !token.startsWith(odd)) throw new A2AError("InvalidParams", "This page token is none of mine");
            // A page may be shorter than it was asked for, although more follow.
            const one = { ...request, pageSize: 1, ...(token && { pageToken: token.slice(odd.length) }) };
            const { answer } = await proceed(one);
            const page = answer as { nextPageToken: string };
            return { answer: { ...page, nextPageToken: page.nextPageToken && `${odd}${page.nextPageToken}` } };
          }),
        },
      }),
    arrange: async (bed, path) => {
      const tasks: Task[] = [];
      while (tasks.length < 3) tasks.push(await begin(bed, path));
      return { told: tasks.flatMap((task) => toldOf(task).told!) };
    },
  },
  cancel: {
    agent: (offered) => agentOf(offered, working),
    arrange: async (bed, path) => toldOf(await begin(bed, path, true)),
  },
  "cancel-refused": {
    agent: (offered) =>
      agentOf(offered, working, {
        layers: {
          operations: intercept(["CancelTask"], async () => {
            throw new A2AError("TaskNotCancelable", "No.");
          }),
        },
      }),
    arrange: async (bed, path) => toldOf(await begin(bed, path, true)),
  },
  subscribe: {
    agent: (offered) => agentOf(offered, ...onceWatched(answerOf("subscribe"))),
    arrange: async (bed, path) => toldOf(await begin(bed, path, true)),
  },
  follow: { agent: (offered) => agentOf(offered, slow(answerOf("follow"))) },
  converse: {
    agent: (offered) =>
      agentOf(
        offered,
        doing(async function* ({ task }) {
          if (!task) return yield status("input-required", "For how many?");
          yield status("working");
          yield artifact("booking", answerOf("converse"), { last: true });
          yield status("completed");
        }),
      ),
  },
  refine: {
    agent: (offered) =>
      agentOf(
        offered,
        doing(async function* ({ text }) {
          yield status("working");
          yield artifact("drawing", /red/.test(text) ? answerOf("refine") : "a boat", { last: true });
          yield status("completed");
        }),
      ),
  },
} as const satisfies Record<string, Stage>;
