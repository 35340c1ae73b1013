import type { StepAnswer } from "../answer.ts";
import type { Duty } from "./duty.ts";
import { violationsOf } from "./schema.ts";

// Requirements that the format cannot express: headers of a response, and its schema.

const header = (answer: StepAnswer | undefined, name: string): string | undefined =>
  answer?.exchange.http.response?.headers.find(([each]) => each.toLowerCase() === name)?.[1];

export const cached: Duty = {
  says: "the card has Cache-Control or ETag",
  async after(run) {
    const answer = run.answers.get("step-1");
    if (header(answer, "cache-control") ?? header(answer, "etag")) return undefined;
    return run.judgeOf("step-1").fail("the card has neither Cache-Control nor ETag", {
      expected: "a Cache-Control or an ETag header",
      actual: "neither",
    });
  },
};

export const labelled = (step: string, ...types: readonly string[]): Duty => ({
  says: `the response has Content-Type ${types.join(" or ")}`,
  async after(run) {
    const label = header(run.answers.get(step), "content-type")?.split(";")[0]?.trim().toLowerCase();
    if (label === types[0]) return undefined;
    // The text of 1.0.0 had the other Content-Type, so it is not a failure (AMB-18).
    if (label !== undefined && types.includes(label)) return `Content-Type ${label}, as 1.0.0 had it`;
    return run
      .judgeOf(step)
      .fail(`the response has ${label === undefined ? "no Content-Type" : `Content-Type ${label}`}`, {
        path: "Content-Type",
        expected: types[0]!,
        actual: label ?? "no Content-Type",
      });
  },
});

export const valid = (step: string, message: "AgentCard" | "SendMessageResponse"): Duty => ({
  says: `the response is a valid ${message} by the schema of 1.0`,
  async after(run) {
    const violations = violationsOf(message, run.answers.get(step)?.root ?? null);
    const [first] = violations;
    if (!first) return undefined;
    return run.judgeOf(step).fail(`${first.path} ${first.message}`, {
      path: first.path,
      expected: `a valid ${message}`,
      actual: first.message,
      more: violations.slice(1, 20).map((each) => `${each.path} ${each.message}`),
    });
  },
});
