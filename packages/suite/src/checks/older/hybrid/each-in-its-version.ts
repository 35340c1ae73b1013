import { probe } from "../../../check.ts";
import { broken, type Finding, holds, notApplicable, notExamined } from "../../../finding.ts";
import type { Lab } from "../../../lab.ts";
import { inNewerVersion } from "../../../observations/both-versions.ts";
import { settledTask } from "../../../observations/settled.ts";
import { asObject, asText, brief } from "../../../reading.ts";
import type { Talk } from "../../../talk.ts";

/** Before 1.0 states were words, and what stood alone said what it was. */
type Form = "0.3" | "1.0";

function formOf({ said }: Talk): Form | undefined {
  const task = said.is === "result" ? asObject(said.json) : undefined;
  const state = asText(asObject(task?.["status"])?.["state"]);
  if (state === undefined) return undefined;
  return state.startsWith("TASK_STATE_") ? "1.0" : "0.3";
}

/** One after the other, then all at once: who keeps the version of somebody else's request is found out by either. */
async function inTurns(lab: Lab, other: Lab, id: string): Promise<Talk[]> {
  const talks: Talk[] = [];
  for (const each of [lab, other, lab, other]) talks.push(await each.call("GetTask", { id }));
  const together = [other, lab, other, lab, lab, other].map((each) => each.call("GetTask", { id }));
  return [...talks, ...(await Promise.all(together))];
}

export const eachInItsVersion = probe({
  id: "V03-VER-001",
  title: "where two versions share an address, each request is answered in its own",
  remedy:
    "Decide the version for each request by its own A2A-Version (none means 0.3), never by the connection or an earlier request.",
  bindings: ["JSONRPC"],
  uses: { settledTask },
  async probe({ settledTask: { last } }, lab) {
    const other = inNewerVersion(lab);
    if (other.on.url !== lab.on.url || other.on.binding !== lab.on.binding)
      return notApplicable("each version has an address of its own");
    const talks = await inTurns(lab, other, last.id);
    if (!talks.some((talk) => formOf(talk) !== undefined && talk.on.dialect === "1.0"))
      return notExamined("no-occasion", "the task is not shown in both versions");
    return talks.map(judged).find((finding) => finding !== undefined) ?? holds();
  },
});

function judged(talk: Talk): Finding | undefined {
  const form = formOf(talk);
  const asked = talk.on.dialect as Form;
  if (form === undefined || form === asked) return undefined;
  return broken(`a request for ${asked} is answered in the form of ${form} when both are asked in turns`, {
    saw: talk.said.is === "result" ? brief(talk.said.json) : "",
    want: asked === "1.0" ? "states such as TASK_STATE_COMPLETED" : "states such as completed",
    at: talk,
  });
}
