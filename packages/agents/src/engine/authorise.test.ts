import { describe, expect, test } from "vitest";
import type { TaskCall } from "../definition/call.ts";
import { authElsewhere } from "../skills/auth-elsewhere.ts";
import { elsewhere, engineHarness, forever, here, refusal, user } from "./engine.fixture.ts";

const page = "https://agent.example/authorise/secure";
const call = { ...here, baseUrl: "https://agent.example" };
const authorisationUrl = ({ baseUrl }: TaskCall, id: string) => `${baseUrl}/authorise/secure/${id}`;
const harness = () => engineHarness({ skills: [authElsewhere], authorisationUrl });

describe("a task that is authorised elsewhere", () => {
  test("names the page, and goes on from there without a message; its streams stay open", async () => {
    const { engine } = harness();
    const stream = await engine.stream({ message: user("auth-elsewhere book it") }, call, forever);
    const events = stream[Symbol.asyncIterator]();
    const { id } = (await events.next()).value!.task!;
    const states = [];
    for (let state: string | undefined; state !== "TASK_STATE_AUTH_REQUIRED"; ) {
      const { status } = (await events.next()).value!.statusUpdate!;
      state = status.state;
      states.push(state, status.message?.parts[0]?.text);
    }
    expect(states).toEqual([
      "TASK_STATE_WORKING",
      undefined,
      "TASK_STATE_AUTH_REQUIRED",
      `[auth-elsewhere] Authorise this at ${page}/${id}; the task goes on by itself.`,
    ]);
    const subscribed = await engine.subscribe({ id }, call, forever);
    await engine.authorise(id, "given", call);
    const rest = [];
    for (let next = await events.next(); !next.done; next = await events.next())
      rest.push(next.value.statusUpdate?.status.state ?? next.value.artifactUpdate?.artifact.name);
    expect(rest).toEqual(["TASK_STATE_WORKING", "receipt", "TASK_STATE_COMPLETED"]);
    const seen = [];
    for await (const event of subscribed) seen.push(event);
    expect(seen.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
    // The history has only the client's messages: the decision was made outside the task.
    const { history = [] } = await engine.get({ id }, call);
    expect(history.filter(({ role }) => role === "ROLE_USER")).toHaveLength(1);
  });

  test("is canceled where the user declines, on the page or in the task", async () => {
    const { engine, begin, follow } = harness();
    const declined = await begin("auth-elsewhere book it");
    await engine.authorise(declined.id, "declined", here);
    expect((await engine.get({ id: declined.id }, here)).status.state).toBe("TASK_STATE_CANCELED");
    const refused = await follow(await begin("auth-elsewhere book it"), "no, leave it");
    expect(refused.status.state).toBe("TASK_STATE_CANCELED");
  });

  test("takes no word in the task for an authorisation", async () => {
    const { begin, follow } = harness();
    const task = await begin("auth-elsewhere book it");
    for (const text of ["yes", "I have authorised it", "how far are you?"])
      expect((await follow(task, text)).status.state).toBe("TASK_STATE_AUTH_REQUIRED");
  });

  test("is authorised once, by its caller, while it waits for that", async () => {
    const { engine, begin } = harness();
    const { id } = await begin("auth-elsewhere book it");
    expect((await refusal(engine.authorise(id, "given", elsewhere))).kind).toBe("TaskNotFound");
    const both = await Promise.allSettled([engine.authorise(id, "given", here), engine.authorise(id, "given", here)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await refusal(engine.authorise(id, "given", here))).kind).toBe("UnsupportedOperation");
    expect((await refusal(engine.authorise("unknown", "given", here))).kind).toBe("TaskNotFound");
  });
});
