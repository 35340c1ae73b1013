import { describeReply } from "../../answers/reading.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { type ControlCall, controlCall, isServed } from "../../observations/control-call.ts";
import { inVersion } from "./other-versions.ts";

/** The next minor version: what serves it, and not any other, knows more than its card says. */
const next = "1.1";

async function judge(plain: ControlCall, target: Target): Promise<Finding> {
  if (plain.control.reply.is !== "result")
    return notExamined("not-triggered", `${plain.operation} is refused in version 1.0 as well`);
  const call = await inVersion(target, plain, next);
  if (!isServed(plain, call)) return holds();
  if (isServed(plain, await inVersion(target, plain, "1.99")))
    return notApplicable("the agent does not tell one minor version from another (VER-011)");
  return breach("other-minor-served", `version ${next} is served, and the card does not name it`, {
    saw: describeReply(call),
    want: `protocolVersion ${next} on the card`,
    at: [call, plain.control],
  });
}

/** The same thing, as the card promises it and as the version of an interface is defined. */
export const newestMinor: readonly Check[] = ["CARD-042", "VER-019"].map((id) =>
  activeCheck({
    id,
    title: "the card names the newest minor version that is served",
    remedy: "Name the newest minor version that the interface serves in its protocolVersion.",
    uses: { controlCall },
    judge: ({ controlCall: plain }, target) => judge(plain, target),
  }),
);
