import { artifact, skill, status, textOf } from "../definition/skill.ts";

export const recall = skill("recall", {
  name: "Recall",
  description: "Repeats what the user said earlier in the same context.",
  tags: ["task", "context"],
  examples: ["recall what I said"],

  async *run({ earlier }) {
    const said = (await earlier()).flatMap(({ history = [] }) =>
      history.filter(({ role }) => role === "ROLE_USER").map(textOf),
    );
    yield status("working");
    yield artifact("memory", said.length ? `[recall] You said: ${said.join("; ")}` : "[recall] Nothing yet.", {
      last: true,
    });
    yield status("completed");
  },
});
