import type { Artifact, Task } from "@assay/protocol";
import { artifact, skill, status } from "../definition/skill.ts";

export const refine = skill("refine", {
  name: "Refine",
  description: "Makes a new version of the result of a referenced task. Asks which one if that is unclear.",
  tags: ["task", "context", "artifact"],
  examples: ["refine it"],

  async *run({ earlier, message, task, argument }) {
    const all = (await earlier()).flatMap(made);
    const meant = message.referenceTaskIds ?? [];
    const named = meant.length ? all.filter(({ taskId }) => meant.includes(taskId)) : all;
    // A reply to the question gives the position.
    const chosen = task ? named[Number(/\d{1,3}/.exec(argument)?.[0] ?? 1) - 1] : named[0];
    if (named.length > 1 && !task) {
      const choice = named.map(({ name }, index) => `${index + 1} ${name}`).join(", ");
      return yield status("input-required", `[refine] Which of them: ${choice}?`);
    }
    if (!chosen) return yield status("failed", "[refine] There is nothing to refine.");
    yield status("working");
    const versions = all.filter(({ name }) => name === chosen.name).length;
    // The name shows clients that it is the same artifact; the id belongs to this version.
    const id = `${chosen.name}-${versions + 1}`;
    yield artifact(chosen.name, `[refine] ${chosen.text} (refined)`, { id, last: true });
    yield status("completed");
  },
});

/** Returns the artifacts of a task that can be refined. */
const made = ({ id: taskId, artifacts = [] }: Task) =>
  artifacts.map(({ name, artifactId, parts }: Artifact) => ({
    taskId,
    name: name ?? artifactId,
    text: parts.map(({ text = "" }) => text).join(""),
  }));
