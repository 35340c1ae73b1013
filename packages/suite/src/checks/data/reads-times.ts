import { isInternal } from "../../answers/expect-error.ts";
import { asList, asObject, asText, brief, describeReply, resultOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, crashed, holds, notExamined } from "../../define/finding.ts";
import { taskAtRest } from "../../observations/sent-message.ts";
import { untilSeen } from "../../observations/until-seen.ts";

/** Long ago, so that everything is later: the first two are the same moment. */
const forms = ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000Z", "2020-01-01T00:00:00.123456Z"] as const;

export const readsTimes = activeCheck({
  id: "DATA-009",
  title: "timestamps are read with and without a fraction",
  remedy: "Parse statusTimestampAfter with no, three, six or nine digits behind the second.",
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    // One after the other, and the first once more: a task another probe starts meanwhile is then seen for what it is.
    const page = (more: { statusTimestampAfter?: string }): Promise<Call> =>
      target.call("ListTasks", {
        ...(last.contextId !== undefined && { contextId: last.contextId }),
        pageSize: 100,
        ...more,
      });
    const control = await page({});
    if (control.reply.is !== "result")
      return notExamined("not-triggered", `ListTasks is refused without a filter too (${describeReply(control)})`);
    const askAll = async (): Promise<Asked[]> => {
      const asked: Asked[] = [];
      for (const form of [...forms, forms[0]]) asked.push({ form, call: await page({ statusTimestampAfter: form }) });
      return asked;
    };
    // A task that appears late or is purged meanwhile makes a difference once, and not again and again.
    const asked = await untilSeen(target, "list", askAll, (answers) => isRefused(answers) || !differenceIn(answers));
    const refused = asked.find(({ call }) => call.reply.is !== "result");
    if (refused) {
      const { form, call } = refused;
      const tell = isInternal(call) ? crashed : broken;
      return tell(`statusTimestampAfter is not understood as ${form}`, {
        saw: describeReply(call),
        want: "a page of tasks",
        at: call,
      });
    }
    const differs = last.contextId === undefined ? undefined : differenceIn(asked);
    if (!differs) return holds();
    return broken("the same moment selects other tasks when it is written with a fraction of zeroes", {
      saw: `${brief(differs.stayed)} without it, ${brief(differs.zeroes)} with it`,
      want: "the same tasks",
      at: asked.slice(0, 2).map(({ call }) => call),
    });
  },
});

interface Asked {
  readonly form: string;
  readonly call: Call;
}

const isRefused = (asked: readonly Asked[]): boolean => asked.some(({ call }) => call.reply.is !== "result");

/** The tasks that the two spellings of one moment select, where they differ. */
function differenceIn(asked: readonly Asked[]) {
  const [before, zeroes, , after] = asked.map(({ call }) => idsIn(call));
  if (!before || !zeroes || !after || isCut([before, zeroes, after])) return undefined;
  const stayed = before.filter((id) => after.includes(id));
  const missing = stayed.filter((id) => !zeroes.includes(id));
  const added = zeroes.filter((id) => !before.includes(id) && !after.includes(id));
  return missing.length + added.length === 0 ? undefined : { stayed, zeroes };
}

/** A page that is full may leave out any task. */
const isCut = (pages: readonly (readonly string[])[]): boolean => pages.some((page) => page.length >= 100);

const idsIn = (call: Call): readonly string[] =>
  asList(asObject(resultOf(call))?.["tasks"])
    .flatMap((task) => asText(asObject(task)?.["id"]) ?? [])
    .toSorted();
