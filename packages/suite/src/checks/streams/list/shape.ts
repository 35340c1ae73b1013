import type { JsonObject } from "@assay/protocol";
import { probe, trafficCheck } from "../../../check.ts";
import { broken, crashed, type Finding, holds, odd, tolerated } from "../../../finding.ts";
import { settled } from "../../../observations/settled.ts";
import { firstListing, isUnknownOperation, listed, pageIn, shelf } from "../../../observations/shelf.ts";
import { asObject, brief, describeReply, looseTask, resultOf } from "../../../reading.ts";
import type { Talk } from "../../../talk.ts";

export const listsTasks = probe({
  id: "LIST-001",
  title: "ListTasks is there",
  remedy: "Serve ListTasks: every implementation supports it, with an empty list where there are no tasks.",
  uses: { firstListing, settled },
  probe({ firstListing: talk, settled: { task } }) {
    if (asObject(resultOf(talk))) return holds();
    const saw = describeReply(talk);
    const details = { saw, want: "a result with tasks, which may be empty", at: talk };
    if (!isUnknownOperation(talk)) {
      return talk.reply.is === "failure"
        ? crashed("ListTasks got no answer", details)
        : broken("ListTasks is not answered with a list", details);
    }
    if (task) return broken("the agent makes tasks and does not list them", details);
    return tolerated("AMB-49", "an agent that makes no tasks does not know ListTasks", details);
  },
});

/** A rule about each page that a ListTasks was answered with, as it stands in JSON. */
const onEachPage =
  (judge: (page: JsonObject, details: { at: Talk; saw: string }, talk: Talk) => Finding) =>
  (talk: Talk): Finding | undefined => {
    const page = talk.operation === "ListTasks" ? asObject(resultOf(talk)) : undefined;
    return page && judge(page, { at: talk, saw: brief(page) }, talk);
  };

const isUnset = (value: unknown): boolean => value === undefined || value === null;

export const shapeOfPages = [
  trafficCheck({
    id: "LIST-002",
    title: "a page has an array of tasks",
    remedy: "Always write tasks as an array of Task objects, [] where there are none.",
    occasions: [listed, shelf],
    judge: onEachPage(({ tasks, totalSize }, details) => {
      const want = "tasks: an array of Task objects";
      if (isUnset(tasks)) {
        return typeof totalSize === "number" && totalSize > 0
          ? broken("a page has no tasks although totalSize counts some", { ...details, want })
          : tolerated("AMB-08", "an empty page has no tasks member", { ...details, want });
      }
      if (!Array.isArray(tasks)) return broken("tasks is no array", { ...details, want });
      const strange = tasks.find((task) => !looseTask(task));
      if (strange !== undefined)
        return broken("an entry of tasks is no Task", { ...details, saw: brief(strange), want });
      return holds();
    }),
  }),

  trafficCheck({
    id: "LIST-003",
    title: "a page has a nextPageToken, empty or not",
    remedy: 'Always write nextPageToken, "" on the last page; tell the JSON printer to keep empty strings there.',
    occasions: [listed],
    judge: onEachPage(({ nextPageToken }, details) => {
      const want = 'nextPageToken: "" where there are no more pages';
      if (isUnset(nextPageToken)) {
        return tolerated("AMB-08", "nextPageToken is missing on the last page", { ...details, want });
      }
      if (typeof nextPageToken === "string") return holds();
      return broken("nextPageToken is no string", { ...details, saw: brief(nextPageToken), want });
    }),
  }),

  trafficCheck({
    id: "LIST-005",
    title: "a page states the page size in effect",
    remedy: "Write pageSize as a number: what was asked for, or your default, not the number of tasks on the page.",
    occasions: [listed, shelf],
    judge: onEachPage(({ pageSize, tasks }, details, { params }) => {
      const want = "pageSize: the size in effect, an integer from 1 to 100";
      if (isUnset(pageSize)) {
        return Array.isArray(tasks) && tasks.length > 0
          ? broken("a page does not state its pageSize", { ...details, want })
          : tolerated("AMB-08", "an empty page does not state its pageSize", { ...details, want });
      }
      if (typeof pageSize !== "number" || !Number.isInteger(pageSize))
        return broken("pageSize is no integer", { ...details, saw: brief(pageSize), want });
      if (pageSize < 1 || pageSize > 100)
        return odd("pageSize is not between 1 and 100", { ...details, saw: brief(pageSize), want });
      const asked = params?.["pageSize"];
      if (typeof asked === "number" && asked >= 1 && asked <= 100 && asked !== pageSize) {
        const saw = `${pageSize} where ${asked} was asked for`;
        return odd("pageSize is not the size that was asked for", { ...details, saw, want });
      }
      return holds();
    }),
  }),

  trafficCheck({
    id: "LIST-007",
    title: "a page has at most 50 tasks where no size was asked for",
    remedy: "Take 50, or fewer, for the pageSize where none is given.",
    occasions: [listed],
    judge(talk) {
      const page = talk.operation === "ListTasks" && talk.params?.["pageSize"] === undefined ? pageIn(talk) : undefined;
      if (!page) return undefined;
      if (page.tasks.length > 50) {
        return broken("a page has more than 50 tasks though no pageSize was given", {
          saw: `${page.tasks.length} tasks`,
          want: "at most 50",
          at: talk,
        });
      }
      // Fewer tasks than that show nothing about a limit.
      return page.token ? holds() : undefined;
    },
  }),

  trafficCheck({
    id: "LIST-008",
    title: "a page has no more tasks than were asked for",
    remedy: "Return at most pageSize tasks, and a nextPageToken for the rest.",
    occasions: [shelf],
    judge(talk) {
      const size = talk.params?.["pageSize"];
      const page = talk.operation === "ListTasks" ? pageIn(talk) : undefined;
      if (!page || typeof size !== "number" || size < 1 || size > 100) return undefined;
      if (page.tasks.length > size) {
        return broken("a page has more tasks than its pageSize", {
          saw: `${page.tasks.length} tasks`,
          want: `at most ${size}`,
          at: talk,
        });
      }
      // Only where something was left out the limit was kept.
      return page.token ? holds() : undefined;
    },
  }),
];
