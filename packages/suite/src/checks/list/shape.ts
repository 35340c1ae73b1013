import type { JsonObject } from "@assay/protocol";
import { isNamed } from "../../answers/error-names.ts";
import { asObject, brief, shown } from "../../answers/loose-json.ts";
import { describeReply, looseTask, resultOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, passiveCheck } from "../../define/check.ts";
import { breach, broken, crashed, type Details, type Finding, holds } from "../../define/finding.ts";
import { firstListTasks, isUnknownOperation, listPages, pageIn, taskList } from "../../observations/list-pages.ts";
import { sentMessage } from "../../observations/sent-message.ts";

export const listsTasks = activeCheck("LIST-001", {
  uses: { firstListTasks, sentMessage },
  judge({ firstListTasks: call, sentMessage: { task } }) {
    if (asObject(resultOf(call))) return holds();
    const saw = describeReply(call);
    const details = { saw, want: "a result with tasks, which may be empty", at: call };
    if (!isUnknownOperation(call)) {
      return call.reply.is === "failure"
        ? crashed("ListTasks gets no response", details)
        : broken("ListTasks does not return a list", details);
    }
    if (task) return breach("operation-not-served", "the agent creates tasks but does not serve ListTasks", details);
    if (isNamed(call, "UnsupportedOperation"))
      return breach("task-operation-unsupported", "the agent creates no tasks and does not support ListTasks", details);
    return breach("task-operation-unknown", "the agent creates no tasks and does not know ListTasks", details);
  },
});

/** Applies a rule about one member to each page of ListTasks, as written in JSON. */
const onEachPage =
  (member: string, judge: (page: JsonObject, details: Details & { readonly at: Call }, call: Call) => Finding) =>
  (call: Call): Finding | undefined => {
    const page = call.operation === "ListTasks" ? asObject(resultOf(call)) : undefined;
    return page && judge(page, { at: call, saw: brief(page), spot: { within: page, tail: `.${member}` } }, call);
  };

const isUnset = (value: unknown): boolean => value === undefined || value === null;

export const shapeOfPages = [
  passiveCheck("LIST-002", {
    shownBy: [taskList, listPages],
    judge: onEachPage("tasks", ({ tasks, totalSize }, details) => {
      const want = "tasks: an array of Task objects";
      if (isUnset(tasks)) {
        return typeof totalSize === "number" && totalSize > 0
          ? broken("a page has no tasks although totalSize is above 0", { ...details, want })
          : breach("empty-member-omitted", "an empty page has no tasks member", { ...details, want });
      }
      if (!Array.isArray(tasks)) return broken("tasks is not an array", { ...details, want });
      const strange = tasks.find((task) => !looseTask(task));
      if (strange !== undefined)
        return broken("an entry of tasks is not a Task", { ...details, ...shown(strange), want });
      return holds();
    }),
  }),

  passiveCheck("LIST-003", {
    shownBy: [taskList],
    judge: onEachPage("nextPageToken", ({ nextPageToken }, details) => {
      const want = 'nextPageToken: "" where there are no more pages';
      if (isUnset(nextPageToken)) {
        return breach("empty-member-omitted", "nextPageToken is missing on the last page", { ...details, want });
      }
      if (typeof nextPageToken === "string") return holds();
      return broken("nextPageToken is not a string", { ...details, ...shown(nextPageToken), want });
    }),
  }),

  passiveCheck("LIST-005", {
    shownBy: [taskList, listPages],
    judge: onEachPage("pageSize", ({ pageSize, tasks }, details, { params }) => {
      const want = "pageSize: the size in effect, an integer from 1 to 100";
      if (isUnset(pageSize)) {
        return Array.isArray(tasks) && tasks.length > 0
          ? broken("a page has no pageSize", { ...details, want })
          : breach("empty-member-omitted", "an empty page has no pageSize", { ...details, want });
      }
      if (typeof pageSize !== "number" || !Number.isInteger(pageSize))
        return broken("pageSize is not an integer", { ...details, ...shown(pageSize), want });
      if (pageSize < 1 || pageSize > 100)
        return breach("page-size-range", "pageSize is not between 1 and 100", {
          ...details,
          ...shown(pageSize),
          want,
        });
      // A smaller size than requested is a cap, which a2a.proto allows.
      const asked = params?.["pageSize"];
      if (typeof asked === "number" && asked >= 1 && asked < pageSize) {
        const saw = `pageSize ${pageSize}, requested ${asked}`;
        return breach("page-size-echo", "pageSize is larger than requested", { ...details, saw, want });
      }
      const count = Array.isArray(tasks) ? tasks.length : 0;
      if (count > pageSize) {
        const saw = `pageSize ${pageSize}, ${count} tasks`;
        return breach("page-size-echo", "pageSize is smaller than the number of tasks on the page", {
          ...details,
          saw,
          want,
        });
      }
      return holds();
    }),
  }),

  passiveCheck("LIST-007", {
    shownBy: [taskList],
    judge(call) {
      const page = call.operation === "ListTasks" && call.params?.["pageSize"] === undefined ? pageIn(call) : undefined;
      if (!page) return undefined;
      if (page.tasks.length > 50) {
        return broken("a page has more than 50 tasks although the request has no pageSize", {
          saw: `${page.tasks.length} tasks`,
          want: "at most 50",
        });
      }
      // A shorter page shows nothing about a limit.
      return page.token ? holds() : undefined;
    },
  }),

  passiveCheck("LIST-008", {
    shownBy: [listPages],
    judge(call) {
      const size = call.params?.["pageSize"];
      const page = call.operation === "ListTasks" ? pageIn(call) : undefined;
      if (!page || typeof size !== "number" || size < 1 || size > 100) return undefined;
      if (page.tasks.length > size) {
        return broken("a page has more tasks than its pageSize", {
          saw: `${page.tasks.length} tasks`,
          want: `at most ${size}`,
        });
      }
      // The limit applies only if the agent left tasks out.
      return page.token ? holds() : undefined;
    },
  }),
];
