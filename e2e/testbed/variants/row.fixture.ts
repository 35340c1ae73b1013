import type { JsonObject } from "@assay/protocol";
import type { Subject } from "../../fixtures/subject.fixture.ts";
import { sending } from "../../fixtures/testbed.fixture.ts";

/** One variant, and how it differs from its base. */
export interface Row {
  readonly id: string;
  /** something in which the variant differs from its base */
  readonly see: (agent: Subject) => Promise<unknown>;
  readonly usual: unknown;
  readonly odd: unknown;
  /** the answers hold what only a tolerant reader takes: unknown members, null for absent */
  readonly tolerance?: string;
  /** ended tasks cannot be asked for */
  readonly forgets?: true;
  /** plain messages are refused, and so there is no work to get done */
  readonly refuses?: true;
  /** what @a2a-js/sdk 1.3.0 cannot cope with although it is legal, and why */
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

/** The code of an error, or the kind of the answer. */
export const outcome = (answer: JsonObject) => answer["code"] ?? keysOf(answer)[0];

/** Looks several times: on a busy machine a moment may be over before the first look. */
export const onceOf = async (isSeen: () => Promise<boolean>, tries = 30): Promise<boolean> =>
  tries > 0 && ((await isSeen()) || onceOf(isSeen, tries - 1));

export const isUnfound = (answer: JsonObject): boolean => answer["code"] === -32001;
export const newTask = async (agent: Subject) => (await agent.task("task-lifecycle hi")).id;
