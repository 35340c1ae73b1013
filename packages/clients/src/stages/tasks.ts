import { artifact, eachObject, intercept, type Layers, status } from "@assay/agents/making";
import { A2AError, type Task } from "@assay/protocol";
import type { Stage } from "../stage.ts";
import { agentOf, answerOf, by, doing, making } from "./agents.ts";
import { begin, toldOf } from "./arranged-task.ts";
import { until } from "./until.ts";

/** Works until it is cancelled. */
const working = doing(async function* ({ clock, signal }) {
  yield status("working");
  try {
    await clock.sleep(600_000, signal);
  } catch {
    yield status("canceled");
  }
});

/** Takes a moment, so that a client can poll meanwhile. */
const slow = (text: string) =>
  doing(async function* ({ clock, signal }) {
    yield status("working");
    await clock.sleep(4_000, signal);
    yield artifact("word", text, { last: true });
    yield status("completed");
  });

/** Page tokens with every character that has a meaning in a query. */
const odd = "+/=& %?#";

/** Agents may use any character in context ids. */
const ornament = "Gespräch / 1+1 ";

/** Context ids that a client can only repeat. */
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

/** Starts a task that is still working when the client connects. */
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
          if (token && !token.startsWith(odd)) throw new A2AError("InvalidParams", "Unknown page token");
          // A page may be shorter than requested even if more pages follow.
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
      const subscribed = new AbortController();
      // The task is still working when the client connects, however long that takes.
      const waiting = doing(async function* (turn) {
        yield status("working");
        await until(subscribed.signal, 600_000, turn);
        await turn.clock.sleep(500, turn.signal);
        yield artifact("word", answerOf("subscribe"), { last: true });
        yield status("completed");
      });
      return agentOf(offered, waiting, {
        layers: {
          operations: intercept(["SubscribeToTask"], ({ proceed }) => {
            subscribed.abort();
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
