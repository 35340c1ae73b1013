import type { Message, Part, SendMessageResponse, Task } from "@assay/protocol";
import { inputModes, outputModes } from "../definition/agent.ts";
import type { Clock } from "../definition/clock.ts";
import { InstantClock } from "../definition/fake-clock.fixture.ts";
import { collect, forever, here, lines } from "../engine/engine.fixture.ts";
import { Engine } from "../engine/engine.ts";
import { routeBy } from "../engine/routing.ts";
import { noPush } from "../push/service.ts";
import { coreSkills } from "../skills/index.ts";
import { MemoryStore } from "../store/memory.ts";
import { conventions } from "./index.ts";

/** A message of a test: its id, its text, and the task it continues. */
export interface HarnessMessage {
  readonly id?: string;
  readonly text?: string;
  readonly parts?: Part[];
  readonly task?: Task;
}

export interface ConventionHarness<C extends Clock> {
  readonly engine: Engine;
  readonly clock: C;
  /** Sends, and waits for the task to rest. */
  send(line: HarnessMessage): Promise<SendMessageResponse>;
  begin(line: HarnessMessage): Promise<Task>;
  /** Sends, and does not wait. */
  start(line: HarnessMessage): Promise<Task>;
  now(task: Task): Promise<Task>;
  /** Returns the events of a stream, one line each. */
  told(line: HarnessMessage): Promise<string[]>;
}

/** The agent `/spec` with its conventions; sleeps take no time unless another clock is passed. */
export function conventionHarness<C extends Clock = InstantClock>(
  clock: C = new InstantClock() as Clock as C,
): ConventionHarness<C> {
  const engine = new Engine({
    store: new MemoryStore(() => clock.now()),
    clock,
    push: noPush,
    relay: () => async () => "",
    route: routeBy(coreSkills, { conventions }),
    inputModes,
    outputModes,
  });
  const send = (line: HarnessMessage) => engine.send({ message: messageOf(line) }, here);
  return {
    engine,
    clock,
    send,
    begin: async (line) => (await send(line)).task!,
    start: async (line) => {
      const message = messageOf(line);
      return (await engine.send({ message, configuration: { returnImmediately: true } }, here)).task!;
    },
    now: ({ id }) => engine.get({ id }, here),
    told: async (line) => lines(await collect(await engine.stream({ message: messageOf(line) }, here, forever))),
  };
}

let messages = 0;

const messageOf = ({ id = `m-${++messages}`, text = "hello", parts = [{ text }], task }: HarnessMessage): Message => ({
  messageId: id,
  role: "ROLE_USER",
  parts,
  ...(task ? { taskId: task.id } : {}),
});
