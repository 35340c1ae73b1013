import type { JsonValue, ListTasksResponse } from "@assay/protocol";
import { answerOf, inJson, without } from "../bending/json.ts";
import { instead, rewish } from "../bending/operations.ts";
import { mutant } from "../mutant.ts";

/** A page of tasks, changed. */
const pages = (change: (page: ListTasksResponse) => ListTasksResponse) =>
  instead(["ListTasks"], async ({ proceed }) => ({ answer: change((await proceed()).answer as ListTasksResponse) }));

export const listMutants = [
  mutant("LIST-003.no-token", "spec", "Leaves nextPageToken out on the last page.", {
    codec: inJson((json, written) =>
      answerOf("ListTasks", (page): JsonValue => (page["nextPageToken"] ? page : without(page, "nextPageToken")))(
        json,
        written,
      ),
    ),
  }),

  mutant("LIST-006.page-count", "spec", "Gives the number of tasks on the page as the number of all tasks.", {
    operations: pages((page) => ({ ...page, totalSize: page.tasks.length })),
  }),

  mutant("LIST-013.oldest-first", "spec", "Lists the tasks of a page the oldest first.", {
    operations: pages((page) => ({ ...page, tasks: page.tasks.toReversed() })),
  }),

  mutant("LIST-015.every-context", "spec", "Lists the tasks of all contexts whichever is asked for.", {
    operations: rewish(["ListTasks"], ({ contextId: _contextId, ...request }) => request),
  }),

  mutant("LIST-019.artifacts-unasked", "spec", "Lists tasks with their artifacts although nobody asked for them.", {
    operations: rewish(["ListTasks"], (request) => ({ ...request, includeArtifacts: true })),
  }),
];
