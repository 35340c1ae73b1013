import { errorTable } from "@assay/protocol";
import { trafficCheck } from "../../check.ts";
import { broken, holds } from "../../finding.ts";
import { settled } from "../../observations/settled.ts";
import { asObject, brief, describeReply, errorOf } from "../../reading.ts";
import { asksForThisVersion, shapesOf } from "../../shapes/of-talk.ts";

/** What 0.3 called its answers and events, which stood there without a wrapper. */
const oldKinds = ["task", "message", "status-update", "artifact-update"];

export const formsOfThisVersion = trafficCheck({
  id: "VER-006",
  title: "a request for version 1.0 is served in the forms of 1.0",
  remedy:
    "Serve requests with A2A-Version 1.0 with the objects of 1.0: the answer of a send under task or message, without kind.",
  occasions: [settled],
  judge(talk) {
    if (!asksForThisVersion(talk)) return undefined;
    const error = errorOf(talk);
    const { code, reason } = errorTable.VersionNotSupported;
    if (talk.fair && error && (error.code === code || error.reason === reason))
      return broken("the interface refuses the version that the card declares for it", {
        saw: describeReply(talk),
        want: "an answer in version 1.0",
        at: talk,
      });
    const { documents } = shapesOf(talk);
    const old = documents.find(
      ({ message, json }) =>
        (message === "SendMessageResponse" || message === "StreamResponse") &&
        oldKinds.includes(asObject(json)?.["kind"] as string),
    );
    if (old)
      return broken("a request for version 1.0 is answered in the form of 0.3", {
        saw: brief(old.json),
        want: "an object with task, message, statusUpdate or artifactUpdate",
        at: talk,
      });
    return documents.length > 0 ? holds() : undefined;
  },
});
