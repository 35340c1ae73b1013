import type { JsonObject } from "@assay/protocol";
import { asObject, asObjects, asText, brief } from "../../answers/loose-json.ts";
import { isEnded, type LooseTask, messageIn } from "../../answers/reading.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { recalled, refined, unclear } from "../../observations/operator-expectations.ts";

/**
 * Rules about how an agent handles a conversation. They are examined if the operator says what to ask and expect, and
 * only once, because they do not depend on a binding.
 */

const wordsIn = (parts: unknown): string =>
  asObjects(parts)
    .flatMap(({ text, data }) => [asText(text) ?? "", data === undefined ? "" : JSON.stringify(data)])
    .join(" ");

/** Returns everything the agent itself says in a task; the user's words prove nothing. */
const saidIn = ({ json, artifacts, history }: LooseTask): string =>
  [
    asObject(asObject(json["status"])?.["message"]),
    ...artifacts,
    ...history.filter(({ role }) => role === "ROLE_AGENT"),
  ]
    .map((holder) => wordsIn(holder?.["parts"]))
    .join(" ");

const badlyEnded = (task: LooseTask | undefined): boolean =>
  isEnded(task?.state) && task?.state !== "TASK_STATE_COMPLETED";

export const remembers = activeCheck("CTX-005", {
  requires: ["expectation:recall"],
  once: true,
  uses: { recalled },
  judge({ recalled: { call, last } }, target) {
    if (badlyEnded(last)) return notExamined("unstable", `the task of the question ended in ${last?.state}`);
    const { expect = "" } = target.expectations.recall ?? {};
    const said = last ? saidIn(last) : wordsIn(messageIn(call)?.["parts"]);
    if (said.toLowerCase().includes(expect.toLowerCase())) return holds();
    return broken("the agent does not recall an earlier message of the same context", {
      saw: brief(said.trim() || "no text"),
      want: `a response that contains ${JSON.stringify(brief(expect, 60))}`,
      at: call,
    });
  },
});

const nameOf = (artifact: JsonObject): string | undefined => asText(artifact["name"]) || undefined;

export const keepsItsName = activeCheck("LIFE-007", {
  requires: ["scenario:artifact", "expectation:refinement"],
  once: true,
  uses: { refined },
  judge({ refined: { call, first, last } }) {
    const names = first.artifacts.flatMap((artifact) => nameOf(artifact) ?? []);
    if (names.length === 0) return notApplicable("the agent's artifacts have no names");
    if (!last || last.id === first.id)
      return notExamined("not-triggered", "the agent started no task for the refinement");
    if (last.state !== "TASK_STATE_COMPLETED" || last.artifacts.length === 0)
      return notExamined("prompt", "the agent created no new version", "expectations.refinement in assay.yaml");
    const ids = first.artifacts.map(({ artifactId }) => artifactId);
    const shown = last.artifacts.map(({ name, artifactId }) => ({ name, artifactId }) as JsonObject);
    if (last.artifacts.some(({ artifactId }) => ids.includes(artifactId))) {
      return broken("a refined artifact has the artifactId of the previous version", {
        saw: brief(shown),
        want: "a new artifactId",
        at: call,
      });
    }
    if (last.artifacts.some((artifact) => names.includes(nameOf(artifact) ?? ""))) return holds();
    return broken("a refined artifact has a different name than the previous version", {
      saw: brief(shown),
      want: `name ${brief(names.join(" or "))}`,
      at: call,
    });
  },
});

export const asksWhich = activeCheck("LIFE-011", {
  requires: ["scenario:multi-task", "expectation:ambiguous"],
  once: true,
  uses: { unclear },
  judge({ unclear: { call, last, artifacts } }) {
    if (!last) return notExamined("not-triggered", "the agent responded with a message");
    if (last.state === "TASK_STATE_INPUT_REQUIRED") return holds();
    if (last.state !== "TASK_STATE_COMPLETED") return notExamined("not-triggered", `the task is in ${last.state}`);
    return broken("the agent does not ask which of several artifacts the user means", {
      saw: `${last.state}, with ${artifacts} earlier artifacts in the context`,
      want: "TASK_STATE_INPUT_REQUIRED",
      at: call,
    });
  },
});
