import type { JsonObject } from "@assay/protocol";
import { type Check, probe, trafficCheck } from "../../check.ts";
import { broken, type Finding, holds, odd } from "../../finding.ts";
import { replied } from "../../observations/replied.ts";
import { settled } from "../../observations/settled.ts";
import { asList, asObject, asText, brief, eventsOf, messageIn } from "../../reading.ts";
import type { Talk } from "../../talk.ts";

const isFromTheAgent = trafficCheck({
  id: "SEND-020",
  title: "a message in answer is one of the agent: its role, an id of its own, and parts",
  remedy: "Answer with `role: ROLE_AGENT`, a `messageId` made by the agent, and at least one entry in `parts`.",
  occasions: [settled, replied],
  judge(talk) {
    const sent = asText(asObject(talk.params?.["message"])?.["messageId"]);
    const answers = [
      messageIn(talk),
      ...eventsOf(talk).map(({ is, content }) => (is === "message" ? content : undefined)),
    ];
    const findings = answers.flatMap((message) => (message ? [judged(message, sent, talk)] : []));
    return findings.length ? findings : undefined;
  },
});

function judged(message: JsonObject, sent: string | undefined, at: Talk): Finding {
  const { role, messageId, parts } = message;
  if (role !== "ROLE_AGENT") {
    return broken("the message in answer is not in the role of the agent", {
      saw: `role ${brief(role)}`,
      want: "role ROLE_AGENT",
      at,
    });
  }
  if (!asText(messageId)) {
    return broken("the message in answer has no messageId", {
      saw: brief(message),
      want: "a messageId made by the agent",
      at,
    });
  }
  if (messageId === sent) {
    return broken("the message in answer has the messageId of the message it answers", {
      saw: `messageId ${brief(messageId, 60)}`,
      want: "a messageId made by the agent",
      at,
    });
  }
  if (asList(parts).length === 0) {
    const tell = at.on.dialect === "1.0" ? broken : odd;
    return tell("the message in answer has no parts", { saw: brief(message), want: "at least one part", at });
  }
  return holds();
}

const completeAtOnce = probe({
  id: "SEND-014",
  title: "returnImmediately changes nothing about a direct message",
  remedy: "Ignore `returnImmediately` where the answer is a Message, and return the whole Message.",
  requires: [],
  uses: { replied },
  probe({ replied: talk }) {
    const message = messageIn(talk);
    if (asList(message?.["parts"]).length > 0) return holds();
    return broken("with returnImmediately a direct message comes without its parts", {
      saw: brief(message),
      want: "the complete message",
      at: talk,
    });
  },
});

export const directMessageChecks: readonly Check[] = [isFromTheAgent, completeAtOnce];
