import { expect, test } from "vitest";
import { looseTask } from "../../answers/reading.ts";
import { Obstacle } from "../../define/obstacle.ts";
import type { ListPages } from "../../observations/list-pages.ts";
import { everyTaskOnce, newestFirst } from "./paging.ts";

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

const [older, newer] = ["older", "newer"].map((id) => looseTask({ id })!);

/** Judges a list of two tasks whose second page is `refused`. */
const judgeWithout = (refused: unknown) => {
  const walk = { pages: [{ tasks: [newer], call: {} }], cutOff: false, refused, omitted: [older] };
  return everyTaskOnce.judge({ listPages: { tasks: [older, newer], byTwo: walk, byOne: walk } } as never, {} as never);
};

test("LIST-011 does not judge a page that was lost on the way", () => {
  const lost = {
    on: { binding: "JSONRPC" },
    reply: { is: "failure", failure: { code: "timeout-idle", message: "no response" } },
    exchange: { http: {}, timing: { end: 1 } },
  };
  expect(() => judgeWithout(lost)).toThrow(Obstacle);
});

test("LIST-011 names the page token that the agent rejects", () => {
  const error = {
    on: { binding: "JSONRPC" },
    reply: { is: "error", error: { code: -32602, message: "bad token" } },
    exchange: { http: { response: { status: 200 } }, timing: { end: 1 } },
  };
  expect(judgeWithout(error)).toMatchObject({ is: "breach", message: "ListTasks rejects its own page token" });
});
