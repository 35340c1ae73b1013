import { asObject, brief, repeatedIn } from "../../answers/loose-json.ts";
import { describeReply, type LooseTask } from "../../answers/reading.ts";
import { skippedFor, troubleOf } from "../../answers/trouble.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notExamined } from "../../define/finding.ts";
import { listPages, olderTaskMovesOn, type Page, pageIn } from "../../observations/list-pages.ts";
import { stillThere, untilSeen } from "../../observations/until-seen.ts";
import { timeOf as statusTime } from "../lifecycle/times.ts";

const tasksOn = (pages: readonly Page[]): LooseTask[] => pages.flatMap((page) => page.tasks);
const talksOf = (pages: readonly Page[]) => pages.map(({ call }) => call);

export const lastPageSaysSo = activeCheck("LIST-004", {
  uses: { listPages },
  judge({
    listPages: {
      tasks,
      byOne: { pages },
    },
  }) {
    // LIST-015 judges a list that mixes contexts.
    if (tasksOn(pages).some(({ id }) => !tasks.some((task) => task.id === id)))
      return notExamined("not-triggered", "the list of a context contains tasks of others");
    const seen = new Set<string>();
    for (const page of pages) {
      for (const { id } of page.tasks) seen.add(id);
      const isLast = tasks.every(({ id }) => seen.has(id));
      if (isLast && page.token) {
        return broken("nextPageToken is not empty on the page with the last task", {
          saw: brief(page.json["nextPageToken"]),
          spot: { within: page.json, tail: ".nextPageToken" },
          want: 'nextPageToken: ""',
          at: page.call,
        });
      }
      if (isLast) return holds();
    }
    // LIST-011 judges whether paging reaches every task.
    return notExamined("not-triggered", "paging through the list did not reach all tasks");
  },
});

export const countsAll = activeCheck("LIST-006", {
  uses: { listPages },
  async judge({ listPages: { byOne, contextId, tasks } }, target) {
    const want = `totalSize: ${tasks.length}`;
    // Tasks may appear late and be purged at any time, so only those count that are there before and after the list.
    const countAgain = async (page: Page): Promise<{ page: Page; there: number }> => {
      const before = await stillThere(target, tasks);
      const again = pageIn(await target.call("ListTasks", { contextId, pageSize: 1 })) ?? page;
      return { page: again, there: (await stillThere(target, before)).length };
    };
    const isShort = ({ json: { totalSize } }: Page, there: number): boolean =>
      typeof totalSize === "number" && totalSize < there;
    for (const first of byOne.pages) {
      // A smaller count may come from a replica that lags.
      const { page, there } = isShort(first, tasks.length)
        ? await untilSeen(
            target,
            "list",
            () => countAgain(first),
            (again) => !isShort(again.page, again.there),
          )
        : { page: first, there: tasks.length };
      const { json, call } = page;
      const { totalSize } = json;
      const details = { saw: brief(totalSize), spot: { within: json, tail: ".totalSize" }, want, at: call };
      if (typeof totalSize !== "number" || !Number.isInteger(totalSize)) {
        return broken("totalSize is missing or not an integer", { ...details, saw: brief(totalSize ?? json) });
      }
      if (isShort(page, there)) return broken("totalSize is smaller than the number of matching tasks", details);
      if (totalSize > tasks.length)
        return breach("total-size-too-large", "totalSize is larger than the number of matching tasks", details);
    }
    return byOne.pages.length ? holds() : notExamined("not-triggered", "the agent returned no page");
  },
});

export const everyTaskOnce = activeCheck("LIST-011", {
  uses: { listPages },
  judge({ listPages: seen }) {
    for (const { pages, cutOff, refused, omitted } of [seen.byTwo, seen.byOne]) {
      const ids = tasksOn(pages).map(({ id }) => id);
      const twice = repeatedIn(ids);
      if (twice !== undefined) {
        return broken("ListTasks returns a task on two pages", {
          saw: `${twice} on more than one page`,
          want: "each task once",
          at: talksOf(pages),
        });
      }
      const listed = new Set(ids);
      if (cutOff && seen.tasks.some(({ id }) => !listed.has(id)))
        return notExamined("not-triggered", `the list has more pages than the ${pages.length} that Assay read`);
      if (omitted.length > 0 && refused) return refusedPage(pages, refused);
      if (omitted.length > 0) {
        return broken("ListTasks omits a task when paging", {
          saw: `${ids.length} of ${seen.tasks.length} tasks, without ${omitted[0]?.id}`,
          want: "each task once",
          at: talksOf(pages),
        });
      }
    }
    return holds();
  },
});

/** A response may be lost or come from a server in trouble, which says nothing about paging. */
function refusedPage(pages: readonly Page[], refused: Call): Finding {
  if (troubleOf(refused))
    throw skippedFor(refused, `the agent rejected the request for a page: ${describeReply(refused)}`);
  return broken(pages.length > 0 ? "ListTasks rejects its own page token" : "ListTasks rejects a page size", {
    saw: describeReply(refused),
    want: "the next page",
    at: [...talksOf(pages), refused],
  });
}

export const newTasksDoNotShift = activeCheck("LIST-012", {
  uses: { listPages },
  async judge({ listPages: { interrupted, tasks, byOne } }, target): Promise<Finding> {
    const { before, after } = interrupted;
    if (!after || before.tasks.length === 0) return notExamined("not-triggered", "the first page has no next page");
    const details = { at: [before.call, after.call], want: "the tasks that followed when paging began" };
    const repeated = after.tasks.find(({ id }) => before.tasks.some((task) => task.id === id));
    // Tasks with the same time have no fixed order, so a new one may come after an older one.
    const times = tasks.map(timeOf).filter((time) => !Number.isNaN(time));
    const tied = notExamined("not-triggered", "several tasks have the same timestamp, so their order is undefined");
    const isTied = new Set(times).size < times.length;
    if (repeated && isTied) return tied;
    if (repeated) {
      const saw = `${repeated.id} on both pages`;
      return broken("a task is repeated on the next page after a new task is created", { ...details, saw });
    }
    // In any order of the older tasks, the next page begins with the task after the last one of the first page.
    const order = tasksOn(byOne.pages).filter(({ id }) => id !== tasks.at(-1)?.id);
    const shown = order.findIndex(({ id }) => id === before.tasks.at(-1)?.id);
    const due = shown >= 0 ? await stillThere(target, order.slice(shown + 1, shown + 2)) : [];
    const missed = due.find(({ id }) => !after.tasks.some((task) => task.id === id));
    if (missed && isTied) return tied;
    if (missed && after.tasks.length > 0) {
      const saw = `${after.tasks[0]?.id} instead of ${missed.id}`;
      return broken("a task is missing on the next page after a new task is created", { ...details, saw });
    }
    return holds();
  },
});

const timeOf = (task: LooseTask): number => Date.parse(statusTime(task) ?? "");

export const newestFirst = activeCheck("LIST-013", {
  uses: { listPages },
  judge({ listPages: { contextId, byTwo, byOne } }) {
    const [sample] = tasksOn(byTwo.pages);
    if (!sample) return notExamined("not-triggered", "the list is empty");
    if (Number.isNaN(timeOf(sample))) {
      const message = "the tasks of a list have no status.timestamp, so their order cannot be checked";
      return breach("untimed-tasks", message, {
        saw: brief(sample.json["status"]),
        want: "status.timestamp",
        at: talksOf(byTwo.pages),
      });
    }
    for (const { pages } of [byTwo, byOne]) {
      // LIST-011 judges a repeated task, which says nothing about the order of the others.
      const seen = new Set<unknown>();
      // Tasks of other contexts, which LIST-015 judges, may be working and move between two pages.
      const isOurs = (task: LooseTask): boolean => task.contextId === undefined || task.contextId === contextId;
      const timed = tasksOn(pages).filter(
        (task) => isOurs(task) && !Number.isNaN(timeOf(task)) && !seen.has(task.id) && seen.add(task.id),
      );
      const wrong = timed.findIndex((task, index) => index > 0 && timeOf(task) > timeOf(timed[index - 1]!));
      if (wrong > 0) {
        const [earlier, later] = [timed[wrong - 1]!, timed[wrong]!].map(
          ({ json }) => asObject(json["status"])?.["timestamp"],
        );
        return broken("ListTasks does not list the newest task first", {
          saw: `${brief(later)} after ${brief(earlier)}`,
          want: "status.timestamp in descending order",
          at: talksOf(pages),
        });
      }
    }
    return holds();
  },
});

export const movesToTheFront = activeCheck("LIST-014", {
  uses: { olderTaskMovesOn },
  judge({ olderTaskMovesOn: { asked, answered, page } }) {
    const [first] = page.tasks;
    if (timeOf(answered) === timeOf(asked) || !first || !page.tasks.some(({ id }) => id === asked.id))
      return notExamined("not-triggered", "the task did not change, or the agent does not list it");
    if (first.id === asked.id) return holds();
    // Ties have no order (AMB-30), and without timestamps the order is unknown.
    if (!(timeOf(answered) > timeOf(first)))
      return notExamined("not-triggered", "the timestamps do not show which task changed last");
    return broken("the task whose status changed last is not first in the list", {
      saw: `${first.id} with the status of ${brief(asObject(first.json["status"])?.["timestamp"])}`,
      want: `${asked.id} with the status of ${brief(asObject(answered.json["status"])?.["timestamp"])}`,
      at: page.call,
    });
  },
});
