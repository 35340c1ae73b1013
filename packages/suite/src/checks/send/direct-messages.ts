import type { JsonObject } from "@assay/protocol";
import { matches } from "../../answers/expect-error.ts";
import { asList, asObject, asText, brief } from "../../answers/loose-json.ts";
import { describeReply, eventsOf, messageIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check, passiveCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { directMessage, sentMessage } from "../../observations/sent-message.ts";
import { untilSeen } from "../../observations/until-seen.ts";

const isFromTheAgent = passiveCheck({
  id: "SEND-020",
  shownBy: [sentMessage, directMessage],
  judge(call) {
    const sent = asText(asObject(call.params?.["message"])?.["messageId"]);
    const answers = [
      messageIn(call),
      ...eventsOf(call).map(({ is, content }) => (is === "message" ? content : undefined)),
    ];
    const findings = answers.flatMap((message) => (message ? [judged(message, sent, call)] : []));
    return findings.length ? findings : undefined;
  },
});

function judged(message: JsonObject, sent: string | undefined, at: Call): Finding {
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
    return breach("no-parts", "the message in answer has no parts", {
      saw: brief(message),
      want: "at least one part",
      at,
    });
  }
  return holds();
}

const completeAtOnce = activeCheck({
  id: "SEND-014",
  requires: [],
  uses: { directMessage },
  judge({ directMessage: call }) {
    const message = messageIn(call);
    if (asList(message?.["parts"]).length > 0) return holds();
    return broken("with returnImmediately a direct message comes without its parts", {
      saw: brief(message),
      want: "the complete message",
      at: call,
    });
  },
});

const namesATask = activeCheck({
  id: "CTX-020",
  uses: { sentMessage },
  also: { directMessage },
  async judge({ sentMessage: { call: plain, message }, directMessage: other }, target) {
    const answers = [...(message ? [plain] : []), ...(other ? [other] : [])];
    if (answers.length === 0) return notApplicable("the agent sent no direct message");
    return await Promise.all(answers.map((call) => judgeTask(call, target)));
  },
});

async function judgeTask(call: Call, target: Target): Promise<Finding> {
  const id = asText(messageIn(call)?.["taskId"]);
  if (!id) return holds();
  const ask = (): Promise<Call> => target.call("GetTask", { id });
  const got = await untilSeen(target, "read", ask, (each) => !matches(each, "TaskNotFound"));
  if (!matches(got, "TaskNotFound")) return holds();
  return broken("a direct message names a task that GetTask does not find", {
    saw: `taskId ${brief(id, 60)}: ${describeReply(got)}`,
    want: "no taskId, or one that GetTask finds",
    at: [call, got],
  });
}

export const directMessageChecks: readonly Check[] = [isFromTheAgent, completeAtOnce, namesATask];
