import type { Convention } from "../definition/agent.ts";
import { artifact, reply, skill, status } from "../definition/skill.ts";
import { pause, play, type SkillScript } from "./script.ts";

const file = { filename: "output.txt", mediaType: "text/plain" };
const fileByValue = [{ raw: Buffer.from("Generated file content\n").toString("base64"), ...file }];
const fileByUrl = [{ url: "https://example.com/output.txt", ...file }];

const finished = (content: Parameters<typeof artifact>[1]): SkillScript => [
  artifact("output", content, { last: true }),
  status("completed"),
];
const streamed = (content: Parameters<typeof artifact>[1]): SkillScript => [status("working"), ...finished(content)];

const complete: SkillScript = [status("completed", "Hello from TCK")];

/**
 * The behaviours of the TCK's own agents, by the prefix of the messageId: `scenarios/*.feature` of
 * https://github.com/a2aproject/a2a-tck, branch 1.0-dev.
 */
export const tckScripts: Readonly<Record<string, SkillScript>> = {
  "tck-complete-task": complete,
  "tck-artifact-text": finished("Generated text content"),
  "tck-artifact-file": finished(fileByValue),
  "tck-artifact-file-url": finished(fileByUrl),
  "tck-artifact-data": finished([{ data: { key: "value", count: 42 } }]),
  "tck-message-response": [reply("Direct message response")],
  "tck-input-required": [status("input-required")],
  "tck-reject-task": [status("rejected", "rejected")],
  "tck-stream-001": streamed("Stream hello from TCK"),
  "tck-stream-002": [status("completed")],
  "tck-stream-003": streamed("Stream task lifecycle"),
  "tck-stream-ordering-001": streamed("Ordered output"),
  "tck-stream-artifact-text": streamed("Streamed text content"),
  "tck-stream-artifact-file": streamed(fileByValue),
  "tck-stream-artifact-chunked": [
    status("working"),
    artifact("output", "chunk-1 "),
    artifact("output", "chunk-2", { append: true, last: true }),
    status("completed"),
  ],
  // The TCK waits for 4 s, twice its streaming timeout; a timer may fire a moment early.
  "test-resubscribe-message-id": [status("working"), pause(4_500), status("completed")],
};

const longestFirst = Object.entries(tckScripts).toSorted(([a], [b]) => b.length - a.length);
/** Most messages are not from the TCK, and need no search. */
const beginnings = new Set(Object.keys(tckScripts).map((prefix) => prefix.slice(0, 4)));
const scriptOf = (messageId: string): SkillScript | undefined =>
  beginnings.has(messageId.slice(0, 4)) ? searched(messageId) : undefined;
const searched = (messageId: string): SkillScript | undefined =>
  longestFirst.find(([prefix]) => messageId.startsWith(prefix))?.[1] ??
  (messageId.startsWith("tck-") ? complete : undefined);

/**
 * Every message of a conversation names the next behaviour, follow-ups too. This is how the TCK keeps a task
 * waiting (`tck-input-required` again) and how it ends one (`tck-complete-task`).
 */
const tckAgent = skill("tck", {
  name: "TCK",
  description: "Does what the TCK expects of an agent under test, selected by the messageId.",
  tags: ["conformance"],
  examples: [],

  async *run(turn) {
    yield* play(scriptOf(turn.message.messageId) ?? complete, turn);
  },
});

/** A task that waits for more input: the TCK of 0.3 gets, continues and cancels the tasks that it creates. */
export const openTask = skill("open-task", {
  name: "Open task",
  description: "Asks for more input after every message until it is canceled.",
  tags: ["conformance"],
  examples: [],

  async *run() {
    yield status("working");
    yield status("input-required");
  },
});

/** The A2A Technology Compatibility Kit: the messageId selects the behaviour. */
export const tck: Convention = {
  suite: "TCK",
  choose: ({ messageId }) => scriptOf(messageId) && tckAgent,
};
