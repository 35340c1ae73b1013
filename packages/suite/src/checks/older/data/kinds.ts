import { type Check, trafficCheck } from "../../../check.ts";
import { broken, type Finding, holds } from "../../../finding.ts";
import { filed } from "../../../observations/filed.ts";
import { settled } from "../../../observations/settled.ts";
import { streamed } from "../../../observations/streamed.ts";
import { brief } from "../../../reading.ts";
import type { Talk } from "../../../talk.ts";
import { documentsIn, messagesIn, type Placed, partsIn } from "../kinded.ts";

const names = {
  task: "a Task",
  message: "a Message",
  "status-update": "a status update",
  "artifact-update": "an artifact update",
} as const;

const resultsSayIt = trafficCheck({
  id: "V03-DATA-001",
  title: "results and events say by kind what they are",
  remedy: 'Write "kind": "task", "message", "status-update" or "artifact-update" on every result and event.',
  occasions: [settled, streamed],
  otherwise: "the agent sent no task, message or event",
  judge(talk) {
    const findings = documentsIn(talk).map(({ is, json }) => judged(names[is], is, { path: "$", json }, talk));
    return findings.length ? findings : undefined;
  },
});

function judged(what: string, kind: string, { path, json }: Placed, at: Talk): Finding {
  if (json["kind"] === kind) return holds();
  const found = json["kind"] === undefined ? "no kind" : "another kind than its own";
  return broken(`${what} has ${found}`, { saw: `${path}: ${brief(json)}`, want: `"kind": "${kind}"`, at });
}

const innerSayIt = trafficCheck({
  id: "V03-DATA-002",
  title: "parts, and messages within a task, say by kind what they are",
  remedy: 'Write "kind": "message" on every Message, and "kind": "text", "file" or "data" on every Part.',
  occasions: [settled, filed],
  otherwise: "the agent sent no parts",
  judge(talk) {
    const findings = documentsIn(talk).flatMap((document): Finding[] => [
      ...messagesIn(document)
        .filter(({ path }) => path !== "$")
        .map((message) => judged("a Message within a task", "message", message, talk)),
      ...partsIn(document).flatMap((part) => {
        const kind = (["text", "file", "data"] as const).find((member) => part.json[member] !== undefined);
        // One without content breaks another rule (DATA-020).
        return kind === undefined ? [] : [judged(`a Part with ${kind}`, kind, part, talk)];
      }),
    ]);
    return findings.length ? findings : undefined;
  },
});

export const kindChecks: readonly Check[] = [resultsSayIt, innerSayIt];
