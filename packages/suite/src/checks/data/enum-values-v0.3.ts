import { asObject, brief } from "../../answers/reading.ts";
import { type Check, passiveCheck } from "../../define/check.ts";
import { broken, type Finding, holds } from "../../define/finding.ts";
import { inputRequired } from "../../observations/conversation.ts";
import { directMessage } from "../../observations/direct-message.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { slowTask } from "../../observations/slow-task.ts";
import { documentsIn, messagesIn } from "./kinded.ts";

const states = [
  "submitted",
  "working",
  "input-required",
  "completed",
  "canceled",
  "failed",
  "rejected",
  "auth-required",
  "unknown",
];

/** A state that is known under another spelling: one that is not known at all is for LIFE-001. */
const spelled = (word: string): string =>
  word
    .replace(/^TASK_STATE_/i, "")
    .toLowerCase()
    .replaceAll("_", "-")
    .replace("cancelled", "canceled");

const wordsOfTheTime = passiveCheck({
  id: "V03-DATA-003",
  title: "states and roles are written in the words of the schema",
  remedy: 'Write status.state as "completed" or "input-required", and role as "agent": in lower case, with a hyphen.',
  shownBy: [sentMessage, slowTask, inputRequired, directMessage],
  otherwise: "the agent sent no task and no message",
  judge(call) {
    const findings = documentsIn(call).flatMap((document): Finding[] => {
      const state = asObject(document.json["status"])?.["state"];
      const roles = messagesIn(document).map(({ path, json }) => ({ path: `${path}.role`, role: json["role"] }));
      return [
        ...(typeof state === "string" ? [ofState(state)] : []),
        ...roles.flatMap(({ path, role }) => (typeof role === "string" ? [ofRole(path, role)] : [])),
      ];
    });
    return findings.length ? findings : undefined;

    function ofState(state: string): Finding {
      if (states.includes(state) || !states.includes(spelled(state))) return holds();
      const want = `"${spelled(state)}"`;
      return broken("a state is not spelled as the schema has it", {
        saw: `$.status.state: ${brief(state, 60)}`,
        want,
        at: call,
      });
    }

    function ofRole(path: string, role: string): Finding {
      if (role === "user" || role === "agent") return holds();
      return broken("a role is not spelled as the schema has it", {
        saw: `${path}: ${brief(role, 60)}`,
        want: '"user" or "agent"',
        at: call,
      });
    }
  },
});

export const wordChecks: readonly Check[] = [wordsOfTheTime];
