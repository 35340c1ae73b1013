import { isInternal } from "../../answers/expect-error.ts";
import { describeReply, isAnswered, taskIn } from "../../answers/reading.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, crashed, holds } from "../../define/finding.ts";
import { unexpectedFile } from "../../observations/unexpected-file.ts";

export const strangeFiles = activeCheck({
  id: "SEC-002",
  title: "files of a type that the agent does not read are refused",
  remedy: "Compare the mediaType of files with the input modes of the card, and answer ContentTypeNotSupportedError.",
  uses: { unexpectedFile },
  once: true,
  judge({ unexpectedFile: call }) {
    const details = { saw: describeReply(call), want: "ContentTypeNotSupportedError, or a rejected task", at: call };
    if (isInternal(call)) return crashed("a file of a type that the card does not list breaks the agent down", details);
    if (!isAnswered(call) || /_(REJECTED|FAILED)$/.test(taskIn(call)?.state ?? "")) return holds();
    return breach("unlisted-type-taken", "a file of a type that the card does not list is taken", details);
  },
});
