import type { JsonObject } from "@assay/protocol";
import { type Check, probe } from "../../check.ts";
import { isInternal, isRefusal, matches, wanted } from "../../expect-error.ts";
import { broken, crashed, type Finding, holds, notApplicable, notExamined, odd, tolerated } from "../../finding.ts";
import { adorned } from "../../observations/adorned.ts";
import { settled } from "../../observations/settled.ts";
import { strangeMedia } from "../../observations/strange-media.ts";
import { asObjects, asText, brief, describeReply, errorOf, isAnswered, messageIn, taskIn } from "../../reading.ts";
import type { Talk } from "../../talk.ts";
import { isA2A } from "../wire/errors/names.ts";

const takesMetadata = probe({
  id: "SEND-017",
  title: "metadata may hold any JSON",
  remedy: "Read `metadata` of requests, messages and parts as an object with values of any JSON type.",
  uses: { adorned },
  probe({ adorned: { talk, bare } }) {
    if (!bare) return holds();
    if (!isAnswered(bare))
      return notExamined("unstable", `the same message is refused without metadata: ${describeReply(bare)}`);
    return broken("a message is refused for its metadata", {
      saw: describeReply(talk),
      want: "an answer, as to the same message without metadata",
      at: [talk, bare],
    });
  },
});

const meetsOutputModes = probe({
  id: "SEND-016",
  title: "what a client accepts shapes what it gets",
  remedy: "Answer in the media types of `acceptedOutputModes` where the agent can.",
  uses: { adorned },
  probe({ adorned: { talk, mode } }) {
    if (mode === undefined) return notApplicable("the card does not list text/plain among its output modes");
    const task = taskIn(talk);
    const holders = [messageIn(talk), ...(task?.artifacts ?? [])];
    const parts = holders.flatMap((holder) => asObjects(holder?.["parts"]));
    if (parts.length === 0) return notExamined("no-occasion", "the answer has no content");
    const other = parts.find((part) => !isText(part));
    if (!other) return holds();
    return broken("a client that accepts text/plain alone gets something else", {
      saw: brief(other),
      want: "parts with text",
      at: talk,
    });
  },
});

/** A media type on text that is some kind of text is as good. */
const isText = ({ text, mediaType }: JsonObject): boolean =>
  text !== undefined && (!asText(mediaType) || /^text\//i.test(asText(mediaType)!));

const namesTheMediaType = probe({
  id: "SEND-009",
  title: "a media type that is not supported is refused with ContentTypeNotSupportedError",
  remedy: "Where a part's `mediaType` is the reason to refuse, answer ContentTypeNotSupportedError (-32005).",
  uses: { settled, strangeMedia },
  probe: ({ strangeMedia: talk }) => judgedRefusal(talk),
});

function judgedRefusal(talk: Talk): Finding {
  const details = { saw: describeReply(talk), want: wanted("ContentTypeNotSupported", talk), at: talk };
  if (isAnswered(talk)) return holds("the agent takes parts of an unknown media type");
  const match = matches(talk, "ContentTypeNotSupported");
  if (match === "new") return holds();
  if (match === "old")
    return tolerated("AMB-01", "an unknown media type is refused with the numbers of 1.0.0", details);
  if (isInternal(talk)) return crashed("an unknown media type is answered with an internal error", details);
  if (!errorOf(talk)) return crashed("an unknown media type is not answered in the words of the binding", details);
  // 3.3.2 files unsupported content under validation as well; which number that has is only an example there.
  if (!isA2A(talk) && isRefusal(talk)) return odd("an unknown media type is refused as an invalid request", details);
  return broken(`an unknown media type is refused with another error than ContentTypeNotSupported`, details);
}

export const wishChecks: readonly Check[] = [takesMetadata, meetsOutputModes, namesTheMediaType];
