import { asObject, asText, brief } from "../../../answers/reading.ts";
import type { Call } from "../../../define/call.ts";
import { activeCheck } from "../../../define/check.ts";
import { broken, type Finding, holds, notApplicable, notExamined } from "../../../define/finding.ts";
import type { Target } from "../../../define/target.ts";
import { inNewerVersion } from "../../../observations/both-versions.ts";
import { taskAtRest } from "../../../observations/sent-message.ts";

/** Before 1.0 states were words, and what stood alone said what it was. */
type Form = "0.3" | "1.0";

function formOf({ said }: Call): Form | undefined {
  const task = said.is === "result" ? asObject(said.json) : undefined;
  const state = asText(asObject(task?.["status"])?.["state"]);
  if (state === undefined) return undefined;
  return state.startsWith("TASK_STATE_") ? "1.0" : "0.3";
}

/** One after the other, then all at once: an agent that keeps the version of another request is found by either. */
async function inTurns(target: Target, other: Target, id: string): Promise<Call[]> {
  const calls: Call[] = [];
  for (const each of [target, other, target, other]) calls.push(await each.call("GetTask", { id }));
  const together = [other, target, other, target, target, other].map((each) => each.call("GetTask", { id }));
  return [...calls, ...(await Promise.all(together))];
}

export const eachInItsVersion = activeCheck({
  id: "V03-VER-001",
  title: "where two versions share an address, each request is answered in its own",
  remedy:
    "Decide the version for each request by its own A2A-Version (none means 0.3), never by the connection or an earlier request.",
  bindings: ["JSONRPC"],
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const other = inNewerVersion(target);
    if (other.on.url !== target.on.url || other.on.binding !== target.on.binding)
      return notApplicable("each version has an address of its own");
    const calls = await inTurns(target, other, last.id);
    if (!calls.some((call) => formOf(call) !== undefined && call.on.dialect === "1.0"))
      return notExamined("not-triggered", "the task is not shown in both versions");
    return calls.map(judged).find((finding) => finding !== undefined) ?? holds();
  },
});

function judged(call: Call): Finding | undefined {
  const form = formOf(call);
  const asked = call.on.dialect as Form;
  if (form === undefined || form === asked) return undefined;
  return broken(`a request for ${asked} is answered in the form of ${form} when both are asked in turns`, {
    saw: call.said.is === "result" ? brief(call.said.json) : "",
    want: asked === "1.0" ? "states such as TASK_STATE_COMPLETED" : "states such as completed",
    at: call,
  });
}
