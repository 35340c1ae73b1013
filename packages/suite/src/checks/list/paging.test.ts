import { expect, test } from "vitest";
import { looseTask } from "../../answers/reading.ts";
import type { ListPages } from "../../observations/list-pages.ts";
import { newestFirst } from "./paging.ts";

const second = (n: number): string => `2026-11-17T10:00:0${n}Z`;

/** A list by pages of one task, each with its context and the second of its status. */
function listPages(...tasks: readonly [contextId: string, at: number][]): ListPages {
  const pages = tasks.map(([contextId, at], index) => ({
    tasks: [looseTask({ id: `t${index}`, contextId, status: { timestamp: second(at) } })!],
    call: {},
  }));
  return { contextId: "ours", byTwo: { pages }, byOne: { pages } } as unknown as ListPages;
}

test.each([
  ["the newest first", listPages(["ours", 3], ["ours", 2], ["ours", 1]), "holds"],
  ["the oldest first", listPages(["ours", 1], ["ours", 2]), "broken"],
  ["a task of another context that moved meanwhile", listPages(["ours", 3], ["other", 4], ["ours", 2]), "holds"],
  ["tasks of other contexts, and ours in the wrong order", listPages(["ours", 1], ["other", 4], ["ours", 2]), "broken"],
])("LIST-013 on %s", async (_what, seen, is) => {
  expect(await newestFirst.judge({ listPages: seen } as never, {} as never)).toMatchObject({
    is: is === "holds" ? "holds" : "breach",
  });
});
