import { asList, asObject, brief, type LooseTask, resultOf, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, holds, notApplicable } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { taskAtRest } from "../../observations/sent-message.ts";

export const tellsUnsetFromZero = activeCheck({
  id: "DATA-029",
  title: "what is not given differs from zero and false",
  remedy:
    "Apply defaults only where a field is absent: historyLength 0 asks for no messages, includeArtifacts false for no artifacts.",
  last: true,
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const judged = [await ofHistory(target, last), await ofArtifacts(target, last)].filter(
      (finding) => finding !== undefined,
    );
    return judged.length ? judged : notApplicable("the task has neither history nor artifacts to be left out");
  },
});

async function ofHistory(target: Target, { id }: LooseTask) {
  const unset = await target.call("GetTask", { id });
  const all = taskIn(unset)?.history.length ?? 0;
  if (all === 0) return undefined;
  const zero = await target.call("GetTask", { id, historyLength: 0 });
  const shown = taskIn(zero)?.history.length;
  // Refused: what must be understood is for others to say.
  if (shown === undefined) return undefined;
  if (shown < all) return holds();
  return broken("historyLength 0 is taken as if it were not given", {
    saw: `${shown} messages with historyLength 0, ${all} without`,
    want: "no messages",
    at: [zero, unset],
  });
}

async function ofArtifacts(target: Target, { id, contextId }: LooseTask) {
  const page = (more: { includeArtifacts?: boolean }): Promise<Call> =>
    target.call("ListTasks", { ...(contextId !== undefined && { contextId }), pageSize: 100, ...more });
  const [unset, no, yes] = [
    await page({}),
    await page({ includeArtifacts: false }),
    await page({ includeArtifacts: true }),
  ];
  const [without, withFalse, withTrue] = [unset, no, yes].map((call) => artifactsOf(call, id));
  // Where they are shown to those who did not ask either, LIST-019 says so.
  if (!withTrue?.length || without === undefined || withFalse === undefined || without.length > 0) return undefined;
  if (withFalse.length === 0) return holds();
  return broken("includeArtifacts false is taken as if it were true", {
    saw: brief(withFalse),
    want: "no artifacts",
    at: [no, unset],
  });
}

function artifactsOf(call: Call, id: string) {
  const task = asList(asObject(resultOf(call))?.["tasks"])
    .map(asObject)
    .find((each) => each?.["id"] === id);
  return task && asList(task["artifacts"]);
}
