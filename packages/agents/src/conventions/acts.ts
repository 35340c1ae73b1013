import type { Convention } from "../definition/agent.ts";
import { artifact, reply, skill, status, type Turn, textOf } from "../definition/skill.ts";
import { pause, play, type SkillScript } from "./script.ts";

const file = { filename: "document.txt", mediaType: "text/plain" };
const fileByValue = [{ raw: Buffer.from("[tck-artifact-file] A document.\n").toString("base64"), ...file }];
const fileByUrl = [{ url: "https://example.com/document.txt", ...file }];

const finished = (content: Parameters<typeof artifact>[1]): SkillScript => [
  status("working"),
  artifact("result", content, { last: true }),
  status("completed"),
];

type Behaviour = SkillScript | ((turn: Turn) => SkillScript | Promise<SkillScript>);

/**
 * The behaviours that ACTS expects of an agent under test, by the first word: section 11 of its
 * specification, in https://github.com/a2aproject/A2A/pull/1882.
 */
export const actsBehaviours: Readonly<Record<string, Behaviour>> = {
  "tck-complete-task": [status("completed", "[tck-complete-task] Done.")],
  // CORE-EXEC-001 expects an artifact after the wait.
  "tck-long-running": [
    status("working"),
    pause(1_000),
    artifact("result", "[tck-long-running] Done after 1 s", { last: true }),
    status("completed"),
  ],
  // It asks without a message: agent messages become history, and CORE-HIST-005 counts the user's
  // messages there.
  "tck-multi-turn": [status("input-required")],
  "tck-stream-basic": finished("[tck-stream-basic] One artifact."),
  "tck-stream-chunked": [
    status("working"),
    artifact("result", "[tck-stream-chunked] Chunk 1\n"),
    artifact("result", "[tck-stream-chunked] Chunk 2\n", { append: true }),
    artifact("result", "[tck-stream-chunked] Chunk 3\n", { append: true, last: true }),
    status("completed"),
  ],
  "tck-message-response": [reply("[tck-message-response] A message, no task.")],
  "tck-cancel": [
    status("working", "[tck-cancel] Waiting to be canceled."),
    pause(30_000),
    status("completed", "[tck-cancel] Nobody canceled."),
  ],
  "tck-task-failure": [status("working"), status("failed", "[tck-task-failure] This task fails on purpose.")],
  "tck-auth-required": [
    status("auth-required", "[tck-auth-required] Authorise this agent, then send any message to go on."),
  ],
  "tck-artifact-text": finished("[tck-artifact-text] Generated text."),
  "tck-artifact-data": finished([{ data: { key: "value", count: 42 } }]),
  "tck-artifact-file": finished(fileByValue),
  "tck-artifact-file-url": finished(fileByUrl),
  "tck-input-required": [status("input-required", "[tck-input-required] What next?")],
  "tck-reject-task": [status("rejected", "[tck-reject-task] This agent declines the task.")],
  // Loads the code that reads all cards.
  "tck-client-parse": async (turn) => (await import("./client-parse.ts")).clientParse(turn),
};

/** The reaction of a waiting task to a follow-up without a behaviour, by the behaviour that started it. */
const answered: Readonly<Record<string, (turn: Turn) => SkillScript>> = {
  "tck-multi-turn": ({ text }) => (/^\s*done\b/i.test(text) ? [status("completed")] : [status("input-required")]),
  "tck-input-required": () => [status("completed", "[tck-input-required] Thank you.")],
  "tck-auth-required": () => finished("[tck-auth-required] Authorised and done."),
};

/** Returns the behaviour that a text names. It matches whole words, because some names start with another. */
const namedIn = (text: string): string | undefined =>
  /^\s*(tck-[a-z0-9]+(?:-[a-z0-9]+)*)/i.exec(text)?.[1]?.toLowerCase();

function behaviourOf({ text, task }: Turn): Behaviour {
  const named = namedIn(text);
  if (named !== undefined) return actsBehaviours[named] ?? unheardOf(named);
  const first = task?.history?.[0];
  return answered[(first && namedIn(textOf(first))) ?? ""] ?? [status("completed")];
}

/** Fails visibly for a misspelt name; a completed task would hide the mistake. */
const unheardOf = (name: string): SkillScript => [
  status("failed", `Unknown behaviour ${name}. Choose one of ${Object.keys(actsBehaviours).join(", ")}`),
];

const actsAgent = skill("acts", {
  name: "ACTS",
  description: "Does what ACTS expects of an agent under test, selected by the first word of the text.",
  tags: ["conformance"],
  examples: ["tck-complete-task hello"],

  async *run(turn) {
    const behaviour = behaviourOf(turn);
    yield* play(typeof behaviour === "function" ? await behaviour(turn) : behaviour, turn);
  },
});

/** The A2A Conformance Test Specification: the first word of the first message selects the behaviour. */
export const acts: Convention = {
  suite: "ACTS",
  choose: (message) => (namedIn(textOf(message)) === undefined ? undefined : actsAgent),
};
