import { type Check, trafficCheck } from "../../../check.ts";
import { broken, type Finding, holds } from "../../../finding.ts";
import { asking } from "../../../observations/conversation.ts";
import { replied } from "../../../observations/replied.ts";
import { settled } from "../../../observations/settled.ts";
import { slow } from "../../../observations/slow.ts";
import { asObject, brief } from "../../../reading.ts";
import { documentsIn, messagesIn } from "../kinded.ts";

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

/** A state that is known under another spelling: one that nobody knows at all is for LIFE-001. */
const spelled = (word: string): string =>
  word
    .replace(/^TASK_STATE_/i, "")
    .toLowerCase()
    .replaceAll("_", "-")
    .replace("cancelled", "canceled");

const wordsOfTheTime = trafficCheck({
  id: "V03-DATA-003",
  title: "states and roles are written in the words of the schema",
  remedy: 'Write status.state as "completed" or "input-required", and role as "agent": in lower case, with a hyphen.',
  occasions: [settled, slow, asking, replied],
  otherwise: "the agent sent no task and no message",
  judge(talk) {
    const findings = documentsIn(talk).flatMap((document): Finding[] => {
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
        at: talk,
      });
    }

    function ofRole(path: string, role: string): Finding {
      if (role === "user" || role === "agent") return holds();
      return broken("a role is not spelled as the schema has it", {
        saw: `${path}: ${brief(role, 60)}`,
        want: '"user" or "agent"',
        at: talk,
      });
    }
  },
});

export const wordChecks: readonly Check[] = [wordsOfTheTime];
