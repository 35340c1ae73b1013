import {
  A2AError,
  type JsonObject,
  type JsonValue,
  type ListTasksRequest,
  type ListTasksResponse,
  type SendMessageResponse,
  type StreamResponse,
} from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { spec } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { changeRequests } from "../mutation/http.ts";
import { answerOf, eachMember, inJson, without } from "../mutation/json.ts";
import {
  changeAnswer,
  changeParams,
  type Events,
  type InterceptedOperation,
  instead,
  intercept,
} from "../mutation/operations.ts";
import { RecentSet } from "../mutation/recent.ts";

/** Changes a page of tasks. */
const pages = (change: (page: ListTasksResponse) => ListTasksResponse) =>
  intercept(["ListTasks"], async ({ proceed }) => ({ answer: change((await proceed()).answer as ListTasksResponse) }));

const lists = ["ListTasks"] as const;

/** Creates a page of tasks in another way. */
const otherPages = (make: (asked: InterceptedOperation<"ListTasks">) => Promise<ListTasksResponse | undefined>) =>
  intercept(lists, async (asked) => {
    const answer = await make(asked);
    return answer ? { answer } : asked.proceed();
  });

/** Ignores a filter with this value over HTTP. */
const overlooked = (name: string, value: string): ((serve: Handler) => Handler) =>
  changeRequests((request) => ({
    query: request.query.replace(`${name}=${value}`, ""),
    body: async () => Buffer.from(String(await request.body()).replace(`"${name}":"${value}"`, "")),
  }));

/** Uses the number of earlier tasks as the token. */
async function byOffset({ request, ask }: InterceptedOperation<"ListTasks">): Promise<ListTasksResponse | undefined> {
  const { pageToken = "", pageSize = 50, ...query } = request;
  if (pageToken && !/^offset-\d+$/.test(pageToken)) return undefined;
  const all = await ask("ListTasks", { ...query, pageSize: 100 });
  const start = Number(pageToken.slice("offset-".length));
  const tasks = all.tasks.slice(start, start + pageSize);
  const end = start + tasks.length;
  return { ...all, tasks, pageSize, nextPageToken: end < all.tasks.length ? `offset-${end}` : "" };
}

/** Lists tasks by their creation time, which it records with each response. */
function byCreation(): Layers {
  const created = new RecentSet();
  const note = (task: { readonly id: string } | undefined): void => {
    if (task) created.add(task.id);
  };
  const noting = async function* (events: Events): AsyncGenerator<StreamResponse> {
    for await (const event of events) {
      note(event.task);
      yield event;
    }
  };
  return {
    operations: intercept(["SendMessage", "SendStreamingMessage", "ListTasks"], async ({ operation, proceed }) => {
      const outcome = await proceed();
      if (outcome.events) return { events: noting(outcome.events) };
      if (operation === "SendMessage") note((outcome.answer as SendMessageResponse).task);
      if (operation !== "ListTasks") return outcome;
      const page = outcome.answer as ListTasksResponse;
      const known = [...created];
      const place = (id: string): number => known.indexOf(id);
      return { answer: { ...page, tasks: page.tasks.toSorted((a, b) => place(b.id) - place(a.id)) } };
    }),
  };
}

export const listMutants = [
  spec("LIST-001.unknown", "ListTasks is an unknown method.", {
    operations: intercept(lists, () => {
      throw new A2AError("MethodNotFound", "There is no ListTasks here");
    }),
  }),

  spec("LIST-002.map", "ListTasks returns tasks as an object keyed by id.", {
    codec: inJson(
      answerOf("ListTasks", (page) => {
        const tasks = page["tasks"] as { id: string }[];
        return { ...page, tasks: Object.fromEntries(tasks.map((task) => [task.id, task])) as JsonValue };
      }),
    ),
  }),

  spec("LIST-003.no-token", "ListTasks omits nextPageToken on the last page.", {
    codec: inJson((json, written) =>
      answerOf("ListTasks", (page): JsonValue => (page["nextPageToken"] ? page : without(page, "nextPageToken")))(
        json,
        written,
      ),
    ),
  }),

  spec("LIST-004.one-more", "The last page of ListTasks has a nextPageToken that leads to an empty page.", {
    operations: otherPages(async ({ request, proceed, ask }) => {
      const { pageSize = 50, pageToken } = request;
      if (pageToken === "one-more") {
        const { pageToken: _token, ...query } = request;
        return { ...(await ask("ListTasks", query)), tasks: [], nextPageToken: "" };
      }
      const page = (await proceed()).answer as ListTasksResponse;
      return page.tasks.length === pageSize && !page.nextPageToken ? { ...page, nextPageToken: "one-more" } : page;
    }),
  }),

  spec("LIST-005.absent", "ListTasks returns a page without pageSize.", {
    codec: inJson(answerOf("ListTasks", (page) => without(page, "pageSize"))),
  }),

  spec("LIST-005.always-fifty", "ListTasks always returns 50 as pageSize.", {
    operations: pages((page) => ({ ...page, pageSize: 50 })),
  }),

  spec("LIST-006.page-count", "ListTasks returns the number of tasks on the page as totalSize.", {
    operations: pages((page) => ({ ...page, totalSize: page.tasks.length })),
  }),

  spec("LIST-006.unfiltered", "ListTasks counts the tasks of all contexts in totalSize.", {
    operations: changeAnswer(["ListTasks"], async (page, { ask }) => {
      const { totalSize } = await ask("ListTasks", {});
      return { ...page, totalSize: page.totalSize && totalSize + 1 };
    }),
  }),

  spec("LIST-007.all", "ListTasks without pageSize returns all of more than 50 tasks.", {
    operations: otherPages(async ({ request, ask }) => {
      if (request.pageSize !== undefined || request.pageToken || request.contextId) return undefined;
      const { totalSize } = await ask("ListTasks", {});
      for (let count = totalSize; count <= 50; count++) {
        const parts = [{ text: "task-lifecycle one of many" }];
        await ask("SendMessage", { message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts } });
      }
      return ask("ListTasks", { ...request, pageSize: 100 });
    }),
  }),

  spec("LIST-008.all-at-once", "ListTasks ignores pageSize and returns all tasks.", {
    operations: otherPages(async ({ request, ask }) => {
      const { pageSize, ...rest } = request;
      if (pageSize === undefined || pageSize < 1 || pageSize > 100) return undefined;
      return { ...(await ask("ListTasks", { ...rest, pageSize: 100 })), pageSize };
    }),
  }),

  spec("LIST-008.refuses-size", "ListTasks rejects requests with a pageSize.", {
    operations: intercept(lists, async ({ request, proceed }) => {
      if (request.pageSize !== undefined) throw new A2AError("InvalidParams", "pageSize is not known here");
      return proceed();
    }),
  }),

  spec("LIST-009.takes-it", "ListTasks accepts a pageSize above 100.", {
    operations: otherPages(async ({ request, ask }) => {
      const { pageSize = 0 } = request;
      return pageSize > 100 ? { ...(await ask("ListTasks", { ...request, pageSize: 100 })), pageSize } : undefined;
    }),
  }),

  spec("LIST-010.stuck", "ListTasks with pageSize 0 returns an empty page with a nextPageToken.", {
    operations: otherPages(async ({ request }) =>
      request.pageSize === 0 ? { tasks: [], nextPageToken: "offset-0", pageSize: 0, totalSize: 1 } : undefined,
    ),
  }),

  spec("LIST-011.gap", "ListTasks skips the first task of every page after the first.", {
    operations: otherPages(async ({ request, proceed }) => {
      const page = (await proceed()).answer as ListTasksResponse;
      return request.pageToken ? { ...page, tasks: page.tasks.slice(1) } : page;
    }),
  }),

  spec("LIST-011.again", "Each page of ListTasks starts with the last task of the previous page.", {
    operations: otherPages(async ({ request, ask }) => {
      const { pageToken = "", pageSize = 50, ...query } = request;
      if (pageToken && !pageToken.startsWith("at-")) return undefined;
      if (pageSize < 1 || pageSize > 100) return undefined;
      const all = await ask("ListTasks", { ...query, pageSize: 100 });
      const start = Number(pageToken.slice("at-".length));
      const tasks = all.tasks.slice(start, start + pageSize);
      const more = start + tasks.length < all.tasks.length;
      // The cursor names the last task shown, and the next page starts with it.
      return { ...all, tasks, pageSize, nextPageToken: more ? `at-${start + Math.max(tasks.length - 1, 0)}` : "" };
    }),
  }),

  spec("LIST-012.offset", "The page token is an offset, so a task that changes between two pages shifts them.", {
    operations: otherPages((asked) =>
      (asked.request.pageSize ?? 50) > 0 && (asked.request.pageSize ?? 50) <= 100
        ? byOffset(asked)
        : Promise.resolve(undefined),
    ),
  }),

  spec("LIST-013.oldest-first", "ListTasks returns the tasks of a page oldest first.", {
    operations: pages((page) => ({ ...page, tasks: page.tasks.toReversed() })),
  }),

  spec("LIST-013.page-wise", "ListTasks starts with the page of the oldest tasks and sorts each page by itself.", {
    operations: intercept(["ListTasks"], async ({ request, proceed, ask }) => {
      const { pageSize = 50, pageToken = "", ...query } = request;
      if (pageSize < 1 || pageSize > 100 || (pageToken && !/^\d+$/.test(pageToken))) return proceed();
      const all = await ask("ListTasks", { ...query, pageSize: 100 });
      const end = all.tasks.length - Number(pageToken);
      const tasks = all.tasks.slice(Math.max(0, end - pageSize), end);
      const shown = Number(pageToken) + tasks.length;
      const nextPageToken = shown < all.tasks.length ? String(shown) : "";
      return { answer: { ...all, tasks, pageSize, nextPageToken } };
    }),
  }),

  spec("LIST-014.by-creation", "ListTasks sorts by creation time instead of the last status change.", byCreation),

  spec("LIST-015.every-context", "ListTasks ignores contextId and returns tasks of all contexts.", {
    operations: changeParams(["ListTasks"], ({ contextId: _contextId, ...request }) => request),
  }),

  spec("LIST-016.every-state", "ListTasks ignores the status filter.", {
    operations: changeParams(lists, ({ status: _status, ...request }) => request),
  }),

  spec("LIST-016.ended-only", "ListTasks finds no tasks in INPUT_REQUIRED.", {
    operations: changeAnswer(["ListTasks"], (page, { request }) => {
      if (request.status !== "TASK_STATE_INPUT_REQUIRED") return page;
      return { ...page, tasks: [], nextPageToken: "", totalSize: 0 };
    }),
  }),

  spec("LIST-016.nothing", "ListTasks with status always returns an empty list.", {
    operations: changeAnswer(["ListTasks"], (page, { request }) =>
      request.status ? { ...page, tasks: [], nextPageToken: "", totalSize: 0 } : page,
    ),
  }),

  spec("LIST-017.or", "ListTasks combines its filters with OR.", {
    operations: otherPages(async ({ request, ask }) => {
      const { contextId, status, ...query } = request;
      if (!contextId || !status) return undefined;
      const [ofContext, inState] = [
        await ask("ListTasks", { ...query, contextId }),
        await ask("ListTasks", { ...query, status }),
      ];
      const tasks = [...new Map([...ofContext.tasks, ...inState.tasks].map((task) => [task.id, task])).values()];
      return { ...ofContext, tasks, totalSize: tasks.length };
    }),
  }),

  spec("LIST-018.any-time", "ListTasks ignores statusTimestampAfter.", {
    operations: changeParams(lists, ({ statusTimestampAfter: _after, ...request }) => request),
  }),

  spec("LIST-018.before", "ListTasks returns tasks older than statusTimestampAfter.", {
    operations: otherPages(async ({ request, ask }) => {
      const { statusTimestampAfter: after, ...query } = request;
      if (after === undefined) return undefined;
      const page = await ask("ListTasks", query satisfies ListTasksRequest);
      const tasks = page.tasks.filter(({ status }) => Date.parse(status.timestamp ?? "") <= Date.parse(after));
      return { ...page, tasks, totalSize: tasks.length };
    }),
  }),

  spec("LIST-018.strictly-after", "ListTasks omits tasks with exactly the time of statusTimestampAfter.", {
    operations: changeAnswer(["ListTasks"], (page, { request }) => {
      const after = Date.parse(request.statusTimestampAfter ?? "");
      const tasks = page.tasks.filter(({ status }) => Date.parse(status.timestamp ?? "") !== after);
      return { ...page, tasks, totalSize: page.totalSize - page.tasks.length + tasks.length };
    }),
  }),

  spec("LIST-019.artifacts-unasked", "ListTasks returns artifacts although includeArtifacts is not set.", {
    operations: changeParams(["ListTasks"], (request) => ({ ...request, includeArtifacts: true })),
  }),

  spec("LIST-019.empty-lists", "ListTasks returns an empty list of artifacts when includeArtifacts is false.", {
    codec: answerOf("ListTasks", (page) => ({
      ...page,
      tasks: (page["tasks"] as JsonObject[]).map((task) => ({ artifacts: [], ...task })),
    })),
  }),

  spec("LIST-020.never", "ListTasks with includeArtifacts returns tasks without their artifacts.", {
    operations: changeParams(lists, ({ includeArtifacts: _include, ...request }) => request),
  }),

  spec("LIST-020.hollow", "ListTasks returns artifacts without their parts.", {
    codec: answerOf("ListTasks", (page) => eachMember(page, "text", () => "")),
  }),

  spec("LIST-021.breaks-down", "ListTasks with an unknown pageToken returns an internal error.", {
    operations: instead(lists, "InvalidParams", (error, { request }) => {
      throw request.pageToken ? new A2AError("Internal", "Cannot decode the token") : error;
    }),
  }),

  spec("LIST-022.overlooks", "ListTasks ignores an unknown status and returns all tasks.", {
    http: overlooked("status", "TASK_STATE_RUNNING"),
  }),

  spec("LIST-023.overlooks", "ListTasks ignores an invalid statusTimestampAfter and returns all tasks.", {
    http: overlooked("statusTimestampAfter", "yesterday"),
  }),

  spec("LIST-024.not-found", "ListTasks returns an error for a context without tasks.", {
    operations: otherPages(async ({ request, proceed }) => {
      const page = (await proceed()).answer as ListTasksResponse;
      if (request.contextId && page.tasks.length === 0) throw new A2AError("TaskNotFound", "No task matches");
      return page;
    }),
  }),

  spec("LIST-024.no-such-time", "ListTasks returns an error when no task matches statusTimestampAfter.", {
    operations: changeAnswer(["ListTasks"], (answer, { request }) => {
      const { tasks } = answer;
      if (request.statusTimestampAfter && tasks.length === 0) throw new A2AError("TaskNotFound", "No task matches");
      return answer;
    }),
  }),

  spec("LIST-024.no-such-state", "ListTasks returns an error when no task matches the status.", {
    operations: changeAnswer(["ListTasks"], (answer, { request }) => {
      const { tasks } = answer;
      if (request.status && tasks.length === 0) throw new A2AError("TaskNotFound", "No task matches");
      return answer;
    }),
  }),
];
