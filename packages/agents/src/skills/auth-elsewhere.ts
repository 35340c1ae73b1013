import { artifact, skill, status } from "../definition/skill.ts";

export const authElsewhere = skill("auth-elsewhere", {
  name: "Auth elsewhere",
  description:
    "Pauses until the user authorises it on a web page, outside A2A. It then continues without a further message.",
  tags: ["task", "auth-required", "out-of-band"],
  examples: ["auth-elsewhere book it"],

  async *run(turn) {
    const { authorisation } = turn;
    const declines = turn.task !== undefined && !authorisation && /^\s*no\b/i.test(turn.text);
    if (authorisation === "declined" || declines) {
      return yield status("canceled", "[auth-elsewhere] Not authorised, so not done.");
    }
    yield status("working");
    if (!authorisation) {
      // A message in the task is not an authorisation. The page has its address as soon as there is
      // a task.
      const place = turn.authorisationUrl ?? "the page of this task";
      return yield status("auth-required", `[auth-elsewhere] Authorise this at ${place}; the task goes on by itself.`);
    }
    yield artifact("receipt", "[auth-elsewhere] Authorised and done.", { last: true });
    yield status("completed");
  },
});
