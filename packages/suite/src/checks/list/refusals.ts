import type { JsonObject } from "@assay/protocol";
import { expectInvalid, matches } from "../../answers/expect-error.ts";
import { brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, errorOf } from "../../answers/reading.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds } from "../../define/finding.ts";
import { firstFilledPage, type Page, pageIn, taskList } from "../../observations/list-pages.ts";

/** The specification does not say whether to refuse or correct the value (AMB-31). */
const putRight = (what: string, { json, call }: Page): Finding => {
  const saw = `pageSize: ${brief(json["pageSize"])}`;
  return breach("out-of-range-accepted", `${what} returns no error: ${saw}`, {
    saw,
    want: "a validation error",
    at: call,
  });
};

export const atMostHundred = activeCheck("LIST-009", {
  uses: { taskList },
  async judge(_seen, target) {
    const what = "ListTasks with pageSize 150";
    const call = await target.call("ListTasks", { pageSize: 150 });
    const page = pageIn(call);
    if (!page) return expectInvalid(call, what);
    const { pageSize } = page.json;
    if (page.tasks.length > 100)
      return crashed(`${what} returns more than 100 tasks`, { saw: `${page.tasks.length} tasks`, at: call });
    if (typeof pageSize === "number" && pageSize > 100) {
      return broken(`${what} returns a page of that size`, {
        saw: `pageSize: ${pageSize}`,
        want: "a validation error, or pageSize: 100",
        at: call,
      });
    }
    return putRight(what, page);
  },
});

export const atLeastOne = activeCheck("LIST-010", {
  uses: { taskList },
  async judge(_seen, target) {
    let taken: Finding | undefined;
    for (const pageSize of [0, -1]) {
      const what = `ListTasks with pageSize ${pageSize}`;
      const call = await target.call("ListTasks", { pageSize });
      const page = pageIn(call);
      if (!page) {
        const refused = expectInvalid(call, what);
        if (refused.is !== "holds") return refused;
        continue;
      }
      if (page.tasks.length === 0 && page.token) {
        const next = pageIn(await target.call("ListTasks", { pageSize, pageToken: page.token }));
        if (next?.token && next.tasks.length === 0) {
          return crashed(`${what} returns empty pages without end`, {
            saw: `an empty page with nextPageToken ${brief(next.token)}`,
            want: "a validation error, or a page of the default size",
            at: [call, next.call],
          });
        }
      }
      taken = putRight(what, page);
    }
    return taken ?? holds();
  },
});

export const foreignToken = activeCheck("LIST-021", {
  uses: { taskList },
  async judge(_seen, target) {
    const what = "ListTasks with a pageToken that was never issued";
    const call = await target.call("ListTasks", { pageToken: "not-a-token" });
    if (errorOf(call) || !pageIn(call)) return expectInvalid(call, what);
    return breach(
      "strange-token-overlooked",
      `${what} returns a page as if there were no token`,
      answerOf(call, "a validation error"),
    );
  },
});

export const unknownStatus = activeCheck("LIST-022", {
  uses: { taskList },
  judge: async (_seen, target) =>
    expectInvalid(await target.call("ListTasks", { status: "TASK_STATE_RUNNING" }), "ListTasks with an unknown status"),
});

export const noTimestamp = activeCheck("LIST-023", {
  uses: { taskList },
  judge: async (_seen, target) =>
    expectInvalid(
      await target.call("ListTasks", { statusTimestampAfter: "yesterday" }),
      "ListTasks with a statusTimestampAfter that is not a time",
    ),
});

const unmatched: readonly (readonly [what: string, filter: JsonObject])[] = [
  ["a status", { status: "TASK_STATE_REJECTED" }],
  ["a statusTimestampAfter", { statusTimestampAfter: "2999-12-31T23:59:59.000Z" }],
];

export const nothingFound = activeCheck("LIST-024", {
  uses: { taskList },
  async judge(_seen, target) {
    const what = "ListTasks for an unknown context";
    const { page, call } = await firstFilledPage(target, { contextId: target.unknownId() });
    const details = answerOf(call, 'tasks: [], nextPageToken: "", totalSize: 0');
    if (!page) return broken(`${what} returns an error`, details);
    // LIST-015 judges a list that is not empty.
    if (page.tasks.length > 0) return holds();
    const { totalSize = 0, nextPageToken = "" } = page.json;
    if (page.token) return broken(`${what} returns pages without end`, { ...details, saw: brief(nextPageToken) });
    if (totalSize !== 0)
      return breach("total-size-too-large", `${what} returns a totalSize above 0`, {
        ...details,
        saw: brief(totalSize),
      });
    const gone = ["tasks", "totalSize"].find((name) => page.json[name] === undefined);
    if (gone) return breach("empty-member-omitted", `an empty list has no ${gone} member`, details);
    for (const [of, filter] of unmatched) {
      const other = await target.call("ListTasks", { contextId: target.unknownId(), ...filter });
      // The rule about a filter judges an agent that does not know it.
      if (matches(other, "TaskNotFound"))
        return broken(`ListTasks with ${of} returns an error if nothing matches`, {
          ...details,
          saw: describeReply(other),
          at: other,
        });
    }
    return holds();
  },
});
