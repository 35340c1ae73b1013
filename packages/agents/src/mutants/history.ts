import type { GetTaskRequest, ListTasksRequest, SendMessageRequest, Task } from "@assay/protocol";
import { spec } from "../definition/divergence.ts";
import { answerOf, inJson } from "../mutation/json.ts";
import { changeParams, intercept } from "../mutation/operations.ts";

const withoutLimit = ({ historyLength: _limit, ...request }: GetTaskRequest): GetTaskRequest => request;

const withoutLimitInAnswer = ({ configuration, ...request }: SendMessageRequest): SendMessageRequest => {
  if (!configuration) return request;
  const { historyLength: _limit, ...rest } = configuration;
  return { ...request, configuration: rest };
};

export const historyMutants = [
  spec("HIST-001.pairs", "GetTask with historyLength N returns 2N messages.", {
    operations: changeParams(["GetTask"], (request) =>
      request.historyLength ? { ...request, historyLength: 2 * request.historyLength } : request,
    ),
  }),

  spec("HIST-001.plus-one", "Shows one more message of the history than was asked for.", {
    operations: changeParams(["GetTask"], (request) =>
      request.historyLength ? { ...request, historyLength: request.historyLength + 1 } : request,
    ),
  }),

  spec("HIST-002.first-ones", "GetTask with historyLength N returns the first N messages instead of the last N.", {
    operations: intercept(["GetTask"], async ({ request, proceed }) => {
      if (!request.historyLength || request.historyLength < 0) return proceed();
      const task = (await proceed(withoutLimit(request))).answer as Task;
      return { answer: { ...task, history: task.history?.slice(0, request.historyLength) } };
    }),
  }),

  spec("HIST-003.zero-is-all", "GetTask with historyLength 0 returns the whole history.", {
    operations: changeParams(["GetTask"], (request) => (request.historyLength === 0 ? withoutLimit(request) : request)),
  }),

  spec("HIST-004.empty-list", "GetTask with historyLength 0 returns an empty history list instead of none.", {
    codec: inJson(answerOf("GetTask", (task) => ({ ...task, history: task["history"] ?? [] }))),
  }),

  spec("HIST-006.get-only", "SendMessage ignores historyLength and returns the whole history.", {
    operations: changeParams(["SendMessage"], withoutLimitInAnswer),
  }),

  spec("HIST-006.zero-is-all", "Answers messages with the whole history where none is asked for.", {
    operations: changeParams(["SendMessage"], ({ configuration: { historyLength, ...rest } = {}, ...request }) => ({
      ...request,
      configuration: { ...rest, ...(historyLength && { historyLength }) },
    })),
  }),

  spec("HIST-007.lists-all", "ListTasks ignores historyLength and returns the whole history.", {
    operations: changeParams(["ListTasks"], ({ historyLength: _limit, ...request }): ListTasksRequest => request),
  }),

  spec("HIST-007.zero-is-all", "Lists tasks with their whole history where none is asked for.", {
    operations: changeParams(["ListTasks"], ({ historyLength, ...request }) => ({
      ...request,
      ...(historyLength && { historyLength }),
    })),
  }),

  spec("HIST-008.no-limit", "A negative historyLength is accepted and means no limit.", {
    operations: changeParams(["GetTask"], (request) =>
      (request.historyLength ?? 0) < 0 ? withoutLimit(request) : request,
    ),
  }),

  spec("HIST-009.whole", "The Task that opens a stream has the whole history, whatever historyLength says.", {
    operations: changeParams(["SendStreamingMessage"], withoutLimitInAnswer),
  }),
];
