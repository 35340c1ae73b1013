import { expect, test } from "vitest";
import { provenance, timing } from "../definition/extensions.ts";
import { artifact, status } from "../definition/skill.ts";
import { engineHarness, here, testSkill, user } from "./engine.fixture.ts";

const call = { ...here, extensions: [timing, provenance] };
const marks = (elapsedMs: number) => ({
  extensions: [timing.uri, provenance.uri],
  metadata: { [timing.uri]: { elapsedMs }, [provenance.uri]: { servedBy: "assay test bed" } },
});

test("active extensions mark every message and artifact of the agent, and nothing else", async () => {
  const skill = testSkill(async function* ({ clock, signal }) {
    yield status("working", "one moment");
    await clock.sleep(70, signal);
    yield artifact("result", "x");
    yield status("completed", "done");
  });
  const { engine, clock } = engineHarness({ skills: [skill] });
  const message = user("test");
  const sent = engine.send({ message }, call);
  await clock.pass(70);
  const { task } = await sent;
  const ids = { contextId: task!.contextId, taskId: task!.id };
  const agent = { messageId: expect.any(String), ...ids, role: "ROLE_AGENT" };
  expect(task).toEqual({
    id: ids.taskId,
    contextId: ids.contextId,
    status: {
      state: "TASK_STATE_COMPLETED",
      timestamp: "2026-11-15T12:00:00.070Z",
      message: { ...agent, parts: [{ text: "done" }], ...marks(70) },
    },
    artifacts: [{ artifactId: "result", name: "result", parts: [{ text: "x" }], ...marks(70) }],
    history: [
      { ...message, ...ids },
      { ...agent, parts: [{ text: "one moment" }], ...marks(0) },
    ],
  });
});

test("active extensions mark a direct message, too", async () => {
  const { engine } = engineHarness();
  const { message } = await engine.send({ message: user("message-only") }, call);
  expect({ extensions: message?.extensions, metadata: message?.metadata }).toEqual(marks(0));
});

test("without extensions there is no member for them", async () => {
  const { engine } = engineHarness();
  const { message } = await engine.send({ message: user("message-only") }, here);
  expect(Object.keys(message!)).toEqual(["messageId", "contextId", "role", "parts"]);
});
