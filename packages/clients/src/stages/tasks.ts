import { artifact, eachObject, intercept, type Layers, status } from "@assay/agents/making";
import { A2AError, type Task } from "@assay/protocol";
import type { Stage } from "../stage.ts";
import { agentOf, answerOf, by, doing, making } from "./agents.ts";
import { begin, toldOf } from "./arranged-task.ts";

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

/** Page tokens with every character that a query has a meaning of its own for. */
const odd = "+/=& %?#";

/** In the names of contexts an agent may use any character. */
const ornament = "Gespräch / 1+1 ";

/** Contexts under names that a client can only repeat. */
const opaqueContexts: Layers = {
  codec: (json) =>
    eachObject(json, (object) =>
      typeof object["contextId"] === "string" ? { ...object, contextId: `${ornament}${object["contextId"]}` } : object,
    ),
  operations: intercept(["SendMessage", "SendStreamingMessage"], ({ request, proceed }) => {
    const { contextId } = request.message;
    if (!contextId?.startsWith(ornament)) return proceed();
    return proceed({ ...request, message: { ...request.message, contextId: contextId.slice(ornament.length) } });
  }),
};

/** Begins a task that is at work when the client comes. */
const atWork: NonNullable<Stage["arrange"]> = async (bed, path) =>
  toldOf(await begin(bed, path, { returnImmediately: true }));

export const taskStages = {
  get: {
    ...by(making(answerOf("get"))),
    arrange: async (bed, path) => toldOf(await begin(bed, path)),
  },
  list: {
    ...by(making("listed"), {
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
    ...by(working),
    arrange: atWork,
  },
  "cancel-refused": {
    ...by(working, {
      layers: {
        operations: intercept(["CancelTask"], async () => {
          throw new A2AError("TaskNotCancelable", "No.");
        }),
      },
    }),
    arrange: atWork,
  },
  subscribe: {
    agent: (offered) => {
      let arrived = (): void => {};
      const subscribed = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      // However long the client takes to come, the task is still at work when it does.
      const waiting = doing(async function* ({ clock, signal }) {
        yield status("working");
        await Promise.race([subscribed, clock.sleep(600_000, signal)]);
        await clock.sleep(500, signal);
        yield artifact("word", answerOf("subscribe"), { last: true });
        yield status("completed");
      });
      return agentOf(offered, waiting, {
        layers: {
          operations: intercept(["SubscribeToTask"], ({ proceed }) => {
            arrived();
            return proceed();
          }),
        },
      });
    },
    arrange: atWork,
  },
  follow: by(slow(answerOf("follow"))),
  converse: by(
    doing(async function* ({ task }) {
      if (!task) return yield status("input-required", "For how many?");
      yield status("working");
      yield artifact("booking", answerOf("converse"), { last: true });
      yield status("completed");
    }),
    { layers: opaqueContexts },
  ),
  refine: by(
    doing(async function* ({ text }) {
      yield status("working");
      yield artifact("drawing", /red/.test(text) ? answerOf("refine") : "a boat", { last: true });
      yield status("completed");
    }),
  ),
} as const satisfies Record<string, Stage>;
