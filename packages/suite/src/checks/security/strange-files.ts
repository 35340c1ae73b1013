import { probe } from "../../check.ts";
import { isInternal } from "../../expect-error.ts";
import { broken, crashed, holds } from "../../finding.ts";
import { strangeFile } from "../../observations/strange-file.ts";
import { describeReply, isAnswered, taskIn } from "../../reading.ts";

export const strangeFiles = probe({
  id: "SEC-002",
  title: "files of a type that the agent does not read are refused",
  remedy: "Compare the mediaType of files with the input modes of the card, and answer ContentTypeNotSupportedError.",
  uses: { strangeFile },
  once: true,
  probe({ strangeFile: talk }, lab) {
    const details = { saw: describeReply(talk), want: "ContentTypeNotSupportedError, or a rejected task", at: talk };
    if (isInternal(talk)) return crashed("a file of a type that the card does not list breaks the agent down", details);
    if (!isAnswered(talk) || /_(REJECTED|FAILED)$/.test(taskIn(talk)?.state ?? "")) return holds();
    // Nothing obliges an agent to look at the type of what it does not use (AMB-36).
    const message = "a file of a type that the card does not list is taken";
    return lab.strict ? broken(message, details) : holds(message);
  },
});
