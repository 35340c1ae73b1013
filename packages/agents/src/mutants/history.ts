import type { GetTaskRequest, Task } from "@assay/protocol";
import { instead, rewish } from "../bending/operations.ts";
import { mutant } from "../mutant.ts";

const withoutLimit = ({ historyLength: _limit, ...request }: GetTaskRequest): GetTaskRequest => request;

export const historyMutants = [
  mutant("HIST-001.pairs", "spec", "Counts history in pairs, so that GetTask shows twice as many messages as asked.", {
    operations: rewish(["GetTask"], (request) =>
      request.historyLength ? { ...request, historyLength: 2 * request.historyLength } : request,
    ),
  }),

  mutant("HIST-002.first-ones", "spec", "Shows the first messages of the history where the last ones are asked for.", {
    operations: instead(["GetTask"], async ({ request, proceed }) => {
      if (!request.historyLength) return proceed();
      const task = (await proceed(withoutLimit(request))).answer as Task;
      return { answer: { ...task, history: task.history?.slice(0, request.historyLength) } };
    }),
  }),

  mutant("HIST-003.zero-is-all", "spec", "Takes historyLength 0 for no limit.", {
    operations: rewish(["GetTask"], (request) => (request.historyLength === 0 ? withoutLimit(request) : request)),
  }),
];
