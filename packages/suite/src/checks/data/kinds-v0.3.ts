import { brief } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { type Check, passiveCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds } from "../../define/finding.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { taskStream } from "../../observations/task-stream.ts";
import { taskWithFile } from "../../observations/task-with-file.ts";
import { documentsIn, messagesIn, type Placed, partsIn } from "./kinded.ts";

const names = {
  task: "a Task",
  message: "a Message",
  "status-update": "a status update",
  "artifact-update": "an artifact update",
} as const;

const resultsSayIt = passiveCheck({
  id: "V03-DATA-001",
  title: "results and events say by kind what they are",
  remedy: 'Write "kind": "task", "message", "status-update" or "artifact-update" on every result and event.',
  shownBy: [sentMessage, taskStream],
  otherwise: "the agent sent no task, message or event",
  judge(call) {
    const findings = documentsIn(call).map(({ is, json }) => judged(names[is], is, { path: "$", json }, call));
    return findings.length ? findings : undefined;
  },
});

function judged(what: string, kind: string, { path, json }: Placed, at: Call): Finding {
  if (json["kind"] === kind) return holds();
  const found = json["kind"] === undefined ? "no kind" : "another kind than its own";
  return broken(`${what} has ${found}`, { saw: `${path}: ${brief(json)}`, want: `"kind": "${kind}"`, at });
}

/** As 0.1 has it. */
const typed = ({ path, json }: Placed, kind: string, at: Call): Finding =>
  breach("type-for-kind", "a Part says type, as 0.1 does, and not kind", {
    saw: `${path}: ${brief(json)}`,
    want: `"kind": "${kind}"`,
    remedy: "Write `kind` in every part where you write `type` now: that is its name since 0.2.",
    at,
  });

const innerSayIt = passiveCheck({
  id: "V03-DATA-002",
  title: "parts, and messages within a task, say by kind what they are",
  remedy: 'Write "kind": "message" on every Message, and "kind": "text", "file" or "data" on every Part.',
  shownBy: [sentMessage, taskWithFile],
  otherwise: "the agent sent no parts",
  judge(call) {
    const findings = documentsIn(call).flatMap((document): Finding[] => [
      ...messagesIn(document)
        .filter(({ path }) => path !== "$")
        .map((message) => judged("a Message within a task", "message", message, call)),
      ...partsIn(document).flatMap((part) => {
        const kind = (["text", "file", "data"] as const).find((member) => part.json[member] !== undefined);
        // One without content breaks another rule (DATA-020).
        if (kind === undefined) return [];
        const isTyped = part.json["kind"] === undefined && part.json["type"] === kind;
        return [isTyped ? typed(part, kind, call) : judged(`a Part with ${kind}`, kind, part, call)];
      }),
    ]);
    return findings.length ? findings : undefined;
  },
});

export const kindChecks: readonly Check[] = [resultsSayIt, innerSayIt];
