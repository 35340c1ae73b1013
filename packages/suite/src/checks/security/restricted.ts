import { describeReply, isLogin } from "../../answers/reading.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, type Finding, holds, notExamined } from "../../define/finding.ts";
import { isTurnedAway } from "../../observations/login.ts";
import { restrictedCaller } from "../../observations/restricted-caller.ts";

export const knownButNotAllowed = activeCheck({
  id: "AUTH-010",
  title: "who is known but not allowed is told so, and not asked to log in again",
  remedy: "Answer HTTP 403, over gRPC PERMISSION_DENIED, where the credentials are good but not enough.",
  uses: { restrictedCaller },
  judge({ restrictedCaller: calls }) {
    // What the user is turned away from as well says nothing about rights.
    const forbidden = calls.filter(({ ours, theirs }) => isTurnedAway(theirs) && !isTurnedAway(ours));
    if (forbidden.length === 0) {
      return notExamined(
        "not-triggered",
        "the principal with fewer rights was refused nothing of what was tried",
        "principals.restricted in assay.yaml",
      );
    }
    const findings = forbidden.map(({ theirs }): Finding => {
      if (!isLogin(theirs)) return holds();
      return broken("who lacks a permission is asked for credentials again", {
        saw: describeReply(theirs),
        want: "HTTP 403 or PERMISSION_DENIED",
        at: theirs,
      });
    });
    return findings;
  },
});
