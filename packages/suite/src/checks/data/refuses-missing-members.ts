import { expectInvalid } from "../../answers/expect-error.ts";
import { activeCheck } from "../../define/check.ts";
import { notExamined } from "../../define/finding.ts";
import { invalidInput } from "../../observations/invalid-input.ts";

export const refusesMissingMembers = activeCheck({
  id: "DATA-012",
  title: "a request that lacks a required member is refused",
  remedy: "Refuse requests without a REQUIRED member with a validation error instead of filling it in.",
  uses: { invalidInput },
  async judge({ invalidInput: cases }, target) {
    const lacking = cases.filter(({ missing }) => missing);
    const judged = lacking.map(({ what, call }) => expectInvalid(call, what));
    // In a path the id cannot be left out without asking for something else.
    if (target.on.binding !== "HTTP+JSON")
      for (const operation of ["GetTask", "CancelTask"] as const)
        judged.push(expectInvalid(await target.call(operation, {}), `${operation} without an id`));
    if (cases.unsent && !judged.some(({ is }) => is === "breach")) throw cases.unsent;
    return judged.length ? judged : notExamined("not-triggered", "no such request was sent");
  },
});
