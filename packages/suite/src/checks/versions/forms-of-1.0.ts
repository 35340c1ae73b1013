import { errorTable } from "@assay/protocol";
import { asObject, describeReply, errorOf, shown } from "../../answers/reading.ts";
import { passiveCheck } from "../../define/check.ts";
import { broken, holds } from "../../define/finding.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { asksForThisVersion, shapesOf } from "../../shapes/of-call.ts";

/** What 0.3 called its answers and events, which stood there without a wrapper. */
const oldKinds = ["task", "message", "status-update", "artifact-update"];

export const formsOfThisVersion = passiveCheck({
  id: "VER-006",
  title: "a request for version 1.0 is served in the forms of 1.0",
  remedy:
    "Serve requests with A2A-Version 1.0 with the objects of 1.0: the answer of a send under task or message, without kind.",
  shownBy: [sentMessage],
  judge(call) {
    if (!asksForThisVersion(call)) return undefined;
    const error = errorOf(call);
    const { code, reason } = errorTable.VersionNotSupported;
    if (call.fair && error && (error.code === code || error.reason === reason))
      return broken("the interface refuses the version that the card declares for it", {
        saw: describeReply(call),
        want: "an answer in version 1.0",
        at: call,
      });
    const { documents } = shapesOf(call);
    const old = documents.find(
      ({ message, json }) =>
        (message === "SendMessageResponse" || message === "StreamResponse") &&
        oldKinds.includes(asObject(json)?.["kind"] as string),
    );
    if (old)
      return broken("a request for version 1.0 is answered in the form of 0.3", {
        ...shown(old.json),
        want: "an object with task, message, statusUpdate or artifactUpdate",
        at: call,
      });
    return documents.length > 0 ? holds() : undefined;
  },
});
