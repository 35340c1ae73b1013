import type { JsonObject } from "@assay/protocol";
import type { Subject } from "../../fixtures/subject.fixture.ts";
import { sending } from "../../fixtures/testbed.fixture.ts";

/** One variant, and how it differs from its base. */
export interface Row {
  readonly id: string;
  /** returns a value that differs between the variant and its base */
  readonly see: (agent: Subject) => Promise<unknown>;
  readonly usual: unknown;
  readonly odd: unknown;
  /** responses that only a tolerant client reads: unknown members, null for absent */
  readonly tolerance?: string;
  /** ended tasks cannot be read */
  readonly forgets?: true;
  /** plain messages are rejected, so no task exists */
  readonly refuses?: true;
  /** legal behaviour that @a2a-js/sdk 1.3.0 does not support, and why */
  readonly sdkFails?: string;
}

export const row = (
  id: string,
  see: Row["see"],
  [usual, odd]: readonly [unknown, unknown],
  more: Pick<Row, "tolerance" | "forgets" | "refuses" | "sdkFails"> = {},
): Row => ({ id, see, usual, odd, ...more });

/** Streams a task. */
export const streamed = (agent: Subject, text = "task-lifecycle hi") =>
  agent.events("SendStreamingMessage", sending(text));

/** The push configuration of a new task. */
export const config = async (agent: Subject, id?: string) => {
  const { id: taskId } = await agent.task("multi-turn hi");
  return { taskId, url: "http://127.0.0.1:9/hook", ...(id === undefined ? {} : { id }) };
};

export const keysOf = (json: unknown) => Object.keys(json as object);

/** Returns the code of an error, or the kind of the response. */
export const outcome = (answer: JsonObject) => answer["code"] ?? keysOf(answer)[0];

/** Repeats an observation, because on a busy machine a short state may end before the first one. */
export const onceOf = async (isSeen: () => Promise<boolean>, tries = 30): Promise<boolean> =>
  tries > 0 && ((await isSeen()) || onceOf(isSeen, tries - 1));

export const isUnfound = (answer: JsonObject): boolean => answer["code"] === -32001;
export const newTask = async (agent: Subject) => (await agent.task("task-lifecycle hi")).id;
