import { describe, expect, test } from "vitest";
import { elsewhere, engineHarness, here, refusal, user } from "./engine.fixture.ts";

/** Three tasks, a second apart, of which the second is in the context `b`. */
async function threeTasks() {
  const shop = engineHarness();
  const ids: string[] = [];
  for (const [text, contextId] of [
    ["task-lifecycle", "a"],
    ["multi-turn", "b"],
    ["task-failure", "a"],
  ] as const) {
    ids.push((await shop.engine.send({ message: user(text, { contextId }) }, here)).task!.id);
    await shop.clock.pass(1_000);
  }
  return { ...shop, ids };
}

const at = (second: number) => `2026-11-15T12:00:0${second}.000Z`;

describe("a list", () => {
  test("shows whole tasks, newest first, without their artifacts", async () => {
    const { engine, ids } = await threeTasks();
    const tasks = await Promise.all(ids.map((id) => engine.get({ id }, here)));
    expect(await engine.list({}, here)).toEqual({
      tasks: tasks.toReversed().map(({ artifacts: _artifacts, ...task }) => task),
      nextPageToken: "",
      pageSize: 50,
      totalSize: 3,
    });
  });

  test("shows artifacts where asked to", async () => {
    const { engine, ids } = await threeTasks();
    const { tasks } = await engine.list({ includeArtifacts: true }, here);
    expect(tasks).toEqual(await Promise.all(ids.toReversed().map((id) => engine.get({ id }, here))));
  });

  test("of nothing is empty, and says so in every member", async () => {
    const { engine } = engineHarness();
    expect(await engine.list({ pageSize: 7 }, here)).toEqual({
      tasks: [],
      nextPageToken: "",
      pageSize: 7,
      totalSize: 0,
    });
  });

  test.each([
    [{ contextId: "a" }, [2, 0]],
    [{ contextId: "unheard of" }, []],
    [{ contextId: "" }, [2, 1, 0]],
    [{ status: "TASK_STATE_FAILED" }, [2]],
    [{ status: "TASK_STATE_WORKING" }, []],
    [{ status: "TASK_STATE_UNSPECIFIED" }, [2, 1, 0]],
    [{ statusTimestampAfter: at(1) }, [2, 1]],
    [{ statusTimestampAfter: "2026-11-15T13:00:01+01:00" }, [2, 1]],
    [{ statusTimestampAfter: at(3) }, []],
    [{ contextId: "a", status: "TASK_STATE_COMPLETED" }, [0]],
    [{ contextId: "a", statusTimestampAfter: at(1) }, [2]],
    [{ contextId: "b", status: "TASK_STATE_FAILED", statusTimestampAfter: at(0) }, []],
  ] as const)("with the filter %j keeps the tasks %j", async (filter, expected) => {
    const { engine, ids } = await threeTasks();
    const { tasks, totalSize } = await engine.list(filter, here);
    expect([tasks.map(({ id }) => ids.indexOf(id)), totalSize]).toEqual([expected, expected.length]);
  });

  test.each([0, -1, 101, 2_147_483_647])("with a page size of %s is refused", async (pageSize) => {
    const { engine } = engineHarness();
    expect(await refusal(engine.list({ pageSize }, here))).toEqual({
      kind: "InvalidParams",
      message: `pageSize must be from 1 to 100, got ${pageSize}`,
      path: "$.pageSize",
    });
  });

  test("page by page shows every task once, while others come and go", async () => {
    const { engine, ids, follow, begin } = await threeTasks();
    const seen: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await engine.list({ pageSize: 1, ...(pageToken ? { pageToken } : {}) }, here);
      seen.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken;
      if (seen.length === 1) await follow({ id: ids[1]! } as never, "done");
      await begin("task-lifecycle");
    } while (pageToken);
    expect(seen).toEqual(ids.toReversed());
  });
});

describe("a page token", () => {
  const notIssued = {
    kind: "InvalidParams",
    message: "This agent did not issue the pageToken for this query",
    path: "$.pageToken",
  };

  async function aToken(request = {}) {
    const shop = await threeTasks();
    const { nextPageToken } = await shop.engine.list({ pageSize: 1, ...request }, here);
    return { ...shop, nextPageToken };
  }

  test("goes with another page size, history length or wish for artifacts", async () => {
    const { engine, ids, nextPageToken } = await aToken();
    const request = { pageToken: nextPageToken, pageSize: 10, historyLength: 0, includeArtifacts: true };
    expect((await engine.list(request, here)).tasks.map(({ id }) => ids.indexOf(id))).toEqual([1, 0]);
  });

  test.each([
    ["made up", () => "next"],
    ["cut short", (token: string) => token.slice(0, -1)],
    ["cut before its seal", (token: string) => token.split(".")[0]!],
    ["without what it seals", (token: string) => `.${token.split(".")[1]}`],
    ["lengthened", (token: string) => `${token}.x`],
    ["lengthened by what Base64 ignores", (token: string) => `${token}!`],
    ["changed in one place", (token: string) => (token.startsWith("W") ? `X${token.slice(1)}` : `W${token.slice(1)}`)],
    [
      "of a place we never issued",
      (token: string) => `${Buffer.from('[0,0,"x"]').toString("base64url")}.${token.split(".")[1]}`,
    ],
    ["very long", () => "x".repeat(100_000)],
  ])("that is %s is refused", async (_name, forge) => {
    const { engine, nextPageToken } = await aToken();
    expect(await refusal(engine.list({ pageToken: forge(nextPageToken) }, here))).toEqual(notIssued);
    expect((await engine.list({ pageToken: nextPageToken }, here)).tasks).toHaveLength(2);
  });

  test.each([{ contextId: "b" }, { status: "TASK_STATE_FAILED" }, { statusTimestampAfter: at(0) }] as const)(
    "of another query is refused: %j",
    async (filter) => {
      const { engine, nextPageToken } = await aToken();
      expect(await refusal(engine.list({ pageToken: nextPageToken, ...filter }, here))).toEqual(notIssued);
    },
  );

  test("of another scope is refused", async () => {
    const { engine, nextPageToken } = await aToken();
    expect(await refusal(engine.list({ pageToken: nextPageToken }, elsewhere))).toEqual(notIssued);
  });

  test("of another agent is refused", async () => {
    const { nextPageToken } = await aToken();
    const { engine } = await threeTasks();
    expect(await refusal(engine.list({ pageToken: nextPageToken }, here))).toEqual(notIssued);
  });

  test("from before too many changes has expired, and says how to go on", async () => {
    const { engine, nextPageToken, begin, follow } = await aToken();
    const tasks = await Promise.all(Array.from({ length: 200 }, () => begin("multi-turn")));
    // Tasks that overtake each other leave places behind, one that is in front already does not.
    for (let round = 0; round < 30; round++) await Promise.all(tasks.map((task) => follow(task, "more")));
    expect(await refusal(engine.list({ pageToken: nextPageToken }, here))).toEqual({
      kind: "InvalidParams",
      message: "pageToken has expired: too much has changed since the first page",
      path: "$.pageToken",
    });
  });
});
