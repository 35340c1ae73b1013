import type { JsonObject } from "@assay/protocol";
import { asObject, asObjects, asText, brief } from "../../answers/loose-json.ts";
import { isEnded, type LooseTask, messageIn } from "../../answers/reading.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { broken, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { recalled, refined, unclear } from "../../observations/operator-expectations.ts";

/**
 * Rules about what an agent makes of a conversation, examined where the operator says what to ask and to expect. They
 * are about its mind and not about a binding, so that they are examined once.
 */

const wordsIn = (parts: unknown): string =>
  asObjects(parts)
    .flatMap(({ text, data }) => [asText(text) ?? "", data === undefined ? "" : JSON.stringify(data)])
    .join(" ");

/** Everything that the agent itself says in a task: what the user said is no proof of anything. */
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

const remembers = activeCheck({
  id: "CTX-005",
  requires: ["expectation:recall"],
  once: true,
  uses: { recalled },
  judge({ recalled: { call, last } }, target) {
    if (badlyEnded(last)) return notExamined("unstable", `the question ended in ${last?.state}`);
    const { expect = "" } = target.expectations.recall ?? {};
    const said = last ? saidIn(last) : wordsIn(messageIn(call)?.["parts"]);
    if (said.toLowerCase().includes(expect.toLowerCase())) return holds();
    return broken("the agent does not know what was said before in the same context", {
      saw: brief(said.trim() || "no words"),
      want: `an answer with ${JSON.stringify(brief(expect, 60))} in it`,
      at: call,
    });
  },
});

const nameOf = (artifact: JsonObject): string | undefined => asText(artifact["name"]) || undefined;

const keepsItsName = activeCheck({
  id: "LIFE-007",
  requires: ["scenario:artifact", "expectation:refinement"],
  once: true,
  uses: { refined },
  judge({ refined: { call, first, last } }) {
    const names = first.artifacts.flatMap((artifact) => nameOf(artifact) ?? []);
    if (names.length === 0) return notApplicable("the agent's artifacts have no names");
    if (!last || last.id === first.id)
      return notExamined("not-triggered", "the agent began no task for the refinement");
    if (last.state !== "TASK_STATE_COMPLETED" || last.artifacts.length === 0)
      return notExamined("prompt", "the agent made no other version", "expectations.refinement in assay.yaml");
    const ids = first.artifacts.map(({ artifactId }) => artifactId);
    const shown = last.artifacts.map(({ name, artifactId }) => ({ name, artifactId }) as JsonObject);
    if (last.artifacts.some(({ artifactId }) => ids.includes(artifactId))) {
      return broken("a refined artifact has the artifactId of the one before", {
        saw: brief(shown),
        want: "a new artifactId",
        at: call,
      });
    }
    if (last.artifacts.some((artifact) => names.includes(nameOf(artifact) ?? ""))) return holds();
    return broken("a refined artifact has another name than the one before", {
      saw: brief(shown),
      want: `name ${brief(names.join(" or "))}`,
      at: call,
    });
  },
});

const asksWhich = activeCheck({
  id: "LIFE-011",
  requires: ["scenario:multi-task", "expectation:ambiguous"],
  once: true,
  uses: { unclear },
  judge({ unclear: { call, last, artifacts } }) {
    if (!last) return notExamined("not-triggered", "the agent answered with a message");
    if (last.state === "TASK_STATE_INPUT_REQUIRED") return holds();
    if (last.state !== "TASK_STATE_COMPLETED") return notExamined("not-triggered", `its task is ${last.state}`);
    return broken("the agent does not ask which of several artifacts is meant", {
      saw: `${last.state}, with ${artifacts} artifacts in the context before`,
      want: "TASK_STATE_INPUT_REQUIRED",
      at: call,
    });
  },
});

export const expectationChecks: readonly Check[] = [remembers, keepsItsName, asksWhich];
